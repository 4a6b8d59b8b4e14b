use mondo_ir::{Context, Module, PassManager, Walk, WalkOrder};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        let op = module.op(ir);
        op.walk(WalkOrder::Pre, |_| {
            PassManager::new(ctx).run(ir, module.owner()).unwrap();
            Walk::Advance
        });
    });
}
