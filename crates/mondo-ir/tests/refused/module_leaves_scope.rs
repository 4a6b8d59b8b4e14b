use mondo_ir::{Context, Module};

fn main() {
    let mut kept = None;
    Context::new().enter(|ctx, _| {
        kept = Some(Module::parse(ctx, "").unwrap());
    });
}
