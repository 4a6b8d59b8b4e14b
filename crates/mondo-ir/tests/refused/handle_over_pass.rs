use mondo_ir::{Context, Module, PassManager};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        let mut passes = PassManager::new(ctx);
        let op = module.op(ir);
        passes.run(ir, module.owner()).unwrap();
        op.name();
    });
}
