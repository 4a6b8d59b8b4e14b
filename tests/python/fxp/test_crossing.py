"""The base's extension and the dialect's, two libraries that meet in the base's mondo library."""

import pytest

# Neither is loaded so that others see its names, which is Python's own way too.
LOCAL = "import os, sys; sys.setdlopenflags(os.RTLD_NOW | os.RTLD_LOCAL)\n"

WORK = """
with ir.Context() as context, ir.Location.unknown():
    fxp.register_dialect(context)
    num = fxp.NumType.get(16, 8)
    memref = ir.MemRefType.get([4], num)
    assert str(memref) == f"memref<4x{num}>"
    assert type(memref.element_type) is fxp.NumType
    assert memref.element_type is num
    assert ir.VectorType.get([4], num).element_type is num
    assert ir.RankedTensorType.get([4], num).element_type is num
    assert isinstance(num, ir.Type) and isinstance(num, fxp.NumType)
    assert fxp.NumType.isinstance(ir.Type.parse("!fxp.num<3, 1, unsigned>"))
    assert not fxp.NumType.isinstance(ir.F32Type.get())
    assert fxp.NumType(ir.Type.parse(str(num))) is num
    try:
        fxp.NumType(memref)
    except ValueError as error:
        assert "Cannot cast type to NumType" in str(error)
    else:
        raise AssertionError("a memref was taken for a number")
    value = ir.Attribute.parse(f"#fxp.value<1.5> : {num}")
    assert type(value) is fxp.ValueAttr and value == fxp.ValueAttr.get(num, 384)
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        f = func.FuncOp("f", ([memref, num], [num]))
        with ir.InsertionPoint(f.add_entry_block()):
            product = fxp.mul(f.arguments[1], fxp.constant(num, 1.5), overflow="saturate")
            func.ReturnOp([product])
    assert type(product.type) is fxp.NumType
    assert type(product.owner.opview) is fxp.MulOp
    manager = PassManager.parse("builtin.module(convert-fxp-to-arith)")
    assert str(manager) == "builtin.module(convert-fxp-to-arith)"
    manager.run(module.operation)
    assert "func.func @f(%arg0: memref<4xi16>, %arg1: i16) -> i16" in str(module)
    assert module.operation.verify()
"""

IMPORTS = {
    "base first": ["{0}.ir", "{0}.passmanager", "{0}.dialects.func", "{0}.dialects.fxp"],
    "dialect first": ["{0}.dialects.fxp", "{0}.passmanager", "{0}.dialects.func", "{0}.ir"],
    "extension first": ["{0}._mlir_libs._fxp", "{0}.ir", "{0}.passmanager", "{0}.dialects.func"],
}


@pytest.mark.parametrize("order", IMPORTS)
def test_they_agree_in_either_order(python, root, order):
    script = LOCAL + "".join(f"import {name.format(root)}\n" for name in IMPORTS[order])
    script += (
        f"from {root} import ir\nfrom {root}.passmanager import PassManager\n"
        f"from {root}.dialects import func, fxp\n"
    )
    python(script + WORK)


def test_the_library_is_loaded_once(python, root):
    done = python(
        f"import {root}.dialects.fxp\n"
        "maps = {line.split()[-1] for line in open('/proc/self/maps') if '.so' in line}\n"
        "print(*(path for path in maps if '_mondo.so' in path))"
    )
    assert len(done.stdout.split()) == 1


def test_a_bundle_of_it_registers_the_dialect(ir, parse, ctx):
    """No Python of the dialect's is asked; its operations are just there."""
    module = parse("%c = fxp.constant 1 : !fxp.num<4, 0, signed>")
    assert module.operation.verify()


def test_a_type_outlives_the_names_that_made_it(ir, fxp):
    context = ir.Context()
    num = fxp.NumType.get(16, 8, context=context)
    del context
    assert num.context is ir.Type.parse("i8", num.context).context
    assert num.width == 16
