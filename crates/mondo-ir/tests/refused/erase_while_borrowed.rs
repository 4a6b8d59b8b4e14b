use mondo_ir::{Context, Module};

fn main() {
    Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, "func.func private @f()").unwrap();
        let function = module.body(ir).first().unwrap();
        function.erase().unwrap();
        // Frees what was erased.
        ir.collect();
        function.name();
    });
}
