"""FIR and HLFIR in the bundle of manifests/fortran.toml."""

import pytest
from fortran.mlir import ir
from fortran.mlir.dialects import arith, fir, func
from fortran.mlir.passmanager import PassManager

LOWERING = "builtin.module(bufferize-hlfir,convert-hlfir-to-fir,cfg-conversion,fir-to-llvm-ir)"


@pytest.fixture(autouse=True)
def context():
    with ir.Context() as context, ir.Location.unknown():
        yield context


def test_a_function_is_built_verified_and_lowered():
    module = ir.Module.create()
    i32 = ir.IntegerType.get_signless(32)
    with ir.InsertionPoint(module.body):
        function = func.FuncOp("_QPnext", ([ir.Type.parse("!fir.ref<i32>")], [i32]))
        with ir.InsertionPoint(function.add_entry_block()):
            value = fir.LoadOp(i32, function.arguments[0])
            one = arith.ConstantOp(i32, 1)
            func.ReturnOp([arith.AddIOp(value.result, one)])
    assert module.operation.verify()
    assert "fir.load %arg0 : !fir.ref<i32>" in str(module)
    again = ir.Module.parse(str(module))
    PassManager.parse(LOWERING).run(again.operation)
    assert "llvm.load %arg0 : !llvm.ptr -> i32" in str(again)


def test_types_have_classes():
    i32 = ir.IntegerType.get_signless(32)
    parsed = ir.Type.parse("!fir.ref<i32>")
    assert isinstance(parsed, fir.ReferenceType)
    assert fir.ReferenceType.isinstance(parsed)
    assert not fir.HeapType.isinstance(parsed)
    heap = fir.HeapType.get(i32)
    assert str(heap) == "!fir.heap<i32>"
    with pytest.raises(ir.MLIRError):
        ir.Type.parse("!fir.ref<!fir.ref<i32>>")


def test_hlfir_becomes_fir():
    text = """
    func.func @_QPcopy(%a: !fir.ref<i32>) {
      %0:2 = hlfir.declare %a {uniq_name = "a"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
      %c = arith.constant 42 : i32
      hlfir.assign %c to %0#0 : i32, !fir.ref<i32>
      return
    }
    """
    module = ir.Module.parse(text)
    PassManager.parse("builtin.module(convert-hlfir-to-fir)").run(module.operation)
    assert "fir.store" in str(module)
    assert "hlfir.assign" not in str(module)
