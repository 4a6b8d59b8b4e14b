"""Tests of the registrations of the whole process, and of locations of Python code."""

import importlib
import sys
import types

import pytest


@pytest.fixture(scope="session")
def native(root):
    return importlib.import_module(f"{root}._mlir_libs._mlir")


@pytest.fixture
def package(native):
    """A package of dialect modules, found as long as the test runs."""
    package = types.ModuleType("mondo_test_dialects")
    package.__path__ = []
    sys.modules[package.__name__] = package
    before = native.globals.dialect_search_modules
    native.globals.append_dialect_search_prefix(package.__name__)
    yield package.__name__
    native.globals.dialect_search_modules = before
    for name in [name for name in sys.modules if name.startswith(package.__name__)]:
        del sys.modules[name]


def test_search_modules(root, native, package):
    assert native.globals.dialect_search_modules == [f"{root}.dialects", package]


def test_module_of_a_dialect(native, package):
    check = native.globals._check_dialect_module_loaded
    assert not check("mondo_nothing")
    sys.modules[f"{package}.mondo_something"] = types.ModuleType("something")
    assert check("mondo_something")


def test_dialect_class(ir, native, ctx):
    cls = type(ctx.dialects["func"])
    assert cls is not ir.Dialect
    assert issubclass(cls, ir.Dialect)
    assert cls.DIALECT_NAMESPACE == "func"
    assert type(ctx.d.func) is cls
    with pytest.raises(RuntimeError, match="already registered"):
        native.register_dialect(cls)


def test_registering_a_dialect_class(ir, native):
    @native.register_dialect
    class Mine(ir.Dialect):
        DIALECT_NAMESPACE = "mondo_mine"

    assert Mine.__name__ == "Mine"
    with pytest.raises(RuntimeError, match="already registered"):
        native.globals._register_dialect_impl("mondo_mine", Mine)


def test_dialects(ir, ctx):
    assert isinstance(ctx.dialects["func"], ir.Dialect)
    assert ctx.dialects.func.descriptor.namespace == "func"
    with pytest.raises(IndexError, match="Dialect 'nope' not found"):
        ctx.dialects["nope"]
    with pytest.raises(AttributeError, match="Dialect 'nope' not found"):
        _ = ctx.dialects.nope


def test_operation_class(ir, native, ctx):
    class Dialect(ir.Dialect):
        DIALECT_NAMESPACE = "mondo_ops"

    @native.register_operation(Dialect)
    class Thing(ir.OpView):
        OPERATION_NAME = "mondo_ops.thing"

    assert Dialect.Thing is Thing
    ctx.allow_unregistered_dialects = True
    op = ir.Operation.create("mondo_ops.thing", loc=ir.Location.unknown())
    assert type(op.opview) is Thing
    with pytest.raises(RuntimeError, match="already registered"):
        native.register_operation(Dialect)(Thing)
    native.register_operation(Dialect, replace=True)(Thing)


def test_attribute_builders(ir):
    with pytest.raises(KeyError):
        ir.AttrBuilder.get("MondoAttr")

    @ir.register_attribute_builder("MondoAttr")
    def build(value, context):
        return value

    assert ir.AttrBuilder.contains("MondoAttr")
    assert ir.AttrBuilder.get("MondoAttr") is build
    with pytest.raises(RuntimeError, match="already registered"):
        ir.register_attribute_builder("MondoAttr")(build)
    ir.register_attribute_builder("MondoAttr", replace=True)(print)
    assert ir.AttrBuilder.get("MondoAttr") is print


def test_default_builders(ir, ctx):
    def built(kind, value):
        return str(ir.AttrBuilder.get(kind)(value, ctx))

    assert built("I32Attr", 7) == "7 : i32"
    assert built("UI8Attr", 7) == "7 : ui8"
    assert built("SI64Attr", -7) == "-7 : si64"
    assert built("IndexAttr", 7) == "7 : index"
    assert built("BoolAttr", True) == "true"
    assert built("StrAttr", "x") == '"x"'
    assert built("I64ArrayAttr", [1, 2]) == "[1, 2]"
    assert built("IndexListArrayAttr", [[1], [2, 3]]) == "[[1], [2, 3]]"
    assert built("DenseI32ArrayAttr", [1, 2]) == "array<i32: 1, 2>"
    assert built("SymbolRefAttr", ["a", "b"]) == "@a::@b"
    assert built("FlatSymbolRefAttr", "a") == "@a"
    assert ir.AttrBuilder.get("UnitAttr")(False, ctx) is None
    assert built("UnitAttr", True) == "unit"


def make(ir):
    return ir.Operation.create("mondo.op")


def test_locations_of_python_code(ir, native, ctx):
    ctx.allow_unregistered_dialects = True
    with ir.loc_tracebacks(max_depth=2):
        location = make(ir).location
        assert (
            ir.Operation.create("mondo.op", loc=ir.Location.name("mine")).location.name_str
            == "mine"
        )
    assert location.is_a_callsite()
    for part, name in (
        (location.callee, "make"),
        (location.caller, "test_locations_of_python_code"),
    ):
        assert part.name_str == name
        assert part.child_loc.filename == __file__
    assert location.callee.child_loc.start_line == make.__code__.co_firstlineno + 1
    with pytest.raises(RuntimeError, match="requires a Location"):
        make(ir)
    assert native.globals.loc_tracebacks_frame_limit() == 10


def test_locations_leave_files_out(ir, native, ctx):
    ctx.allow_unregistered_dialects = True
    native.globals.register_traceback_file_exclusion(__file__)
    try:
        with ir.loc_tracebacks(max_depth=1):
            assert make(ir).location.child_loc.filename != __file__
    finally:
        native.globals.register_traceback_file_inclusion(__file__)
    with ir.loc_tracebacks(max_depth=1):
        assert make(ir).location.child_loc.filename == __file__


def test_frame_limit(native):
    native.globals.set_loc_tracebacks_frame_limit(None)
    try:
        assert native.globals.loc_tracebacks_frame_limit() == 512
        native.globals.set_loc_tracebacks_frame_limit(100_000)
        assert native.globals.loc_tracebacks_frame_limit() == 512
    finally:
        native.globals.set_loc_tracebacks_frame_limit(10)


def test_debug_flag(ir):
    assert ir._GlobalDebug.flag is False
    ir._GlobalDebug.flag = True
    try:
        assert ir._GlobalDebug.flag is True
        ir._GlobalDebug.set_types("mondo")
        ir._GlobalDebug.set_types(["mondo", "more"])
    finally:
        ir._GlobalDebug.flag = False


def test_registry_capsule(ir, native):
    registry = ir.DialectRegistry()
    native._register_bundle_dialects(registry)
    again = ir.DialectRegistry._CAPICreate(registry._CAPIPtr)
    del registry
    context = ir.Context()
    context.append_dialect_registry(again)


def test_location_capsule_and_attribute(ir, ctx):
    location = ir.Location.file("f", 1, 2)
    assert ir.Location._CAPICreate(location._CAPIPtr) == location
    assert ir.Location.from_attr(location.attr) == location
    with pytest.raises(ValueError, match="is not a location"):
        ir.Location.from_attr(ir.Attribute.parse("1 : i32"))


def test_current_is_per_context(ir):
    one, other = ir.Context(), ir.Context()
    with one, ir.Location.name("l"):
        with one:
            assert ir.Location.current.name_str == "l"
        with other:
            assert ir.Location.current is None
            assert ir.Context.current is other
        assert ir.Location.current.name_str == "l"
    with pytest.raises(ValueError, match="No current InsertionPoint"):
        _ = ir.InsertionPoint.current


def test_thread_pool(ir):
    pool = ir.ThreadPool()
    assert pool.get_max_concurrency() > 0
    context = ir.Context(thread_pool=pool)
    assert context._mlir_thread_pool_ptr() == pool._mlir_thread_pool_ptr()
    assert context.get_num_threads() == pool.get_max_concurrency()
    context.enable_multithreading(False)
    assert context.get_num_threads() == 1
    context.enable_multithreading(True)
    assert context._mlir_thread_pool_ptr() == pool._mlir_thread_pool_ptr()


def test_contexts_share_threads(ir):
    one, other = ir.Context(), ir.Context()
    assert one._mlir_thread_pool_ptr() == other._mlir_thread_pool_ptr()


@pytest.fixture
def complex_caster(ir, native):
    """Registers casters for complex types, and the package's own again."""

    def register(caster):
        native.register_type_caster(ir.ComplexType.static_typeid, replace=True)(caster)

    yield register
    register(ir.ComplexType)


def test_a_replaced_caster_is_asked_about_known_types(ir, ctx, complex_caster):
    class Mine(ir.ComplexType):
        pass

    parse = ir.Type.parse
    held, other = parse("complex<f32>"), parse("f32")
    held.note = "kept"
    parse("complex<f64>").note = "nobody has it"
    assert parse("complex<f32>") is held
    complex_caster(Mine)
    new = parse("complex<f32>")
    assert type(new) is Mine and new is not held and parse("complex<f32>") is new
    assert type(parse("complex<f64>")) is Mine and not hasattr(parse("complex<f64>"), "note")
    # The old one is another object for the same type.
    assert held == new and hash(held) == hash(new)
    assert (type(held), held.note, str(held)) == (ir.ComplexType, "kept", "complex<f32>")
    assert held.element_type is other is parse("f32")
    assert ir.TupleType.get_tuple([held]).get_type(0) is new
    complex_caster(ir.ComplexType)
    assert type(parse("complex<f32>")) is ir.ComplexType


def test_a_replaced_caster_counts_in_every_context(ir, complex_caster):
    class Mine(ir.ComplexType):
        pass

    contexts = [ir.Context(), ir.Context()]
    held = [ir.Type.parse("complex<f32>", context) for context in contexts]
    complex_caster(Mine)
    for context, old in zip(contexts, held, strict=True):
        new = ir.Type.parse("complex<f32>", context)
        assert type(new) is Mine and new == old and new.context is context
    del held, old, new, contexts, context


def test_inferred_types_are_plain(ir, ctx, dialect):
    """As upstream's: objects of `Type`, whatever their kind."""
    with ir.Location.unknown():
        i32 = ir.IntegerType.get_signless(32)
        value = dialect("arith").ConstantOp(i32, 1).result
        (inferred,) = ir.InferTypeOpInterface(value.owner).inferReturnTypes(
            attributes=ir.DictAttr.get({"value": ir.IntegerAttr.get(i32, 1)})
        )
    assert type(inferred) is ir.Type and inferred == i32 and repr(inferred) == "Type(i32)"
