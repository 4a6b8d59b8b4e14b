//! Reads a function and simplifies it, with the MLIR that is in the program itself.

use mondo_ir::{Context, Module, PassManager, Result};

/// Adds a number to itself, and multiplies it by nothing.
const SOURCE: &str = "
func.func @twice(%number: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %nothing = arith.muli %number, %zero : i64
  %twice = arith.addi %number, %number : i64
  %sum = arith.addi %twice, %nothing : i64
  return %sum : i64
}
";

fn main() -> Result<()> {
    let text = Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, SOURCE)?;
        PassManager::parse(ctx, "builtin.module(canonicalize)")?.run(ir, module.owner())?;
        Ok(module.op(ir).to_string())
    })?;
    print!("{text}");
    assert_eq!(text.matches("arith.").count(), 1, "one addition is left");
    Ok(())
}
