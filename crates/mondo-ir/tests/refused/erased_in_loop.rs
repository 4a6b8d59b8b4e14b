use mondo_ir::{Context, Module, PassManager};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        for op in module.body(ir).operations() {
            PassManager::new(ctx).run(ir, module.owner()).unwrap();
            op.name();
        }
    });
}
