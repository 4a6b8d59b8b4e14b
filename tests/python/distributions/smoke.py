"""The wheel in a minute: parse, passes, print, an error, and a death that is seen."""

import sys

from mlir.ir import Context, InvalidatedError, MLIRError, Module
from mlir.passmanager import PassManager

SOURCE = """
func.func @twice(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %x, %zero : i32
  %sum = arith.addi %same, %same : i32
  return %sum : i32
}
"""


def main():
    with Context():
        module = Module.parse(SOURCE)
        (function,) = module.body.operations
        added = function.regions[0].blocks[0].operations[1]
        PassManager.parse("builtin.module(func.func(canonicalize))").run(module.operation)
        assert "arith.constant" not in str(module), module
        try:
            print(added)
        except InvalidatedError as error:
            assert "pass pipeline" in str(error), error
        else:
            raise AssertionError("an operation outlived its death")
        try:
            Module.parse("func.func @broken() {")
        except MLIRError as error:
            assert "expected" in str(error), error
        else:
            raise AssertionError("nonsense was parsed")
        print(module)
    print(sys.version)


if __name__ == "__main__":
    main()
