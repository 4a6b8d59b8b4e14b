use mondo_ir::{Context, Module};

fn main() {
    let (mut one, mut other) = (Context::new(), Context::new());
    one.enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        other.enter(|_, other| {
            module.op(other);
        });
        module.op(ir);
    });
}
