use mondo_ir::Context;

fn main() {
    Context::new().enter(|ctx, _| {
        ctx.integer_attr(ctx.f32(), 1);
    });
}
