use mondo_ir::{ExecutionEngine, Function};

unsafe fn kept<'a>(engine: ExecutionEngine) -> Function<'a, unsafe extern "C" fn()> {
    unsafe { engine.function("f") }.unwrap()
}

fn main() {}
