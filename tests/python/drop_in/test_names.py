"""Names that modules of dialects have beside what they document."""

import importlib

import pytest


def star(root, module):
    """The names that ``from module import *`` gives."""
    names = {}
    exec(f"from {root}.{module} import *", names)
    return names


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("dialects.affine", "Iterable Optional Sequence Union"),
        ("dialects.arith", "Iterable List Union"),
        ("dialects.builtin", "Dict Iterable Optional"),
        ("dialects.func", "Iterable List Optional Sequence Union"),
        ("dialects.gpu", "ArrayAttr ConstantOp DictAttr List Optional T Tuple Union constant"),
        ("dialects.linalg", "Dict Iterable List Optional Set Tuple Union"),
        ("dialects.memref", "IndexType IntegerType Optional"),
        ("dialects.ml_program", "Iterable Union"),
        ("dialects.pdl", "Iterable NewType OperationTypeT Optional Union pdl"),
        ("dialects.scf", "Iterable List Optional Tuple Union constant"),
        ("dialects.tensor", "Iterable Optional Union"),
        ("dialects.transform", "AnyOpTypeT Dict Iterable NewType Optional Sequence Union"),
        ("dialects.transform.structured", "Iterable List Optional Union overload transform"),
        ("dialects.linalg.opdsl.lang", "Dict List Optional Sequence Set Tuple Union"),
    ],
)
def test_import_star(root, module, names):
    given = star(root, module)
    assert [name for name in names.split() if name not in given] == []


def test_annotations_of_star_names(root):
    given = star(root, "dialects.transform")
    assert given["Optional"][given["Union"][int, str]] == int | str | None


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("func", "FuncOp"),
        ("ml_program", "FuncOp"),
        ("irdl", "AttributeOp"),
        ("irdl", "DialectOp"),
        ("irdl", "OperationOp"),
        ("irdl", "TypeOp"),
        ("transform", "NamedSequenceOp"),
        ("transform", "SequenceOp"),
    ],
)
def test_the_generated_class_is_the_only_base(root, module, name):
    cls = getattr(importlib.import_module(f"{root}.dialects.{module}"), name)
    generated = getattr(importlib.import_module(f"{root}.dialects._{module}_ops_gen"), name)
    assert cls.__bases__ == (generated,)


def test_a_function_built_through_the_base(ir, module, body):
    func = module("dialects.func")
    kind = ir.TypeAttr.get(ir.FunctionType.get([], []))
    op = func.FuncOp.__base__("f", kind, sym_visibility="private")
    assert str(op).startswith("func.func private @f()")


def test_register_everything(ir, module):
    everything = module("_mlir_libs._mlirRegisterEverything")
    assert module("_mlir_libs")._mlirRegisterEverything is everything
    registry = ir.DialectRegistry()
    everything.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    everything.register_llvm_translations(context)
    assert context.dialects["func"] is not None


def test_site(ir, module):
    libs = module("_mlir_libs")
    assert libs._dialect_registry is libs.get_dialect_registry()
    assert libs.get_lib_dirs() == [libs._this_dir]
    assert callable(libs._site_initialize)


@pytest.mark.parametrize("name", ("bool", "i8", "i32", "si8", "ui64", "index", "f32", "bf16"))
def test_functions_of_types_have_names(module, ctx, name):
    function = getattr(module("extras.types"), name)
    assert isinstance(function.__name__, str)
    assert function() is not None


def test_shaped(ir, module, ctx):
    T = module("extras.types")
    f32 = T.f32()
    assert T._shaped(2, 3, f32, type_constructor=lambda *given: given) == ((2, 3), f32)
    assert T._shaped(2, element_type=f32, type_constructor=lambda *given: given) == ((2,), f32)
    assert T._shaped(f32, type_constructor=lambda *given: given) == (f32,)
    with pytest.raises(ValueError, match="shaped is an abstract base class"):
        T._shaped(2, f32)
