"""The library alone, without its extension, under a Python that the wheel is not for.

``python through_ctypes.py <over_c.py> <library>`` parses a module, runs passes and prints it.
"""

import ctypes
import runpy
import sys

SOURCE = """
func.func @twice(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %x, %zero : i32
  %sum = arith.addi %same, %same : i32
  return %sum : i32
}
"""


def main(helper, path):
    over_c = runpy.run_path(helper)
    c = over_c["Library"](path)
    text = over_c["text"]
    registry = c.mlirDialectRegistryCreate()
    c.mlirRegisterAllDialects(registry)
    context = c.mlirContextCreateWithRegistry(registry, False)
    c.mlirContextLoadAllAvailableDialects(context)
    c.mlirRegisterAllPasses()

    module = c.mlirModuleCreateParse(context, text(SOURCE))
    assert module.ptr, "the module was not parsed"
    operation = c.mlirModuleGetOperation(module)
    assert c.mlirOperationVerify(operation)

    passes = c.mlirPassManagerCreate(context)
    said = []
    tell = over_c["TEXT"](lambda piece, _: said.append(piece.data[: piece.length].decode()))
    nested = c.mlirPassManagerGetAsOpPassManager(passes)
    pipeline = text("builtin.module(func.func(canonicalize),convert-func-to-llvm)")
    assert c.mlirParsePassPipeline(nested, pipeline, tell, None).value, "".join(said)
    assert c.mlirPassManagerRunOnOp(passes, operation).value

    # A string of the C API has a length and no terminating null.
    printed = []

    class Piece(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    @ctypes.CFUNCTYPE(None, Piece, ctypes.c_void_p)
    def collect(piece, _):
        printed.append(ctypes.string_at(piece.data, piece.length).decode())

    show = c.dll.mlirOperationPrint
    show.restype = None
    show(operation, collect, None)
    result = "".join(printed)
    assert "llvm.func @twice" in result, result
    assert "arith.constant" not in result, result
    c.mlirPassManagerDestroy(passes)
    c.mlirModuleDestroy(module)
    c.mlirContextDestroy(context)
    c.mlirDialectRegistryDestroy(registry)
    print(result)


if __name__ == "__main__":
    main(*sys.argv[1:])
