"""Some trees and the model of them: how its nodes are got at, and how both are compared."""

import gc
import importlib
import os
from collections import deque

from .nodes import (
    Block,
    Difference,
    Op,
    Value,
    everything,
    values_of,
)

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")
ir = importlib.import_module(f"{ROOT}.ir")
rewrite = importlib.import_module(f"{ROOT}.rewrite")
passmanager = importlib.import_module(f"{ROOT}.passmanager")


def expect(truth: bool, what: str) -> None:
    """Raises if the package and the model differ."""
    if not truth:
        raise Difference(what)


def dies(use, what: str) -> None:
    """Makes sure that a use of something dead raises."""
    try:
        answer = use()
    except RuntimeError:
        return
    raise Difference(f"{what} is dead, but answers {answer!r}")


class World:
    """Some trees of one context, the model of them, and wrappers of what has died."""

    def __init__(self) -> None:
        self.context = ir.Context()
        self.context.allow_unregistered_dialects = True
        self.here = ir.Location.unknown(self.context)
        self.type = ir.IntegerType.get_signless(32, self.context)
        self.wide = ir.IntegerType.get_signless(64, self.context)
        self.ops: list[Op] = []
        self.blocks: list[Block] = []
        self.dead: deque = deque(maxlen=40)
        self.next_uid = 0

    # Bookkeeping.

    def enter(self, node) -> None:
        """A node is alive from now on."""
        nodes = self.ops if isinstance(node, Op) else self.blocks
        node.slot = len(nodes)
        nodes.append(node)

    def mark_dead(self, node) -> None:
        """A node and all below it are dead from now on."""
        for it in list(everything(node)):
            nodes = self.ops if isinstance(it, Op) else self.blocks
            last = nodes.pop()
            if last is not it:
                nodes[it.slot] = last
                last.slot = it.slot
            it.alive = False
            if it.handle is not None:
                self.dead.append(it.handle)
                it.handle = None
            if isinstance(it, Op):
                it.use([])

    def uid(self):
        """A new number, and the attribute of it."""
        self.next_uid += 1
        return self.next_uid, ir.IntegerAttr.get(self.wide, self.next_uid)

    def any_op(self, number: int) -> Op | None:
        """One of the operations."""
        return self.ops[number % len(self.ops)] if self.ops else None

    def any_block(self, number: int) -> Block | None:
        """One of the blocks."""
        return self.blocks[number % len(self.blocks)] if self.blocks else None

    # Getting at the package's side.

    def held_in(self, root) -> Op | Block | None:
        """A node of the tree that has a wrapper in use."""
        return next((node for node in everything(root) if node.handle is not None), None)

    def hold(self, node):
        """The wrapper of a node, fetched on whatever way there is."""
        if node.handle is not None:
            return node.handle
        above = node.block if isinstance(node, Op) else node.op
        path = []
        start = node
        while start.handle is None and above is not None:
            path.append(start)
            start = above
            above = start.block if isinstance(start, Op) else start.op
        if start.handle is None:
            # The root is not held: from something that is, up to it.
            held = self.held_in(start)
            expect(held is not None, "a tree that nobody holds is in the model")
            handle, at = held.handle, held
            while at is not start:
                if isinstance(at, Op):
                    handle, at = handle.block, at.block
                else:
                    handle, at = handle.owner.operation, at.op
            start.handle = handle
        handle = start.handle
        at = start
        for below in reversed(path):
            if isinstance(at, Op):
                handle = handle.regions[below.number].blocks[at.regions[below.number].index(below)]
            else:
                handle = handle.operations[at.ops.index(below)].operation
            at = below
        node.handle = handle
        return handle

    def value(self, value: Value):
        """The wrapper of a value."""
        handle = self.hold(value.owner)
        number = values_of(value.owner).index(value)
        return (handle.results if isinstance(value.owner, Op) else handle.arguments)[number]

    def choose_values(self, near, a: int, b: int) -> list[Value]:
        """Up to two values of the tree that ``near`` is in."""
        found: list[Value] = []
        for node in everything(near.root()):
            found += values_of(node)
            if len(found) > 20:
                break
        if not found:
            return []
        return [found[it % len(found)] for it in (a, b)[: a % 3]]

    # Checks.

    def check_op(self, op: Op) -> None:
        """Compares an operation with what the model says."""
        handle = self.hold(op)
        expect(ir.IntegerAttr(handle.attributes["uid"]).value == op.uid, "the uid is another's")
        expect(handle.name == op.name, "the name")
        operands = handle.operands
        expect(len(operands) == len(op.operands), "the number of operands")
        for mine, its in zip(op.operands, operands, strict=True):
            if mine.owner.handle is not None:
                owner = its.owner
                owner = owner.operation if isinstance(mine.owner, Op) else owner
                expect(owner is mine.owner.handle, "the owner of an operand")
        if op.block is not None and op.block.handle is not None:
            expect(handle.block is op.block.handle, "the block")
        if op.name != "builtin.module":
            expect(handle.attached == (op.block is not None), "attached")
        for mine, its in zip(op.results, handle.results, strict=True):
            expect(len(list(its.uses)) == len(mine.uses), "the number of uses")
        for number, region in enumerate(op.regions):
            expect(len(handle.regions[number].blocks) == len(region), "the number of blocks")

    def check_block(self, block: Block) -> None:
        """Compares a block with what the model says."""
        handle = self.hold(block)
        expect(len(handle.arguments) == len(block.arguments), "the number of arguments")
        names = [ir.IntegerAttr(op.attributes["uid"]).value for op in handle.operations]
        expect(names == [op.uid for op in block.ops], "the operations of a block")
        for mine, its in zip(block.ops, handle.operations, strict=True):
            expect(mine.handle is None or mine.handle is its.operation, "an operation's identity")
        if block.op is not None and block.op.handle is not None:
            expect(handle.owner.operation is block.op.handle, "the owner of a block")

    def check_all(self) -> None:
        """Compares everything."""
        for op in list(self.ops):
            self.check_op(op)
        for block in list(self.blocks):
            self.check_block(block)
        self.look_at_dead(0, 0, 0)

    def is_dead(self, handle) -> None:
        """Every use of it raises."""
        if isinstance(handle, ir.Block):
            dies(lambda: len(handle.operations), "a block")
        elif isinstance(handle, ir.Value):
            dies(lambda: handle.type, "a value")
        else:
            dies(lambda: handle.name, "an operation")
            dies(lambda: handle.attributes["uid"], "an operation")

    def look_at_dead(self, _a: int, _b: int, _c: int) -> None:
        """Everything that died a short time ago still says so."""
        for handle in self.dead:
            self.is_dead(handle)

    def end(self) -> None:
        """Lets go of everything, and makes sure that nothing is left."""
        self.look_at_dead(0, 0, 0)
        self.ops.clear()
        self.blocks.clear()
        self.dead.clear()
        vars(self).pop("edits", None)
        self.type = self.wide = self.here = self.context = None
        gc.collect()
        gc.collect()
        expect(ir.Context._get_live_count() == 0, "contexts are left")
