"""The model: what operations, blocks and values there are, and who is in whom."""

from __future__ import annotations

from collections.abc import Iterator


class Difference(AssertionError):
    """The package and the model do not agree."""


class Value:
    """A result (of an operation) or an argument (of a block)."""

    __slots__ = ("owner", "uses")

    def __init__(self, owner: Op | Block) -> None:
        self.owner = owner
        # The users of the value, once for each operand.
        self.uses: list[Op] = []


class Op:
    """An operation. ``handle`` is the wrapper, while it is referenced."""

    __slots__ = (
        "alive",
        "block",
        "handle",
        "name",
        "operands",
        "regions",
        "results",
        "slot",
        "uid",
    )

    def __init__(self, name: str, uid: int, results: int) -> None:
        self.name = name
        self.uid = uid
        self.results = [Value(self) for _ in range(results)]
        self.operands: list[Value] = []
        self.regions: list[list[Block]] = []
        self.block: Block | None = None
        self.handle = None
        self.alive = True
        self.slot = 0

    def blocks(self) -> Iterator[Block]:
        """Its own blocks."""
        for region in self.regions:
            yield from region

    def root(self) -> Op | Block:
        """The topmost ancestor, which has no parent."""
        node: Op | Block = self
        while True:
            above = node.block if isinstance(node, Op) else node.op
            if above is None:
                return node
            node = above

    def use(self, operands: list[Value]) -> None:
        """Sets all operands."""
        for value in self.operands:
            value.uses.remove(self)
        self.operands = operands
        for value in operands:
            value.uses.append(self)


class Block:
    """A block, in region ``number`` of ``op`` or nowhere."""

    __slots__ = ("alive", "arguments", "handle", "number", "op", "ops", "slot")

    def __init__(self, arguments: int) -> None:
        self.arguments = [Value(self) for _ in range(arguments)]
        self.ops: list[Op] = []
        self.op: Op | None = None
        self.number = 0
        self.handle = None
        self.alive = True
        self.slot = 0

    root = Op.root


def everything(node: Op | Block) -> Iterator[Op | Block]:
    """A node and all below it, parents first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Op):
            for region in node.regions:
                waiting += region
        else:
            waiting += node.ops


def values_of(node: Op | Block) -> list[Value]:
    """The values that a node defines."""
    return node.results if isinstance(node, Op) else node.arguments


def used_from_outside(family: set[Op | Block]) -> bool:
    """True if something outside the family uses a value that is defined in it."""
    return any(user not in family for node in family for v in values_of(node) for user in v.uses)
