use mondo_ir::Context;

fn main() {
    Context::new().enter(|ctx, _| {
        std::thread::scope(|scope| {
            scope.spawn(move || ctx.i32());
        });
    });
}
