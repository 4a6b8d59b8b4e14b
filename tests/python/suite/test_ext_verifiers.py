"""Traits of operations that are defined in Python, and what their verifiers must not do."""

import contextlib
import gc
import weakref

import pytest

pytestmark = pytest.mark.since_llvm(22, "IRDL names operands since LLVM 22")


@pytest.fixture(scope="session")
def ext(dialect):
    return dialect("ext")


@pytest.fixture
def op_with(ir, ext, here):
    """Loads a dialect with one operation, whose verifier is a function. Returns its class."""

    def op_with(verify=None, regions=None, **options):
        class Checked(ext.Dialect, name="checked"):
            pass

        members = {"__annotations__": {}}
        if verify:
            members["verify_invariants"] = verify
        if regions:
            members["verify_region_invariants"] = regions
            members["__annotations__"] = {"body": ext.Region}
        made = type("Op", (Checked.Operation,), members, name="op", **options)
        Checked.load(reload=True)
        return made

    return op_with


@pytest.fixture
def run_a_pass(passmanager):
    """Runs a pass that may have changed a module, so that it is verified."""

    def run_a_pass(module):
        manager = passmanager.PassManager("any")
        manager.add(lambda op, external: None)
        manager.run(module.operation)

    return run_a_pass


def test_known_traits(ir, ext, here, ctx):
    class Flow(ext.Dialect, name="flow"):
        pass

    class End(Flow.Operation, name="end", traits=[ir.IsTerminatorTrait]):
        pass

    class Free(Flow.Operation, name="free", traits=[ir.NoTerminatorTrait]):
        body: ext.Region

    class Bound(Flow.Operation, name="bound"):
        body: ext.Region

    Flow.load(reload=True)
    assert End.has_trait(ir.IsTerminatorTrait) and not End.has_trait(ir.NoTerminatorTrait)
    free, bound = Free(), Bound()
    assert free.operation.has_trait(ir.NoTerminatorTrait)
    assert not here.operation.has_trait(ir.IsTerminatorTrait)
    assert not ir.IsTerminatorTrait.attach(End)
    free.body.blocks.append()
    bound.body.blocks.append()
    with ir.InsertionPoint(free.body.blocks[0]):
        Free().body.blocks.append()
    with ir.InsertionPoint(bound.body.blocks[0]):
        end = End()
    assert here.operation.verify()
    with ir.InsertionPoint(end):
        End()
    with pytest.raises(ir.MLIRError, match="must be the last operation"):
        here.operation.verify()


def test_a_block_without_terminator(ir, ext, here, op_with):
    op = op_with(regions=lambda self: True)()
    op.body.blocks.append()
    with pytest.raises(ir.MLIRError, match="expect at least a terminator"):
        op.operation.verify()


def test_a_trait_checks_operations(ir, ext, here, op_with):
    class Named(ir.DynamicOpTrait):
        @staticmethod
        def verify_invariants(op):
            if "name" not in op.attributes:
                op.location.emit_error(f"{op.name} has no name")
                return False
            return True

    class Never(ir.DynamicOpTrait):
        @staticmethod
        def verify_invariants(op):
            return False

    op = op_with(traits=[Named])()
    assert op.has_trait(Named) and type(op).has_trait(Named)
    assert not op.has_trait(Never)
    with pytest.raises(ir.MLIRError, match="checked.op has no name"):
        op.operation.verify()
    op.attributes["name"] = ir.UnitAttr.get()
    assert here.operation.verify()
    # Upstream's derived traits would share the first one's key.
    assert not Named.attach(type(op)) and Never.attach("checked.op")
    with pytest.raises(ir.MLIRError):
        here.operation.verify()


def test_regions_are_verified_before_their_operation(ir, here, op_with):
    order = []

    def after(self):
        order.append("after")
        return True

    def before(self):
        order.append("before")
        return True

    op = op_with(before, after)()
    assert op.operation.verify() and order == ["before", "after"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_a_verifier_raises_is_raised(ir, here, op_with, error, run_a_pass):
    def verify(self):
        raise error("never valid")

    op = op_with(verify)()
    with pytest.raises(error, match="never valid"):
        op.operation.verify()
    with pytest.raises(error, match="never valid"):
        run_a_pass(here)
    with pytest.raises(error, match="never valid"):
        ir.Module.parse('"checked.op"() : () -> ()')


@pytest.mark.parametrize("given", [None, 1, "yes"])
def test_a_verifier_returns_a_truth_value(ir, op_with, given):
    op = op_with(lambda self: given)()
    with pytest.raises(TypeError, match="returns True or False"):
        op.operation.verify()


def test_a_verifier_changes_nothing(ir, ext, here, op_with, passmanager, run_a_pass):
    wanted = []

    def verify(self):
        deeds = [
            self.operation.erase,
            self.detach_from_parent,
            lambda: self.attributes.__setitem__("x", ir.UnitAttr.get()),
            self.operation.verify,
            here.operation.verify,
            lambda: str(self),
            lambda: passmanager.PassManager.parse("any()").run(here.operation),
            lambda: Late.attach("checked.op"),
            lambda: ir.IsTerminatorTrait.attach("checked.op"),
            lambda: ext.Pure.attach("checked.op"),
            lambda: ir.Operation.create("checked.op", ip=ir.InsertionPoint(here.body)),
            lambda: ir.Context.current.attach_diagnostic_handler(print),
        ]
        for deed in deeds:
            with pytest.raises(RuntimeError):
                deed()
        assert self.operation.get_asm(print_generic_op_form=True)
        wanted.append(self)
        return True

    class Late(ir.DynamicOpTrait):
        @staticmethod
        def verify_invariants(op):
            return True

    op = op_with(verify)()
    assert here.operation.verify()
    assert wanted[0] == op and len(list(here.body)) == 1
    run_a_pass(here)
    assert len(wanted) > 1


def test_what_a_verifier_keeps_of_a_text(ir, here, op_with):
    kept = []

    def verify(self):
        kept.extend([self, self.parent])
        return "bad" not in self.attributes

    op_with(verify)
    module = ir.Module.parse('"checked.op"() : () -> ()')
    # MLIR's parser puts all into a module of its own first.
    with pytest.raises(ir.InvalidatedError):
        str(kept[1])
    kept.clear()
    module = ir.Module.parse('module { "checked.op"() : () -> () }')
    assert str(kept[0]) == '"checked.op"() : () -> ()'
    assert kept[1] == module.operation
    kept[0].attributes["x"] = ir.UnitAttr.get()
    assert '"checked.op"() {x}' in str(module)
    kept.clear()
    with pytest.raises(ir.MLIRError):
        ir.Module.parse('"checked.op"() {bad} : () -> ()')
    for op in kept:
        with pytest.raises(ir.InvalidatedError):
            str(op)
    del module
    gc.collect()


def test_the_kept_operation_outlives_its_module(ir, here, op_with):
    kept = []

    def verify(self):
        kept.append(self)
        return True

    op_with(verify)
    module = ir.Module.parse('"checked.op"() : () -> ()')
    del module
    gc.collect()
    with contextlib.suppress(ir.InvalidatedError):
        assert str(kept[0]) == '"checked.op"() : () -> ()'


def test_the_context_has_no_threads(ir, ctx, here, op_with, passmanager):
    op_with(lambda self: True)
    with pytest.raises(RuntimeError, match="verifier written in Python"):
        ctx.enable_multithreading(True)
    with pytest.raises(RuntimeError, match="verifier written in Python"):
        ctx.set_thread_pool(ir.ThreadPool())
    functions = "\n".join(
        f'func.func @f{i}() {{ "checked.op"() : () -> ()\n return }}' for i in range(50)
    )
    module = ir.Module.parse(functions)
    passmanager.PassManager.parse("builtin.module(func.func(cse))").run(module.operation)
    assert module.operation.verify()


def test_traits_are_of_operations_that_were_defined_at_run_time(ir, ctx, op_with):
    op_with(lambda self: True)
    for name in ("builtin.module", "checked.other", ""):
        with pytest.raises(ValueError, match="defined at run time"):
            ir.IsTerminatorTrait.attach(name)
    with pytest.raises(TypeError, match="op_name"):
        ir.IsTerminatorTrait.attach(3)
    with pytest.raises(TypeError, match="at least one of"):
        ir.DynamicOpTrait.attach("checked.op")


def test_a_context_ends_with_its_dialect(ir, ext):
    class Cyclic(ext.Dialect, name="cyclic"):
        pass

    def make():
        with ir.Context() as context, ir.Location.unknown():
            Cyclic.load()

            class Bound(ir.DynamicOpTrait):
                owner = context

                @staticmethod
                def verify_invariants(op):
                    return True

            Bound.attach("cyclic.op")
            module = ir.Module.create()
            with ir.InsertionPoint(module.body):
                Op()
            assert module.operation.verify()
            return weakref.ref(context), weakref.ref(Bound)

    class Op(Cyclic.Operation, name="op"):
        pass

    context, bound = make()
    gc.collect()
    gc.collect()
    assert context() is None
    assert bound() is None


def test_the_interpreter_may_end_first(python, root):
    python(f"""
from {root} import ir
from {root}.dialects import ext
class D(ext.Dialect, name="d"): pass
class Op(D.Operation, name="op"):
    def verify_invariants(self): return True
context = ir.Context()
context.__enter__()
D.load()
class Last:
    def __init__(self, module): self.module = module
    def __del__(self):
        try: self.module.operation.verify()
        except BaseException: pass
        str(self.module)
with ir.Location.unknown():
    module = ir.Module.create()
    with ir.InsertionPoint(module.body): Op()
last = Last(module)
Op.last = last
import sys
sys.last = last
""")
