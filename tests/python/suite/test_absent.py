"""The use of excluded contents is an error that says which key of the manifest adds them; a name
that no bundle has is upstream's error."""

import importlib
import os

import pytest

IS_CORE = os.environ.get("MONDO_BUNDLE") == "core"
IS_STANDARD = os.environ.get("MONDO_BUNDLE") == "standard"
in_core = pytest.mark.parametrize("bundle", ["core"] * IS_CORE)
in_standard = pytest.mark.parametrize("bundle", ["standard"] * IS_STANDARD)
in_default = pytest.mark.parametrize("bundle", ["default"] * (not IS_CORE))

ADD_LINALG = 'add "linalg" to `dialects` under `[contents]` of its manifest'


@in_core
def test_dialect(bundle, ir):
    context = ir.Context()
    for get, kind in (
        (lambda: context.dialects["linalg"], IndexError),
        (lambda: context.d.linalg, AttributeError),
        (lambda: context.get_dialect_descriptor("linalg"), ValueError),
    ):
        with pytest.raises(kind) as caught:
            get()
        assert str(caught.value).startswith(
            "Dialect 'linalg' not found; this bundle was made without"
        )
        assert str(caught.value).endswith(ADD_LINALG)


@in_core
def test_dialects_in_python_need_irdl(bundle, dialect):
    with pytest.raises(ModuleNotFoundError) as caught:
        dialect("ext")
    assert str(caught.value).endswith(
        "this bundle was made without it: "
        'add "irdl" to `dialects` under `[contents]` of its manifest'
    )


def test_unknown_dialect(ir):
    """Nothing is added for what no key adds."""
    with pytest.raises(IndexError, match=r"^Dialect 'frob' not found$"):
        ir.Context().dialects["frob"]


@in_core
def test_operation_of_a_dialect(bundle, ir):
    with ir.Context(), pytest.raises(ir.MLIRError) as caught:
        ir.Module.parse("linalg.frob")
    assert str(caught.value).endswith(
        f"this bundle was made without the dialect linalg: {ADD_LINALG}"
    )


@in_core
@pytest.mark.parametrize(
    "text", ['"linalg.frob"() : () -> ()', b'\n  "linalg.frob"() : () -> ()\n']
)
def test_operation_in_generic_form(bundle, ir, text):
    """MLIR's message does not name it; the parser's source does."""
    for parse in (ir.Module.parse, ir.Operation.parse):
        with ir.Context(), pytest.raises(ir.MLIRError) as caught:
            parse(text)
        assert str(caught.value).endswith(
            f"this bundle was made without the dialect linalg: {ADD_LINALG}"
        )
    with ir.Context(), pytest.raises(ir.MLIRError) as caught:
        ir.Module.parse('"frob.frob"() : () -> ()')
    assert "manifest" not in str(caught.value)


@in_core
@pytest.mark.parametrize("kind", ["Attribute", "Type"])
def test_attribute_or_type_of_a_dialect(bundle, ir, kind):
    sign = "#" if kind == "Attribute" else "!"
    with ir.Context(), pytest.raises(ir.MLIRError, match='add "linalg" to `dialects`'):
        getattr(ir, kind).parse(f"{sign}linalg.frob<1>")
    with ir.Context(), pytest.raises(ir.MLIRError) as caught:
        getattr(ir, kind).parse(f"{sign}frob.frob<1>")
    assert "manifest" not in str(caught.value)


@in_core
@pytest.mark.parametrize("form", ["import {}.dialects.linalg", "from {}.dialects import linalg"])
def test_module_of_a_dialect(bundle, root, form):
    with pytest.raises(ModuleNotFoundError, match="no module named 'linalg'") as caught:
        exec(form.format(root))
    assert ADD_LINALG in str(caught.value)


@in_default
def test_module_that_others_bring(bundle, root, monkeypatch):
    """Of a dialect that the bundle has, over dialects that it has not."""
    absent = importlib.import_module(f"{root}._mlir_libs._absent")
    monkeypatch.setitem(absent.MODULES, "transform.beyond", ("nvvm", "rocdl"))
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(f"{root}.dialects.transform.beyond")
    assert str(caught.value) == (
        "no module named 'transform.beyond'; this bundle was made without it: "
        'add "nvvm" and "rocdl" to `dialects` under `[contents]` of its manifest'
    )
    with pytest.raises(ImportError, match='add "nvvm" and "rocdl" to `dialects`'):
        exec(f"from {root}.dialects.transform import beyond")
    with pytest.raises(ModuleNotFoundError, match="^No module named"):
        importlib.import_module(f"{root}.dialects.transform.frob")


def test_unknown_module(root):
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(f"{root}.dialects.frob")
    assert str(caught.value) == f"No module named '{root}.dialects.frob'"
    with pytest.raises(ImportError, match="cannot import name 'frob'"):
        exec(f"from {root}.dialects import frob")


@in_core
def test_pass(bundle, ir, root):
    passes = importlib.import_module(f"{root}.passmanager")
    with ir.Context(), pytest.raises(ValueError, match="does not refer to a registered") as caught:
        passes.PassManager.parse("builtin.module(convert-linalg-to-loops)")
    said = str(caught.value)
    assert "linalg" in said.split("made without the passes of ")[1]
    assert "`passes` under `[contents]` of its manifest" in said


@in_default
@pytest.mark.beyond_standard("without all passes, nobody knows whose one is")
def test_unknown_pass(bundle, ir, root):
    passes = importlib.import_module(f"{root}.passmanager")
    with ir.Context(), pytest.raises(ValueError) as caught:
        passes.PassManager.parse("builtin.module(frob)")
    assert "manifest" not in str(caught.value)


@in_default
@pytest.mark.beyond_standard("without the dialects that name a target")
@pytest.mark.parametrize(
    ("attribute", "target"),
    [('#nvvm.target<chip = "sm_70">', "NVPTX"), ("#rocdl.target", "AMDGPU")],
)
def test_code_generator(bundle, ir, root, attribute, target):
    passes = importlib.import_module(f"{root}.passmanager")
    with ir.Context():
        module = ir.Module.parse(
            f"""module attributes {{gpu.container_module}} {{
              gpu.module @kernels [{attribute}] {{
                llvm.func @f() attributes {{gpu.kernel}} {{ llvm.return }}
              }}
            }}"""
        )
        pipeline = passes.PassManager.parse("builtin.module(gpu-module-to-binary{format=isa})")
        with pytest.raises(ir.MLIRError) as caught:
            pipeline.run(module.operation)
    assert str(caught.value).splitlines()[-1] == (
        f"this bundle was made without LLVM's code generator {target}: "
        f'add "{target}" to `targets` under `[llvm]` of its manifest'
    )


@in_standard
def test_what_is_tied_to_hardware(bundle, ir, root):
    with pytest.raises(ImportError, match='add "nvgpu" to `dialects`'):
        exec(f"from {root}.dialects.transform import nvgpu")
    # Not `nvvm`: the dialect `nvgpu` of LLVM 23 brings it, and `transform` brings `nvgpu`.
    with ir.Context(), pytest.raises(ir.MLIRError, match='add "rocdl" to `dialects`'):
        ir.Attribute.parse("#rocdl.target")
    passes = importlib.import_module(f"{root}.passmanager")
    with ir.Context(), pytest.raises(ValueError, match="made without the passes of .*spirv"):
        passes.PassManager.parse("builtin.module(spirv-lower-abi-attrs)")


@in_standard
def test_translation(bundle, root):
    llvm = importlib.import_module(f"{root}.dialects.llvm")
    with pytest.raises(AttributeError, match='add "llvm-ir" to `translations`'):
        _ = llvm.translate_module_to_llvmir


@in_core
def test_execution_engine(bundle, root):
    with pytest.raises(ImportError, match="`execution-engine = true` under `.contents.`"):
        importlib.import_module(f"{root}.execution_engine")
