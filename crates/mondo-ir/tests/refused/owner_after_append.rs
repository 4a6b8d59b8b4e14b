use mondo_ir::{Context, Module};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        let inner = Module::parse(ctx, "").unwrap().into_op();
        module.body(ir).append(inner).unwrap();
        module.body(ir).append(inner).unwrap();
    });
}
