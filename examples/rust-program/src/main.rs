//! Reads a function, optimises it, compiles it, and calls it.

use mondo_ir::{
    Context, EngineOptions, ErrorKind, ExecutionEngine, Module, OwnPass, PassManager, Result, Walk,
    WalkOrder,
};

/// Sums the squares below a number.
const SOURCE: &str = "
func.func @sum_of_squares(%below: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sum = scf.for %i = %zero to %below step %one iter_args(%so_far = %zero) -> (i64) : i64 {
    %square = arith.muli %i, %i : i64
    %unused = arith.addi %square, %square : i64
    %next = arith.addi %so_far, %square : i64
    scf.yield %next : i64
  }
  return %sum : i64
}
";

/// Each way of lowering from `scf` to `llvm`.
const LOWERING: &str = "convert-scf-to-cf,convert-cf-to-llvm,convert-arith-to-llvm,\
                        convert-func-to-llvm,reconcile-unrealized-casts";

fn compile(context: &mut Context) -> Result<ExecutionEngine> {
    context.enter(|ctx, ir| {
        let module = Module::parse(ctx, SOURCE)?;

        let mut passes = PassManager::on(ctx, "builtin.module");
        passes.add("canonicalize,cse")?;
        // A pass of our own: counts what the others left.
        passes.add_own(OwnPass::on("count", "func.func", |_, function| {
            let mut count = 0;
            function.walk(WalkOrder::Pre, |_| {
                count += 1;
                Walk::Advance
            });
            println!("{count} operations are left");
            Ok(())
        }));
        passes.add(LOWERING)?;
        passes.run(ir, module.owner())?;

        // SAFETY: the module has no constructors.
        unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) }
    })
}

fn main() -> Result<()> {
    let engine = match compile(&mut Context::new()) {
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            println!("this bundle compiles nothing: {error}");
            return Ok(());
        }
        engine => engine?,
    };
    // SAFETY: the function takes and returns an i64, and touches no memory.
    let sum = unsafe {
        let function = engine.function::<unsafe extern "C" fn(i64) -> i64>("sum_of_squares")?;
        function.call((10,))
    };
    println!("the sum of the squares below 10 is {sum}");
    assert_eq!(sum, 285);
    Ok(())
}
