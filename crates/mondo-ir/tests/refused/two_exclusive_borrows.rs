use mondo_ir::{Context, Ir};

fn both<'ctx>(_: &mut Ir<'ctx>, _: &mut Ir<'ctx>) {}

fn main() {
    Context::new().enter(|_, ir| both(ir, ir));
}
