use mondo_ir::Context;

fn main() {
    let mut context = Context::new();
    context.enter(|_, _| {
        context.enter(|_, _| {});
    });
}
