use mondo_ir::Context;

fn main() {
    let mut context = Context::new();
    let kept = context.enter(|ctx, _| ctx.i32());
    drop(context);
    kept.width();
}
