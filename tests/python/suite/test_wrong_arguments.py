"""Errors about arguments: upstream's text, and behind it what was given, for what, and where."""

import contextlib
import functools
import gc
import importlib
import operator
import sys
import types

import pytest
from mondo_fixtures import ROOT


@pytest.fixture
def value(ir, here, i32, arith):
    return arith.ConstantOp(i32, 1).result


def said(error, call):
    with pytest.raises(error) as raised:
        call()
    return str(raised.value).split("\n")


@pytest.mark.since_llvm(22, "LLVM 19 generates code that asserts the kind of operands")
def test_an_operand_of_a_wrong_kind(arith, value):
    assert said(ValueError, lambda: arith.AddIOp(value, "x")) == [
        'Operand 1 of operation "arith.addi" must be a Value (is not a Value)',
        "the argument 'rhs' is 'x', of type str",
    ]
    assert said(ValueError, lambda: arith.AddIOp(value, None)) == [
        'Operand 1 of operation "arith.addi" must be a Value (contained a None item)',
        "the argument 'rhs' is None, of type NoneType",
    ]


def test_an_operand_among_several(func, value):
    lines = said(ValueError, lambda: func.ReturnOp([value, 3]))
    assert lines == [
        'Operand 1 of operation "func.return" must be a Value (is not a Value)',
        "it is 3, of type int",
    ]


@pytest.mark.since_llvm(22, "LLVM 19 generates code that asserts the kind of operands")
def test_a_long_object_is_not_shown(arith, value):
    lines = said(ValueError, lambda: arith.AddIOp(value, "x" * 1000))
    assert lines[1] == "the argument 'rhs' is an object of type str"


# Calls with a mistake: upstream's error, whose text begins like that, and what follows on it.
MISTAKES = [
    (
        "func.ReturnOp(value)",
        TypeError,
        "'OpResult' object is not iterable",
        "the argument 'operands_' of operation \"func.return\" is an object of type OpResult; it "
        "takes a sequence of values: write [value]",
    ),
    (
        "scf.yield_(value)",
        TypeError,
        "'OpResult' object is not iterable",
        "the argument 'results_' of operation \"scf.yield\" is an object of type OpResult; it "
        "takes a sequence of values: write [value]",
    ),
    (
        "memref.load(value, value)",
        TypeError,
        "'OpResult' object is not iterable",
        "the argument 'indices' of operation \"memref.load\" is an object of type OpResult; it "
        "takes a sequence of values: write [value]",
    ),
    (
        "func.ReturnOp(3)",
        TypeError,
        "'int' object is not iterable",
        "the argument 'operands_' of operation \"func.return\" is 3, of type int; it takes a "
        "sequence of values",
    ),
    (
        "math.absf('x')",
        AttributeError,
        "'str' object has no attribute 'type'",
        "the argument 'operand' of operation \"math.absf\" is 'x', of type str; it takes a Value",
    ),
    (
        "llvm.mlir_constant(3)",
        AttributeError,
        "'int' object has no attribute 'type'",
        "the argument 'value' of operation \"llvm.mlir.constant\" is 3, of type int; it takes a "
        "typed attribute, such as IntegerAttr.get(IntegerType.get_signless(32), 3)",
    ),
    (
        "arith.cmpf('oeq', value, value)",
        ValueError,
        "invalid literal for int() with base 10: 'oeq'",
        "the argument 'predicate' of operation \"arith.cmpf\" is 'oeq', of type str; it takes "
        "one of CmpFPredicate.AlwaysFalse, CmpFPredicate.OEQ, CmpFPredicate.OGT, ",
    ),
    (
        "gpu.thread_id('q')",
        "MLIRError",
        "Unable to parse attribute:",
        "the argument 'dimension' of operation \"gpu.thread_id\" is 'q', of type str; it takes "
        "one of Dimension.x, Dimension.y, Dimension.z",
    ),
    (
        "transform.structured.TileUsingForOp(value, sizes=3)",
        TypeError,
        "'int' object is not iterable",
        "a list of indices, sizes or offsets is 3, of type int; it takes integers and values: [8]",
    ),
    (
        "transform.structured.TileUsingForOp(value, sizes='x')",
        AssertionError,
        "an index, size or offset is 'x', of type str; it has to be an integer or a value",
        "",
    ),
    ("arith.constant(f32, None)", AssertionError, "a constant of f32 needs a value, not None", ""),
    (
        "op.operands[5]",
        IndexError,
        "index out of range",
        "there are 2 elements, with the indices 0 ",
    ),
    ("op.results[1]", IndexError, "index out of range", "the only element has the index 0"),
    ("op.regions[-1]", IndexError, "index out of range", "there is no element"),
    (
        "op.attributes[7]",
        IndexError,
        "attempt to access out of bounds attribute",
        "the only element ",
    ),
    (
        "ir.ArrayAttr.get([])[0]",
        IndexError,
        "ArrayAttribute index out of range",
        "there is no elem",
    ),
    ("block.operations[99]", IndexError, "attempt to access out of bounds operation", "there are "),
    (
        "block.region.blocks[1]",
        IndexError,
        "attempt to access out of bounds block",
        "the only elem",
    ),
]


@pytest.mark.beyond_core("five dialects")
@pytest.mark.since_llvm(22, "LLVM 19 generates constructors of another form")
@pytest.mark.parametrize(
    ("call", "error", "text", "more"), MISTAKES, ids=[it[0] for it in MISTAKES]
)
def test_frequent_mistakes(ir, here, value, dialect, call, error, text, more):
    names = ("arith", "func", "gpu", "llvm", "math", "memref", "scf", "transform")
    dialects = {name: dialect(name) for name in names}
    importlib.import_module(f"{ROOT}.dialects.transform.structured")
    op = dialects["arith"].AddIOp(value, value)
    scope = {
        "ir": ir,
        "value": value,
        "op": op,
        "block": here.body,
        "f32": ir.F32Type.get(),
    }
    error = ir.MLIRError if error == "MLIRError" else error
    first, *others = said(error, lambda: eval(call, dialects | scope))
    assert first.startswith(text)
    assert others[-1].startswith(more) if more else others == []


def test_a_missing_attribute(ir, ctx):
    op = ir.Operation.parse('"builtin.module"() ({^bb0:}) {x.a, x.b} : () -> ()')
    text = (
        "attempt to {} a non-existent attribute: operation \"builtin.module\" has no 'zz', "
        "but 'x.a', 'x.b'"
    )
    with pytest.raises(KeyError) as raised:
        op.attributes["zz"]
    assert raised.value.args == (text.format("access"),)
    with pytest.raises(KeyError) as raised:
        del op.attributes["zz"]
    assert raised.value.args == (text.format("delete"),)
    with pytest.raises(KeyError, match="the dictionary has no 'zz', no attribute at all"):
        ir.DictAttr.get({})["zz"]


def test_an_attribute_of_a_wrong_kind(ir, value):
    def create(attribute):
        ir.Operation.create("t.op", attributes={"a": attribute})

    invalid = {3: "Invalid attribute value", None: "Found an invalid (`None`?) attribute value"}
    for attribute, words in invalid.items():
        first, second = said(TypeError, lambda it=attribute: create(it))
        assert first == (
            f'{words} for the key "a" when attempting to create the operation "t.op" '
            "(std::bad_cast)"
        )
        assert repr(attribute) in second


def about(function, call):
    """The overloads, the types of the arguments and the reason in an error about arguments."""
    head, *lines = said(TypeError, call)
    assert head == (
        f"{function}(): incompatible function arguments. "
        "The following argument types are supported:"
    )
    at = lines.index("")
    overloads, (types, reason) = lines[:at], lines[at + 1 :]
    numbers = [f"    {number + 1}. {function}(" for number in range(len(overloads))]
    assert (
        overloads
        and [line[: len(it)] for it, line in zip(numbers, overloads, strict=True)] == numbers
    )
    assert types.startswith("Invoked with types: ")
    return overloads, types.removeprefix("Invoked with types: "), reason


def test_operands_and_results_of_a_new_operation(ir, value, i32):
    create = ir.Operation.create
    _, types, reason = about("create", lambda: create("t.op", operands=[value, 3]))
    assert types == "str, kwargs = { operands: list }"
    assert reason == 'operand 1 of operation "t.op" must be a Value, and is 3, of type int'
    _, types, reason = about("create", lambda: create("t.op", results=["x"]))
    assert reason.endswith("must be a Type, and is 'x', of type str")


def test_sequences(ir, ctx, i32):
    _, types, reason = about("get", lambda: ir.FunctionType.get([i32, "x"], []))
    assert types == "list, list"
    assert reason == "element 1 of the types must be a Type, and is 'x', of type str"
    _, _, reason = about("get", lambda: ir.FunctionType.get(3, []))
    assert reason.startswith("expected a sequence")


NATIVE = f"{ROOT}._mlir_libs._mlir.ir"


def test_arguments_of_native_functions(ir, ctx, i32):
    """Upstream's text, and then the name of the argument and the class that was wanted."""
    overloads, types, reason = about("get", lambda: ir.VectorType.get([2], 3))
    (overload,) = overloads
    assert f", element_type: {NATIVE}.Type, *, scalable: " in overload
    assert overload.endswith(f"loc: {NATIVE}.Location | None = None) -> {NATIVE}.VectorType")
    assert types == "list, int"
    assert reason.endswith("'int' object is not an instance of 'Type'")
    _, types, reason = about("get_signless", lambda: ir.IntegerType.get_signless())
    assert types == "" and reason.endswith("required positional argument: 'width'")
    wrong = lambda: ir.IntegerType.get_signless(width=8, no_such_argument=i32)  # noqa: E731
    _, types, reason = about("get_signless", wrong)
    assert types == f"kwargs = {{ width: int, no_such_argument: {NATIVE}.IntegerType }}"
    assert reason.endswith("keyword argument 'no_such_argument'")
    # An error about something else stays as it is.
    assert said(TypeError, lambda: hash(ir.Context.current.d["builtin"]) and len(i32)) == [
        "object of type 'IntegerType' has no len()"
    ]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes")
def test_the_argument_is_named(ir, ctx):
    _, _, reason = about("get", lambda: ir.VectorType.get([2], 3))
    assert reason.startswith("argument 'element_type': ")


def test_overloads(ir, ctx):
    overloads, types, _ = about("file", lambda: ir.Location.file(1, 2, 3))
    assert len(overloads) == 2 and "end_line: int" in overloads[1]
    assert types == "int, int, int"


def test_methods_constructors_and_items(ir, ctx, value):
    _, types, _ = about("replace_all_uses_with", lambda: value.replace_all_uses_with(3))
    assert types == f"{NATIVE}.OpResult, int"
    (overload,), types, _ = about("__init__", lambda: ir.IntegerType(3))
    assert overload == f"    1. __init__(self, cast_from_type: {NATIVE}.Type) -> None"
    assert types == f"{NATIVE}.IntegerType, int"
    attributes = value.owner.attributes
    _, types, _ = about("__setitem__", lambda: attributes.__setitem__("a", 3))
    assert types == f"{NATIVE}.OpAttributeMap, str, int"


def test_functions_of_modules(ir, ctx, dialect):
    (overload,), types, reason = about("register_value_caster", lambda: ir.register_value_caster(1))
    start = f"    1. register_value_caster(typeid: {NATIVE}.TypeID, *, replace: "
    assert overload.startswith(start)
    assert types == "int" and reason.endswith("'int' object is not an instance of 'TypeID'")
    rewrite = importlib.import_module(f"{ROOT}.rewrite")
    name = "apply_patterns_and_fold_greedily"
    overloads, types, reason = about(name, lambda: rewrite.apply_patterns_and_fold_greedily(3))
    assert len(overloads) == 2 and f"op: {NATIVE}._OperationBase, set: " in overloads[1]
    assert types == "int" and reason.endswith("a frozen pattern set")


@pytest.mark.beyond_core("the dialect linalg")
@pytest.mark.since_llvm(22, "LLVM 19's C API has no such question")
def test_functions_of_dialects(dialect):
    linalg = dialect("linalg")
    (overload,), types, _ = about("isa_contraction_op", lambda: linalg.isa_contraction_op(3))
    assert overload == f"    1. isa_contraction_op(op: {NATIVE}._OperationBase) -> bool"
    assert types == "int"


# Operators: the expression, the method, and what the error has of the overloads.
OPERATORS = [
    ("attributes[1.5]", "__getitem__", "OpAttributeMap, float", 2),
    ("1 in attributes", "__contains__", "OpAttributeMap, int", 1),
    ("operator.delitem(attributes, 1)", "__delitem__", "OpAttributeMap, int", 1),
    ("array['x']", "__getitem__", "ArrayAttr, str", 1),
    ("array + 3", "__add__", "ArrayAttr, int", 1),
    ("ir.DictAttr.get({})[3.5]", "__getitem__", "DictAttr, float", 2),
    ("3 in ir.DictAttr.get({})", "__contains__", "DictAttr, int", 1),
    ("dense['x']", "__getitem__", "DenseI32ArrayAttr, str", 1),
    ("dense + 3", "__add__", "DenseI32ArrayAttr, int", 1),
    ("symbols[3]", "__getitem__", "SymbolTable, int", 1),
    ("3 in symbols", "__contains__", "SymbolTable, int", 1),
    ("operator.delitem(symbols, 3)", "__delitem__", "SymbolTable, int", 1),
    ("module.body.operations['x']", "__getitem__", "OperationList, str", 2),
    ("module.operation.regions[0].blocks['x']", "__getitem__", "BlockList, str", 1),
    ("module.body.arguments + 3", "__add__", "BlockArgumentList, int", 1),
    ("module.context.dialects[3]", "__getitem__", "Dialects, int", 1),
    ("dim + 'x'", "__add__", "AffineDimExpr, str", 1),
    ("'x' + dim", "__radd__", "AffineDimExpr, str", 1),
    ("dim - 'x'", "__sub__", "AffineDimExpr, str", 1),
    ("'x' - dim", "__rsub__", "AffineDimExpr, str", 1),
    ("dim * 'x'", "__mul__", "AffineDimExpr, str", 1),
    ("dim % 'x'", "__mod__", "AffineDimExpr, str", 1),
    ("ir.AffineMap.get_identity(2).results + 3", "__add__", "AffineExprList, int", 1),
]


@pytest.mark.parametrize(("expression", "method", "types", "count"), OPERATORS)
def test_operators(ir, ctx, expression, method, types, count):
    with ir.Location.unknown():
        module = ir.Module.create()
        names = {
            "ir": ir,
            "operator": operator,
            "module": module,
            "attributes": module.operation.attributes,
            "symbols": ir.SymbolTable(module.operation),
            "array": ir.ArrayAttr.get([]),
            "dense": ir.DenseI32ArrayAttr.get([1, 2]),
            "dim": ir.AffineExpr.get_dim(0),
        }
        overloads, found, _ = about(method, lambda: eval(expression, names))
    assert found == f"{NATIVE}.{types}"
    assert len(overloads) == count and "..." not in overloads[0]


def test_setters(ir, ctx, value):
    """Upstream's functions for them have no name; the attribute is named behind its text."""
    context = said(TypeError, lambda: setattr(ctx, "allow_unregistered_dialects", "x"))
    head, overload, *_, types, reason, place = context
    assert head.startswith("(): incompatible function arguments. The following argument types")
    assert overload == "    1. (self, arg: bool, /) -> None"
    assert types.startswith("Invoked with types: ") and types.endswith("Context, str")
    assert reason == "'str' object is not an instance of 'bool'" or "argument" in reason
    assert place.startswith("it is for the attribute 'allow_unregistered_dialects' of ")
    _, overload, *_ = said(TypeError, lambda: setattr(value.owner, "location", 3))
    assert overload == f"    1. (self, arg: {NATIVE}.Location, /) -> None"
    config = importlib.import_module(f"{ROOT}.rewrite").GreedyRewriteConfig()
    for name, kind in (("max_iterations", "int"), ("enable_folding", "bool")):
        _, overload, *_ = said(TypeError, lambda name=name: setattr(config, name, "x"))
        assert overload == f"    1. (self, arg: {kind}, /) -> None"


def test_every_function_is_there(ir):
    """Each native function that can be called without an object has the text."""
    names = [name for name in sys.modules if name.startswith(f"{ROOT}._mlir_libs._mlir")]
    calls = {}
    for name in names:
        for owner in (sys.modules[name], *vars(sys.modules[name]).values()):
            # Python's integers bring functions of their own into an enumeration.
            if isinstance(owner, type) and issubclass(owner, int):
                continue
            for key in dir(owner) if isinstance(owner, (type, types.ModuleType)) else ():
                # The properties of classes have no value without a context.
                with contextlib.suppress(AttributeError, ValueError):
                    call = getattr(owner, key)
                    if isinstance(call, types.BuiltinFunctionType) and not key.startswith("__"):
                        calls[owner.__name__, key] = call
    assert len(calls) > 100
    without = []
    for (name, key), call in calls.items():
        try:
            call(no_such_argument=1)
        except TypeError as error:
            if "(): incompatible" not in str(error) or "\nInvoked with types: " not in str(error):
                without.append((name, key, str(error)))
        else:
            without.append((name, key))
    # Generated constructors call this one, and its errors are about their argument `loc`.
    private = f"{ROOT}._mlir_libs._mlir.ir", "_default_location_context"
    assert [it[:2] for it in without] == [private]


def test_every_method_without_parameters_has_our_words(ir, ctx, module, value):
    """Python would refuse an argument of these in its own words, before the method is called."""
    function = module.body.operations[0]
    objects = [
        *(ctx, module, function, function.operation, function.regions[0].blocks[0], value),
        *(value.owner.location, value.type, ir.UnitAttr.get(), ir.SymbolTable(module.operation)),
        *(ir.AffineMap.get_identity(2), ir.AffineExpr.get_dim(0), ir.AsmState(module.operation)),
        *(ir.InsertionPoint(function), ir.DialectRegistry()),
    ]
    seen = set()
    for it in objects:
        for cls in type(it).__mro__:
            for name, method in vars(cls).items():
                if getattr(method, "__text_signature__", None) != "($self)" or name in seen:
                    continue
                seen.add(name)
                call = getattr(it, name)
                overloads, *_ = about(name, functools.partial(call, 3))
                assert overloads
                about(name, functools.partial(call, no_such_argument=3))
    assert len(seen) > 15


def test_classes_have_their_short_names(ir, ctx, value):
    for it in (value.owner.operation, ir.AffineExpr.get_dim(0), ir.UnitAttr.get(), value.type):
        name = type(it).__name__
        assert "." not in name
        for owner, what in ((it, f"'{name}' object"), (type(it), f"type object '{name}'")):
            with pytest.raises(AttributeError, match=f"^{what} has no attribute 'no_such'"):
                _ = owner.no_such
        assert type(it).__module__.startswith(f"{ROOT}.")
        assert repr(type(it)) == f"<class '{type(it).__module__}.{name}'>"


def test_failed_casts_are_errors_of_both_kinds(ir, ctx, here, module):
    """Upstream raises RuntimeError, where Python's convention is TypeError."""
    block = module.body.operations[0].regions[0].blocks[0]
    for call in (
        lambda: ir.OpView(3),
        lambda: block.create_after(3),
        lambda: block.create_before(None),
        lambda: ir.DictAttr.get({"a": 3}),
    ):
        for error in (RuntimeError, TypeError):
            with pytest.raises(error, match="^std::bad_cast: "):
                call()


def test_errors_of_python_code_are_its_own(ir, ctx):
    """Only what the native function itself refuses has its overloads."""

    def types():
        raise TypeError("incompatible function arguments: mine")
        yield

    mine = ["incompatible function arguments: mine"]
    assert said(TypeError, lambda: ir.FunctionType.get(types(), [])) == mine


def test_attributes_of_operations(ir, dialect, value):
    """The operation and its argument are named where a generated constructor makes an attribute."""
    call = lambda: dialect("func").CallOp([], 3, [])  # noqa: E731
    *_, last = said(TypeError, call)
    assert last == "it is for 'callee' of operation \"func.call\""
    op = dialect("arith").AddIOp(value, value)
    *_, last = said(TypeError, lambda: setattr(op, "overflowFlags", 3))
    assert last == "it is for 'overflowFlags' of operation \"arith.addi\""


def test_what_is_missing_is_said_by_the_verifier(ir, value):
    lines = said(ir.MLIRError, lambda: ir.Operation.create("func.func", regions=1).verify())
    assert lines[0] == "Verification failed:"
    assert "'func.func' op requires attribute" in lines[1]


def test_an_error_keeps_nothing_of_its_callers(ir):
    """A running function keeps the dictionary of its ``f_locals``, up to Python 3.12."""
    gc.collect()
    context = ir.Context()
    live = context._get_live_count()
    with contextlib.suppress(TypeError):
        ir.Type.parse(1, context)
    del context
    gc.collect()
    other = ir.Context()
    assert other._get_live_count() == live


def test_an_error_of_a_context_keeps_none(ir):
    """The error and the frame of the constructor are no cycle, for a collection to free."""
    gc.collect()
    live = ir.Context._get_live_count()
    gc.disable()
    try:
        for wrong in ({"no_such_argument": 1}, {"thread_pool": 1}):
            with contextlib.suppress(TypeError):
                ir.Context(1, 2, 3, **wrong)
            with contextlib.suppress(TypeError):
                ir.Context(**wrong)
        assert ir.Context._get_live_count() == live
    finally:
        gc.enable()


def test_parse_errors_have_the_place(ir, ctx):
    lines = said(ir.MLIRError, lambda: ir.Module.parse("\nfunc.func @f( {"))
    assert lines[0] == "Unable to parse module assembly:" and '"-":2:14: ' in lines[1]
