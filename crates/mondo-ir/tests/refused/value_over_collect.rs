use mondo_ir::{Context, Module};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "").unwrap();
        let block = module.body(ir);
        ir.collect();
        block.arguments();
    });
}
