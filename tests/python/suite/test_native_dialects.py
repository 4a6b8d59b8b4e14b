"""The native parts of dialects that have little of it, and modules that register passes."""

import importlib

import pytest


@pytest.fixture
def f32(ctx, ir):
    return ir.F32Type.get()


def test_pdl(ctx, ir, dialect):
    pdl = dialect("pdl")
    value = pdl.ValueType.get()
    values = pdl.RangeType.get(value)
    assert str(values) == "!pdl.range<value>" and values.element_type is value
    assert ir.Type.parse("!pdl.range<value>") is values
    assert isinstance(pdl.PDLType(values), pdl.PDLType)
    assert pdl.OperationType.type_name == "pdl.operation"
    with pytest.raises(ValueError, match="expected element of pdl.range"):
        pdl.RangeType.get(values)
    with pytest.raises(ValueError, match="expected element of pdl.range"):
        pdl.RangeType.get(ir.F32Type.get())
    with pytest.raises(ValueError, match="Cannot cast type to PDLType"):
        pdl.PDLType(ir.F32Type.get())
    with pytest.raises(ir.MLIRError):
        ir.Type.parse("!pdl.range<range<value>>")
    alone = ir.Context(load_on_create_dialects=[])
    assert str(pdl.TypeType.get(alone)) == "!pdl.type"


@pytest.mark.beyond_standard("the export of SMT-LIB")
@pytest.mark.since_llvm(22, "LLVM 19 has no such dialect")
def test_smt(here, ir, dialect):
    smt = dialect("smt")
    assert smt.bool_t() is ir.Type.parse("!smt.bool")
    assert type(ir.Type.parse("!smt.bv<7>")) is smt.BitVectorType
    assert smt.bv_t(7) is smt.BitVectorType.get(7) and str(smt.IntType.get()) == "!smt.int"
    for width in (0, -1):
        with pytest.raises(ir.MLIRError):
            smt.bv_t(width)
    with pytest.raises(TypeError):
        smt.bv_t(2**31)

    @smt.solver(inputs=[], results=[])
    def question():
        smt.assert_(smt.constant(True))

    assert "(assert true)" in smt.export_smtlib(here)
    assert smt.export_smtlib(here.operation) == smt.export_smtlib(here)
    text = smt.export_smtlib(here, inline_single_use_values=True, indent_let_body=True)
    assert "(assert true)" in text
    with pytest.raises(TypeError, match="expected a Module or an operation"):
        smt.export_smtlib("smt.solver")


@pytest.mark.beyond_standard("the export of SMT-LIB")
@pytest.mark.since_llvm(22, "LLVM 19 has no such dialect")
def test_what_has_no_text_for_solvers(ctx, ir, dialect):
    smt = dialect("smt")
    solver = "smt.solver() : () -> () { %0 = arith.constant 1 : i32 }"
    module = ir.Module.parse(solver)
    with pytest.raises(ValueError, match="Failed to export smtlib") as raised:
        smt.export_smtlib(module)
    assert isinstance(raised.value.__cause__, ir.MLIRError)


DIALECT = """
irdl.dialect @shapes {
  irdl.type @square { %0 = irdl.is f32 irdl.parameters(side: %0) }
  irdl.operation @area { %0 = irdl.is f32 irdl.operands(side: %0) }
}
"""


def described(llvm):
    """The dialect in the syntax of this LLVM: parameters have no names in 19."""
    return DIALECT if llvm >= 22 else DIALECT.replace("side: %0", "%0")


def test_irdl(ctx, ir, dialect, llvm):
    irdl = dialect("irdl")
    irdl.load_dialects(ir.Module.parse(described(llvm)))
    assert str(ir.Type.parse("!shapes.square<f32>")) == "!shapes.square<f32>"
    with pytest.raises(ir.MLIRError, match="expected 'f32' but got 'f64'"):
        ir.Type.parse("!shapes.square<f64>")
    with pytest.raises(ir.MLIRError, match="expected 'f32' but got 'f64'"):
        ir.Module.parse('%side = arith.constant 1.0 : f64\n"shapes.area"(%side) : (f64) -> ()')


@pytest.mark.parametrize(
    "text",
    [
        "irdl.dialect @shapes {}",
        "irdl.dialect @arith {}",
        "module { irdl.dialect @twice {} } module { irdl.dialect @twice {} }",
    ],
)
def test_a_dialect_is_defined_once(ctx, ir, dialect, text, llvm):
    irdl = dialect("irdl")
    irdl.load_dialects(ir.Module.parse(described(llvm)))
    with pytest.raises(RuntimeError, match="is in the context already"):
        irdl.load_dialects(ir.Module.parse(text))


def test_irdl_built(here, ir, dialect, f32, llvm):
    irdl = dialect("irdl")
    shapes = irdl.dialect("shapes")
    with ir.InsertionPoint(shapes.body):
        operation = irdl.operation_("area")
        with ir.InsertionPoint(operation.body):
            side = irdl.is_(ir.TypeAttr.get(f32))
            names = [["a", "b"]] if llvm >= 22 else []
            irdl.operands_([side, side], *names, [irdl.Variadicity.single] * 2)
        for define in (irdl.type_, irdl.attribute):
            with ir.InsertionPoint(define(define.__name__).body):
                names = [["side"]] if llvm >= 22 else []
                irdl.parameters([irdl.is_(ir.TypeAttr.get(f32))], *names)
    assert isinstance(here.body.operations[0], irdl.DialectOp)
    irdl.load_dialects(here)
    assert ctx_knows(here.context, "shapes")


def ctx_knows(context, name):
    return context.dialects[name].descriptor.namespace == name


@pytest.mark.beyond_standard("a target of NVVM")
def test_gpu_types(ctx, ir, dialect, llvm):
    gpu = dialect("gpu")
    token = gpu.AsyncTokenType.get()
    assert token is ir.Type.parse("!gpu.async.token") and token is gpu.gpu_async_token()
    target = ir.Attribute.parse("#nvvm.target")
    made = gpu.ObjectAttr.get(target, gpu.CompilationTarget.Binary, b"a\0b")
    assert type(ir.Attribute.parse(str(made))) is gpu.ObjectAttr
    assert made.object == b"a\0b" and made.target == target and made.properties is None
    assert gpu.CompilationTarget(made.format) == gpu.CompilationTarget.Binary
    properties = ir.DictAttr.get({"O": ir.UnitAttr.get()})
    kernels = None
    if llvm >= 22:  # 19 keeps no table of an object's kernels.
        kernels = ir.Attribute.parse('#gpu.kernel_table<[#gpu.kernel_metadata<"k", () -> ()>]>')
    full = gpu.ObjectAttr.get(target, 4, b"", properties, kernels)
    assert full.properties == properties and full.kernels == kernels
    for wrong, why in (
        ({"target": ir.UnitAttr.get()}, "target attribute must implement or promise"),
        ({"format": 9}, "one of CompilationTarget, not 9"),
        ({"properties": target}, "properties must be a DictAttr"),
        ({"kernels": properties}, "kernels must be a #gpu.kernel_table"),
    ):
        given = {"target": target, "format": 1, "object": b"", **wrong}
        with pytest.raises((ValueError, ir.MLIRError), match=why):
            gpu.ObjectAttr.get(**given)


def test_gpu_operations(here, ir, dialect, func, f32, llvm):
    gpu = dialect("gpu")
    here.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
    kernels = gpu.GPUModuleOp("kernels")
    with ir.InsertionPoint(kernels.bodyRegion.blocks.append()):
        kernel = gpu.GPUFuncOp(
            ir.FunctionType.get([f32], []),
            "print",
            kernel=True,
            known_block_size=[8, 1, 1],
            body_builder=lambda _op: gpu.return_([]),
        )
        if llvm < 22:  # Newer ones have no terminator.
            gpu.ModuleEndOp()
    assert kernel.is_kernel and kernel.name.value == "print" and kernel.arguments == [f32]
    with pytest.raises(ValueError, match="sym_name must be"):
        gpu.GPUFuncOp(ir.FunctionType.get([], []))
    with pytest.raises(ValueError, match="known_grid_size must be"):
        gpu.GPUFuncOp(ir.FunctionType.get([], []), "g", known_grid_size=1)
    with pytest.raises(RuntimeError, match="Entry block already exists for print"):
        kernel.add_entry_block()

    @func.FuncOp.from_py_func(f32)
    def host(value):
        token = gpu.wait()
        done = gpu.launch_func(["kernels", "print"], (1, 1, 1), (8, 1, 1), [value], [token])
        gpu.wait([done])

        @gpu.launch((1, 1, 1), (1, 1, 1))
        def body(*arguments):
            assert len(arguments) == 12
            gpu.printf("%d", arguments[0])

        with pytest.raises(ValueError, match="grid_size must have three sizes, not 2"):
            gpu.launch((1, 1), (1, 1, 1))
        with pytest.raises(ValueError, match="Invalid value: one"):
            gpu.launch(("one", 1, 1), (1, 1, 1))

    assert here.operation.verify()
    assert "gpu.launch_func async" in str(here)


@pytest.mark.beyond_standard("a dialect of one vendor")
def test_nvgpu(ctx, ir, dialect, f32):
    nvgpu = dialect("nvgpu")
    kind = nvgpu.TensorMapDescriptorType
    memref = ir.MemRefType.get([8, 8], f32, loc=ir.Location.unknown())
    made = kind.get(memref, nvgpu.TensorMapSwizzleKind.SWIZZLE_64B, 0, 1, 0)
    assert "swizzle = swizzle_64b" in str(made) and ir.Type.parse(str(made)) is made
    with pytest.raises(ValueError, match="tensor_type must be a memref type, not f32"):
        kind.get(f32, 0, 0, 0, 0)
    for place, name in enumerate(["swizzle", "l2promo", "oob_fill", "interleave"]):
        numbers = [0, 0, 0, 0]
        numbers[place] = 4
        with pytest.raises(ValueError, match=f"{name} must be from 0 to"):
            kind.get(memref, *numbers)


@pytest.mark.beyond_standard("a dialect of one vendor")
@pytest.mark.since_llvm(22, "LLVM 19 has no types of this dialect")
def test_amdgpu(ctx, ir, dialect, f32, i32):
    amdgpu = dialect("amdgpu")
    base = amdgpu.TDMBaseType.get(f32)
    assert base is ir.Type.parse("!amdgpu.tdm_base<f32>")
    assert str(amdgpu.TDMDescriptorType.get(ctx)) == "!amdgpu.tdm_descriptor"
    gather = amdgpu.TDMGatherBaseType.get(f32, i32)
    assert gather is ir.Type.parse("!amdgpu.tdm_gather_base<f32, i32>")
    with pytest.raises(ir.MLIRError, match="index type must be i16 or i32"):
        amdgpu.TDMGatherBaseType.get(f32, f32)
    with pytest.raises(ir.MLIRError, match="element type must be"):
        amdgpu.TDMGatherBaseType.get(ir.IntegerType.get_signless(1), i32)
    with pytest.raises(ValueError, match="integer or floating point type, not index"):
        amdgpu.TDMGatherBaseType.get(ir.IndexType.get(), i32)


@pytest.mark.parametrize(
    ("module", "passes"),
    [
        ("async_dialect.passes", "async-to-async-runtime"),
        ("gpu.passes", "gpu-kernel-outlining"),
        ("sparse_tensor", "sparsification"),
    ],
)
def test_modules_that_register_passes(root, ctx, passmanager, module, passes):
    importlib.import_module(f"{root}.dialects.{module}")
    assert passes in str(passmanager.PassManager.parse(f"any({passes})"))


def test_native_modules_are_made_when_they_are_imported(root, python):
    script = """
import sys
root = sys.argv[1]
__import__(root + ".ir")
print([name for name in sys.modules if "_mlirDialects" in name])
__import__(root + ".dialects.quant")
print([name.rpartition(".")[2] for name in sys.modules if "_mlirDialects" in name])
"""
    assert python(script, root).stdout == "[]\n['_mlirDialectsQuant']\n"


def test_a_module_that_is_not_native(root):
    native = importlib.import_module(f"{root}._mlir_libs._mlir")
    with pytest.raises(ImportError, match="x.y is not a part of this bundle's extension"):
        native._fill_native_module("x.y")
