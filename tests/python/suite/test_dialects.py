"""The dialects' modules: generated classes, classes written by hand, and their shared parts."""

import importlib
import inspect
import linecache
import os
import sys
import typing

import pytest


def test_every_dialect_of_the_bundle_has_its_module(root, ir, dialect, llvm):
    """Each module registers its classes, and the wheel has no other dialect's."""
    folder = os.path.dirname(dialect("_ods_common").__file__)
    bundled = set(importlib.import_module(f"{root}._mlir_libs")._mlir._bundle_dialects)
    # Those of extensions are of the dialect that they extend.
    generated = {
        dialect(name.removesuffix(".py"))._Dialect.DIALECT_NAMESPACE
        for name in os.listdir(folder)
        if name.endswith("_ops_gen.py")
    }
    # Without operations, and so without a module; ptr has some since LLVM 22.
    assert generated == bundled - ({"dlti"} if llvm >= 22 else {"dlti", "ptr"})
    modules = {name.removesuffix(".py") for name in os.listdir(folder) if name[0] != "_"}
    # By which programs define dialects.
    modules.discard("ext")
    assert len(modules) == len(generated)
    served = set()
    for name in modules:
        module = dialect(name)
        assert issubclass(module._Dialect, ir.Dialect)
        served.add(module._Dialect.DIALECT_NAMESPACE)
    assert served == generated


def test_what_the_bundle_does_not_have_has_no_module(dialect):
    with pytest.raises(ModuleNotFoundError, match="no_such_dialect"):
        dialect("no_such_dialect")
    if os.environ.get("MONDO_BUNDLE") == "core":
        with pytest.raises(ModuleNotFoundError, match="scf"):
            dialect("scf")


def test_a_function_is_built_printed_and_verified(here, ir, func, arith, i32, text):
    def body(function):
        total = arith.AddIOp(function.arguments[0], arith.ConstantOp(i32, 42))
        assert total.lhs == function.arguments[0] and total.result.type == i32
        func.ReturnOp([total])

    function = func.FuncOp("plus", ([i32], [i32]), visibility="private", body_builder=body)
    assert function.name.value == "plus" and not function.is_external
    assert function.visibility == ir.StringAttr.get("private")
    assert text(here) == (
        "module {\n"
        "  func.func private @plus(%arg0: i32) -> i32 {\n"
        "    %c42_i32 = arith.constant 42 : i32\n"
        "    %0 = arith.addi %arg0, %c42_i32 : i32\n"
        "    return %0 : i32\n"
        "  }\n"
        "}\n"
    )


def test_parsed_operations_have_the_classes(module, func, arith):
    function, declared = module.body.operations
    assert type(function) is func.FuncOp and declared.is_external
    add, ret = function.entry_block.operations
    assert type(add) is arith.AddIOp and type(ret) is func.ReturnOp
    assert add.lhs == add.rhs == function.arguments[0]
    with pytest.raises(IndexError, match="External function does not have a body"):
        _ = declared.entry_block
    with pytest.raises(IndexError, match="already has an entry block"):
        function.add_entry_block()


def test_a_python_function_becomes_one_of_mlir(here, func, arith, i32, text):
    @func.FuncOp.from_py_func(i32, i32)
    def least(a, b):
        return arith.minsi(a, b)

    @func.func(i32, name="nothing", results=[])
    def other(a, func_op):
        assert func_op.name.value == "nothing"
        least(a, a)
        func.ReturnOp([])

    assert least.__name__ == "least" and least.func_op.type.results == [i32]
    assert "call @least(%arg0, %arg0) : (i32, i32) -> i32" in text(here)
    with pytest.raises(AssertionError, match="explicit `results=`"):
        func.FuncOp.from_py_func(i32, results=[i32])(lambda a: a)


def test_calls(here, ir, func, i32, text):
    callee = func.FuncOp("callee", ([], [i32]), visibility="private")
    with ir.InsertionPoint(func.FuncOp("caller", ([], [])).add_entry_block()):
        for call in (
            func.CallOp(callee, []),
            func.CallOp([i32], "callee", []),
            func.CallOp([i32], ir.FlatSymbolRefAttr.get("callee"), []),
        ):
            assert call.results[0].type == i32 and call.callee.value == "callee"
        func.ReturnOp([])
        with pytest.raises(ValueError, match="list of call arguments"):
            func.CallOp(callee, "callee")
        with pytest.raises(ValueError, match="unexpected third argument"):
            func.CallOp(callee, [], [])
        with pytest.raises(ValueError, match="a string or a FlatSymbolRefAttr"):
            func.CallOp([i32], [], [])
    assert text(here).count("call @callee") == 3


def test_argument_attributes(here, ir, func, i32, text):
    function = func.FuncOp("f", ([i32], []), visibility="private")
    empty = ir.DictAttr.get({})
    assert function.arg_attrs == ir.ArrayAttr.get([empty])
    function.arg_attrs = [ir.DictAttr.get({"test.a": ir.UnitAttr.get()})]
    assert "test.a" in function.arg_attrs[0] and "{test.a}" in text(here)


def test_constants(here, ir, arith, i32):
    assert arith.ConstantOp(i32, 7).literal_value == 7
    assert arith.ConstantOp(ir.F32Type.get(), 1.5).literal_value == 1.5
    index = arith.ConstantOp.create_index(3)
    assert index.type == ir.IndexType.get() and index.literal_value == 3
    attribute = ir.IntegerAttr.get(i32, 9)
    assert arith.ConstantOp(i32, attribute).value == attribute
    assert arith.ConstantOp(attribute, None).value == attribute
    assert arith.constant(i32, 5).type == i32
    vector = ir.VectorType.get([2], i32)
    splat = arith.ConstantOp(vector, ir.DenseElementsAttr.get_splat(vector, attribute))
    with pytest.raises(ValueError, match="only integer and float"):
        _ = splat.literal_value


def test_constants_of_arrays(here, ir, arith, i32):
    from array import array

    vector = ir.VectorType.get([3], i32)
    assert "dense<[1, 2, 3]>" in str(arith.ConstantOp(vector, array("i", [1, 2, 3])))
    with pytest.raises(ValueError, match=r"Mismatching array element \(64\) and type \(32\)"):
        arith.ConstantOp(vector, array("q", [1, 2, 3]))
    with pytest.raises(ValueError, match='Unsupported typecode: "I"'):
        arith.ConstantOp(vector, array("I", [1, 2, 3]))


def test_enums(here, ir, arith, i32):
    predicate = arith.CmpIPredicate.slt
    assert str(predicate) == "slt" and int(predicate) == 2
    assert arith.CmpIPredicate(2) is predicate
    one = arith.constant(i32, 1)
    compared = arith.CmpIOp(predicate, one, one)
    assert arith.CmpIPredicate(compared.predicate.value) is predicate
    assert "arith.cmpi slt" in str(compared)
    flags = arith.FastMathFlags.nnan | arith.FastMathFlags.ninf
    real = arith.constant(ir.F32Type.get(), 1.0)
    assert "fastmath<nnan,ninf>" in str(arith.AddFOp(real, real, fastmath=flags))


def test_a_module_by_class_and_by_decorator(here, ir, dialect, text):
    builtin = dialect("builtin")
    outer = builtin.ModuleOp()
    outer.sym_name = ir.StringAttr.get("outer")
    with ir.InsertionPoint(outer.body):

        @builtin.module(sym_name="inner", attrs={"test.a": ir.UnitAttr.get()})
        def inner():
            pass

    assert inner.name == "builtin.module"
    assert "module @inner attributes {test.a}" in text(here)


def test_regions_need_types(here, ir, dialect, root):
    meta = importlib.import_module(f"{root}.extras.meta")
    builtin = dialect("_builtin_ops_gen")
    with pytest.raises(ValueError, match="missing a type annotation"):

        @meta.region_op(builtin.ModuleOp)
        def wrong(a):
            pass


def test_short_names_of_types(here, ir, root):
    types = importlib.import_module(f"{root}.extras.types")
    dynamic = ir.ShapedType.get_dynamic_size()
    expected = {
        "i7": types.i(7),
        "si8": types.si8(),
        "ui64": types.ui64(),
        "i1": types.bool(),
        "index": types.index(),
        "bf16": types.bf16(),
        "f8E4M3FN": types.f8E4M3FN(),
        "complex<f16>": types.complex(types.f16()),
        "vector<2x[4]xf32>": types.vector(2, 4, types.f32(), scalable_dims=[1]),
        "tensor<?x3xf64>": types.tensor(dynamic, 3, element_type=types.f64()),
        "tensor<*xf32>": types.tensor(types.f32()),
        'tensor<3xf32, "e">': types.tensor(3, types.f32(), encoding="e"),
        "memref<3xf32, 2 : i64>": types.memref(3, types.f32(), memory_space=2),
        "memref<*xf32>": types.memref(element_type=types.f32()),
        "tuple<i8, i16>": types.tuple(types.i8(), types.i16()),
        "(i8) -> i16": types.function(inputs=[types.i8()], results=[types.i16()]),
    }
    for written, made in expected.items():
        assert made == ir.Type.parse(written), written
    for wrong in ((2, 3), ()):
        with pytest.raises(ValueError, match="XOR"):
            types.tensor(*wrong)
    with pytest.raises(ValueError, match="does not support encoding"):
        types.tensor(types.f32(), encoding="e")


def test_groups_of_operands(dialect, ir, ctx):
    common = dialect("_ods_common")
    sizes = ir.DenseI32ArrayAttr.get([2, 0, 3])
    groups = [common.segmented_accessor("abcde", sizes, group) for group in range(3)]
    assert groups == ["ab", "", "cde"]
    # Two simple groups and two variadic ones of three: the second variadic one, after one simple.
    assert common.equally_sized_accessor("x" * 8, 2, 2, 1, 1) == (4, 3)
    assert common.get_default_loc_context() is None
    assert common.get_default_loc_context(ir.Location.unknown(ctx)) is ctx


def test_mixed_sizes(here, ir, arith, dialect):
    common = dialect("_ods_common")
    value = arith.ConstantOp.create_index(4)
    dynamic = ir.ShapedType.get_dynamic_size()
    three = ir.IntegerAttr.get(ir.IndexType.get(), 3)
    found = common._dispatch_dynamic_index_list([2, value, [three]])
    assert found == ([value], [2, dynamic, 3], [False, False, True])
    values, packed, static = common._dispatch_mixed_values([value, 5])
    assert (values, packed, list(static)) == ([value], None, [dynamic, 5])
    assert common._dispatch_mixed_values(value) == ([], value, None)
    nested = common._get_int_array_array_attr([[1, three], ir.ArrayAttr.get([three])])
    assert str(nested) == "[[1, 3], [3]]"


def test_tracebacks_name_the_lines_that_upstreams_test_names(arith):
    """Upstream's ir/auto_location.py has these numbers; see the comment in the module."""
    for owner, line, column, call in (
        (arith.ConstantOp.__init__, 45, 12, "super().__init__(IntegerAttr"),
        (arith.constant, 90, 40, "ConstantOp(result, value"),
    ):
        assert linecache.getline(inspect.getsourcefile(owner), line)[column:].startswith(call)


def test_the_modules_work_without_being_imported_first(python, root):
    out = python(
        f"from {root} import ir\n"
        "with ir.Context():\n"
        "    m = ir.Module.parse('func.func private @f()')\n"
        "    print(type(m.body.operations[0]).__name__)"
    )
    assert out.stdout == "FuncOp\n"
    assert f"{root}.dialects" not in sys.modules or sys.modules[f"{root}.dialects"].__path__


@pytest.mark.since_llvm(22, "LLVM 19 generates other annotations")
def test_annotations_of_generated_functions_evaluate(arith, ir):
    """Upstream's python_test.py asks for them; the stub that they name is not there at run time."""
    hints = typing.get_type_hints(arith.addi)
    assert hints["return"] is inspect.signature(arith.addi).return_annotation is ir.OpResult
    assert typing.get_type_hints(arith.AddIOp.__init__)["lhs"].__name__ == "Operand"
    shown = str(inspect.signature(arith.addi))
    assert shown.startswith("(lhs: Operand, rhs: Operand, *, overflow_flags: Case | None = None, ")


def test_static_methods_have_a_module(ir):
    assert ir.IntegerType.get_signless.__module__ == ir.Location.__module__
