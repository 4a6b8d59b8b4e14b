"""What tests of dialect conversion share: a program, a converter, and patterns."""

import gc
import importlib

import pytest

# Unregistered operations, so that every bundle can convert them.
PROGRAM = """
"a.top"() ({
^bb0(%x: i32):
  %0 = "a.one"() : () -> i32
  %1 = "a.add"(%x, %0) : (i32, i32) -> i32
  "a.use"(%1) : (i32) -> ()
}) : () -> ()
"""


@pytest.fixture(scope="session")
def rewrite(root):
    return importlib.import_module(f"{root}.rewrite")


@pytest.fixture
def ctx(ctx):
    ctx.allow_unregistered_dialects = True
    return ctx


@pytest.fixture
def module(ir, ctx):
    return ir.Module.parse(PROGRAM)


@pytest.fixture
def to_index(ir, rewrite, ctx):
    """i32 becomes index, and index stays."""
    converter = rewrite.TypeConverter()
    converter.add_conversion(lambda t: t if t == ir.IndexType.get() else None)
    converter.add_conversion(
        lambda t: ir.IndexType.get() if t == ir.IntegerType.get_signless(32) else None
    )
    return converter


def frozen(rewrite, converter, *patterns):
    made = rewrite.RewritePatternSet()
    for root, fn in patterns:
        made.add_conversion(root, fn, converter)
    return made.freeze()


def target_of(rewrite, legal=(), illegal=("a.add",)):
    target = rewrite.ConversionTarget()
    target.add_legal_dialect("b")
    target.add_legal_op(*legal)
    target.add_illegal_op(*illegal)
    return target


def casts(rewrite):
    """Options with which casts between types stay."""
    config = rewrite.ConversionConfig()
    config.build_materializations = False
    return config


def renamed(ir, name="b.add", after=lambda new: None):
    """A pattern that makes an operation of another name, whose results are indices."""

    def pattern(op, adaptor, converter, rewriter):
        types = [converter.convert_type(result.type) for result in op.results]
        with rewriter.ip:
            new = ir.Operation.create(
                name, results=types, operands=adaptor.operands, loc=op.location
            )
        after(new)
        rewriter.replace_op(op, new)

    return pattern


def names(module):
    """The names of the operations in a module, from the outside in."""
    return [name for one in module.body for name in below(one.operation)]


def below(op):
    found = [op.name]
    for region in op.regions:
        for block in region:
            for inner in block:
                found.extend(below(inner.operation))
    return found


def convert(rewrite, module, patterns, target=None, config=None):
    rewrite.apply_partial_conversion(
        module.operation, target or target_of(rewrite), patterns, config or casts(rewrite)
    )


class Mine(Exception):
    pass


def raises(*_):
    raise Mine


def check_refused(ir, rewrite, module, to_index, attempt, match="conversion", kind=RuntimeError):
    """Tries something in a pattern, which must raise and leave the IR as it is."""
    before, errors = str(module), []

    def pattern(op, adaptor, converter, rewriter):
        try:
            attempt(op, adaptor, rewriter)
        except kind as error:
            errors.append(str(error))
            raise Mine from error

    with pytest.raises(Mine):
        convert(rewrite, module, frozen(rewrite, to_index, ("a.add", pattern)))
    assert match in errors[0]
    gc.collect()
    assert str(module) == before
    assert module.operation.verify()


def first(op):
    return op.operation.block.operations[0]
