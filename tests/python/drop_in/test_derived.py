"""Every class of the package can be derived from, and takes its arguments in ``__init__``."""

import pytest

NAMES = """
    ir AffineExprList AffineMap ArrayAttributeIterator AsmState AttrBuilder BlockArgumentList
    ir BlockIterator BlockList BlockPredecessors BlockSuccessors Context DenseBoolArrayIterator
    ir Diagnostic DiagnosticHandler DiagnosticInfo Dialect DialectDescriptor DialectRegistry
    ir Dialects
    ir InferShapedTypeOpInterface InferTypeOpInterface InsertionPoint IntegerSet
    ir IntegerSetConstraint
    ir IntegerSetConstraintList Location NamedAttribute OpAttributeMap OpOperand OpOperandIterator
    ir OpOperandList OpResultList OpSuccessors OperationIterator OperationList RegionIterator
    ir RegionSequence ShapedTypeComponents SymbolTable ThreadPool TypeID
    passmanager PassManager
    rewrite FrozenRewritePatternSet PatternRewriter PDLModule RewritePatternSet
    execution_engine ExecutionEngine
"""


def test_all_can_be_bases(module):
    for line in NAMES.strip().splitlines():
        where, *names = line.split()
        try:
            found = module(where)
        except ImportError:
            continue
        for name in names:
            if hasattr(found, name):
                type("Derived", (getattr(found, name),), {})


def test_pass_manager(module, ctx):
    passmanager = module("passmanager")

    class Pipeline(passmanager.PassManager):
        def __init__(self, context, *passes):
            super().__init__("builtin.module", context)
            for each in passes:
                self.add(each)
            self.passes = passes

    pipeline = Pipeline(ctx, "canonicalize", "cse")
    assert pipeline.passes == ("canonicalize", "cse")
    assert str(pipeline).startswith("builtin.module(canonicalize") and "cse" in str(pipeline)

    class Any(passmanager.PassManager):
        def __init__(self, c):
            super().__init__("any", c)

    assert str(Any(ctx)) == "any()"


def test_insertion_point(ir, ctx):
    class Before(ir.InsertionPoint):
        def __init__(self, op, note):
            super().__init__(op)
            self.note = note

    made = ir.Module.create()
    with ir.InsertionPoint(made.body):
        last = ir.Operation.create("t.last")
    with Before(last, "here") as place:
        assert ir.InsertionPoint.current is place and place.note == "here"
        ir.Operation.create("t.first")
    assert [op.name for op in made.body.operations] == ["t.first", "t.last"]
    assert place.block == made.body and place.ref_operation == last.operation


def test_symbol_table(ir, ctx):
    class Symbols(ir.SymbolTable):
        def __init__(self, text):
            self.module = ir.Module.parse(text)
            super().__init__(self.module.operation)

    symbols = Symbols("func.func private @f()")
    assert "f" in symbols and "g" not in symbols


def test_registry_and_context(ir):
    class Registry(ir.DialectRegistry):
        def __init__(self, name):
            super().__init__()
            self.name = name

    class Mine(ir.Context):
        def __init__(self, registry):
            super().__init__()
            self.append_dialect_registry(registry)

    registry = Registry("r")
    assert registry.name == "r"
    with Mine(registry), ir.Location.unknown():
        assert str(ir.F32Type.get()) == "f32"


def test_patterns(module, ctx):
    rewrite = module("rewrite")

    class Patterns(rewrite.RewritePatternSet):
        def __init__(self, note):
            super().__init__()
            self.note = note

    patterns = Patterns("n")
    patterns.add("t.op", lambda op, rewriter: True)
    assert patterns.note == "n"
    assert patterns.freeze() is not None


def test_asm_state(ir, ctx):
    class State(ir.AsmState):
        def __init__(self, op, note):
            super().__init__(op)
            self.note = note

    op = ir.Operation.create("t.one", results=[ir.F32Type.get()])
    assert op.result.get_name(state=State(op, "n")) == "%0"


def test_interface(ir, module, ctx):
    arith = module("dialects.arith")

    class Infer(ir.InferTypeOpInterface):
        def __init__(self):
            super().__init__(arith.ConstantOp)

    attributes = ir.DictAttr.get({"value": ir.IntegerAttr.get(ir.IntegerType.get_signless(3), 1)})
    assert [str(it) for it in Infer().inferReturnTypes(attributes=attributes)] == ["i3"]


def test_without_constructor(ir, ctx):
    for name in ["Location", "Block", "AffineMap", "NamedAttribute"]:
        derived = type("Derived", (getattr(ir, name),), {})
        with pytest.raises(TypeError):
            derived()
