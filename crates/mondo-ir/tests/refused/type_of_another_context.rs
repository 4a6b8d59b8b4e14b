use mondo_ir::Context;

fn main() {
    let (mut one, mut other) = (Context::new(), Context::new());
    one.enter(|one, _| {
        other.enter(|other, _| {
            one.tuple(&[other.i32().any()]);
        });
    });
}
