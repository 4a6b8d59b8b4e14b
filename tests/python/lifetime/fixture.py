"""The fixture of a scenario: a module, and how its parts are found.

It contains the *victim*: a function or a loop with a region, a block, arguments, operations that
use one another, and a block with a predecessor. Operations that scenarios refer to have a ``tag``.
After the action many look-alikes with other tags are made, which reuse the freed addresses.
"""

import gc

from .package import ir, rewrite

BODY = """
  %a = arith.addi %x, %x {t.tag = "inner"} : i32
  %b = arith.muli %a, %a {t.tag = "user"} : i32
  scf.execute_region {
    cf.br ^next {t.tag = "branch"}
  ^next:
    scf.yield
  }
"""

FUNCTION = f"""
func.func private @victim(%x: i32, %unused: i32) -> i32 attributes {{t.tag = "victim"}} {{
  {BODY}
  return %b : i32
}}
"""

# A loop that canonicalize, cse and others delete: it has no iterations, and its result is unused.
LOOP = f"""
func.func @main(%init: i32) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %zero step %one iter_args(%x = %init) -> (i32) {{
    {BODY}
    scf.yield %b : i32
  }} {{t.tag = "victim"}}
  return
}}
"""

CALLER = """
func.func @main(%p: i32) -> i32 {
  %r = func.call @victim(%p, %p) : (i32, i32) -> i32
  return %r : i32
}
"""

BYSTANDER = 'func.func private @bystander(i32) attributes {t.tag = "bystander"}\n'

SCRIPT = """
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %f = transform.structured.match ops{["func.func"]} in %root
    : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}
"""

TEXTS = {
    "function": FUNCTION,
    "called": FUNCTION + CALLER,
    "loop": LOOP,
    "scripted": LOOP,
}


def wrap(kind: str) -> str:
    """A module with a module in it that holds the victim."""
    script = SCRIPT if kind == "scripted" else ""
    attributes = " attributes {transform.with_named_sequence}" if script else ""
    inner = f'module @outer attributes {{t.tag = "outer"}} {{ {BYSTANDER} {TEXTS[kind]} }}'
    return f"module{attributes} {{ {script} {inner} }}"


def tag_of(op) -> str | None:
    """The tag of an operation."""
    attributes = op.attributes
    return ir.StringAttr(attributes["t.tag"]).value if "t.tag" in attributes else None


def find(op, tag: str):
    """The operation below ``op`` that carries the tag, or None."""
    for region in op.regions:
        for block in region.blocks:
            for child in block.operations:
                if tag_of(child) == tag:
                    return child
                below = find(child, tag)
                if below is not None:
                    return below
    return None


class Fixture:
    """A module with its victim. It refers to the module, the context and the look-alikes only."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.context = ir.Context()
        self.context.allow_unregistered_dialects = True
        self.module = ir.Module.parse(wrap(kind), self.context)
        self.others: list[object] = []
        self.undo = None

    @property
    def is_function(self) -> bool:
        """True if the victim is a function (else a loop)."""
        return self.kind in ("function", "called")

    def tagged(self, tag: str):
        """The operation that carries the tag now."""
        found = find(self.module.operation, tag)
        assert found is not None, f"nothing is tagged {tag}"
        return found

    def victim(self):
        """The operation that the action invalidates."""
        return self.tagged("victim")

    def body(self):
        """The one block of the victim."""
        return self.victim().regions[0].blocks[0]

    def unused_argument(self):
        """The argument that nothing uses."""
        return self.body().arguments[1 if self.is_function else 0]

    def here(self):
        """A location."""
        return ir.Location.unknown(self.context)

    def gone(self, tag: str = "victim") -> None:
        """Makes sure that the tagged operation was destroyed."""
        text = self.module.operation.get_asm(print_generic_op_form=True)
        assert f'tag = "{tag}"' not in text, f"the {tag} did not die"

    def visit_patterns(self, name: str, function) -> None:
        """Calls ``function(op, rewriter)`` for operations of a name, from a pattern."""
        with self.context, self.here():
            patterns = rewrite.RewritePatternSet()
            patterns.add(name, function)
            frozen = patterns.freeze()
            rewrite.walk_and_apply_patterns(self.module.operation, frozen)

    def convert(self, name: str, function) -> None:
        """Calls ``function(op, adaptor, converter, rewriter)`` for operations of a name, from a
        pattern of a conversion that leaves all types as they are.
        """
        with self.context, self.here():
            converter = rewrite.TypeConverter()
            converter.add_conversion(lambda type: type)
            patterns = rewrite.RewritePatternSet()
            patterns.add_conversion(name, function, converter)
            target = rewrite.ConversionTarget()
            config = rewrite.ConversionConfig()
            config.folding_mode = rewrite.DialectConversionFoldingMode.NEVER
            frozen = patterns.freeze()
            rewrite.apply_partial_conversion(self.module.operation, target, frozen, config)

    def drop(self) -> None:
        """Drops the module and the context."""
        self.module = None
        self.context = None
        gc.collect()

    def reuse_addresses(self) -> None:
        """Makes look-alikes, which take the memory that has become free."""
        context = self.context
        if context is None:
            context = ir.Context()
            context.allow_unregistered_dialects = True
        kind = "function" if self.is_function else "loop"
        text = wrap(kind).replace("victim", "decoy").replace("inner", "decoy")
        text = text.replace('"user"', '"decoy"').replace("branch", "decoy")
        text = text.replace("bystander", "decoy_too").replace("i32", "i64")
        first = ir.Module.parse(text, context)
        self.others += [first]
        self.others += [ir.Module.parse(text, context) for _ in range(4)]
        self.others += [first.operation.clone(ip=False) for _ in range(16)]
        decoy = find(first.operation, "decoy")
        self.others += [decoy.operation.clone(ip=False) for _ in range(16)]

    def end(self) -> None:
        """Drops every reference."""
        if self.undo is not None:
            self.undo()
            self.undo = None
        self.others.clear()
        self.drop()
