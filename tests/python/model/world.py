"""Edits, done to the IR and to the model alike. Every edit takes its choices from three numbers."""

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
    used_from_outside,
    values_of,
)

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")
ir = importlib.import_module(f"{ROOT}.ir")
passmanager = importlib.import_module(f"{ROOT}.passmanager")

# Above this many operations, what is made is taken away again.
MANY = 150


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
        self.edits = [
            self.create, self.create, self.create, self.create_apart, self.create_apart,
            self.create_module, self.create_block, self.place, self.place, self.place_block,
            self.move, self.move, self.detach, self.clone, self.erase, self.erase, self.erase,
            self.set_operands, self.set_operands, self.replace_uses, self.add_argument,
            self.erase_argument, self.drop, self.drop, self.drop, self.drop, self.refetch,
            self.refetch, self.refetch, self.look_at_dead, self.run_pass, self.collect,
        ]  # fmt: skip

    # Bookkeeping.

    def enter(self, node) -> None:
        """A node is alive from now on."""
        nodes = self.ops if isinstance(node, Op) else self.blocks
        node.slot = len(nodes)
        nodes.append(node)

    def bury(self, node) -> None:
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
        """A node of the tree that somebody holds."""
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

    def step(self, code: int, a: int, b: int, c: int) -> None:
        """Does an edit, and checks some of what there is."""
        if len(self.ops) > MANY:
            self.erase(a, b, 1)
            self.let_go(b)
        self.edits[code % len(self.edits)](a, b, c)
        if self.ops:
            self.check_op(self.ops[c % len(self.ops)])
        if self.blocks and c % 4 == 0:
            self.check_block(self.blocks[a % len(self.blocks)])
        if self.dead:
            self.is_dead(self.dead[b % len(self.dead)])

    # Edits.

    def new_regions(self, op: Op, a: int, b: int) -> list:
        """Regions with blocks, as the model's operation has them too."""
        made = []
        for number in range((0, 0, 0, 1, 1, 2)[a % 6]):
            region = self.context.new_region()
            op.regions.append([])
            for _ in range((b >> number) % 3):
                block = Block((b >> 3) % 3)
                count = len(block.arguments)
                block.handle = self.context.new_block([self.type] * count, [self.here] * count)
                region.blocks.append(block.handle)
                block.op, block.number = op, number
                op.regions[number].append(block)
                self.enter(block)
            made.append(region)
        return made

    def make(self, operands: list[Value], a: int, b: int) -> Op:
        """An operation without a place."""
        uid, attribute = self.uid()
        if a % 5 == 0:
            op = Op("arith.constant", uid, 1)
            op.handle = self.context.new_op(
                "arith.constant",
                results=[self.type],
                attributes={"value": ir.IntegerAttr.get(self.type, uid), "uid": attribute},
                loc=self.here,
            ).operation
        else:
            op = Op("t.op", uid, b % 3)
            regions = self.new_regions(op, a, b)
            op.handle = self.context.new_op(
                "t.op",
                results=[self.type] * (b % 3),
                operands=[self.value(value) for value in operands],
                attributes={"uid": attribute},
                regions=regions,
                loc=self.here,
            ).operation
            op.use(operands)
        self.enter(op)
        return op

    def create(self, a: int, b: int, c: int) -> None:
        """Makes an operation and puts it into a block."""
        block = self.any_block(c)
        if block is None:
            self.create_apart(a, b, c)
            return
        op = self.make(self.choose_values(block, b, c), a, b)
        ir.InsertionPoint(self.hold(block)).insert(op.handle)
        block.ops.append(op)
        op.block = block

    def create_apart(self, a: int, b: int, _c: int) -> None:
        """Makes an operation without a place."""
        self.make([], a, b)

    def create_module(self, _a: int, _b: int, c: int) -> None:
        """Makes a module."""
        if c % 4:
            return
        uid, attribute = self.uid()
        op = Op("builtin.module", uid, 0)
        op.handle = ir.Module.create(self.here).operation
        op.handle.attributes["uid"] = attribute
        block = Block(0)
        block.op = op
        block.handle = op.handle.regions[0].blocks[0]
        op.regions = [[block]]
        self.enter(op)
        self.enter(block)

    def create_block(self, a: int, _b: int, c: int) -> None:
        """Makes a block, without a place or in a region."""
        block = Block(a % 3)
        handle = self.context.new_block([self.type] * (a % 3), [self.here] * (a % 3))
        block.handle = handle
        self.enter(block)
        if c % 2:
            self.place_into(block, self.any_op(c))

    def place_into(self, block: Block, op: Op | None) -> None:
        """Puts a block without a place into an operation."""
        if op is None or not op.regions or op.name == "builtin.module":
            return
        if op.root() is block:
            return
        region = self.hold(op).regions[0]
        region.blocks.append(self.hold(block))
        op.regions[0].append(block)
        block.op, block.number = op, 0

    def place_block(self, a: int, b: int, _c: int) -> None:
        """Puts some block that has no place into an operation."""
        block = self.any_block(a)
        if block is not None and block.op is None:
            self.place_into(block, self.any_op(b))

    def place(self, a: int, b: int, c: int) -> None:
        """Inserts an operation; what has a place, or would be in itself, is refused."""
        op, block = self.any_op(a), self.any_block(b)
        if op is None or block is None:
            return
        handle, point = self.hold(op), ir.InsertionPoint(self.hold(block))
        if op.block is not None or block.root() is op:
            try:
                point.insert(handle)
            except (ValueError, RuntimeError):
                return
            raise Difference("an insertion was not refused")
        if op.name == "builtin.module":
            return
        if c % 2 and block.ops:
            ir.InsertionPoint(self.hold(block.ops[0])).insert(handle)
            block.ops.insert(0, op)
        else:
            point.insert(handle)
            block.ops.append(op)
        op.block = block

    def move(self, a: int, b: int, c: int) -> None:
        """Moves an operation before or after another one."""
        op, other = self.any_op(a), self.any_op(b)
        if op is None or other is None or other.block is None or op.block is None:
            return
        self.hold(op.root())
        handle, target = self.hold(op), self.hold(other)
        go = handle.move_before if c % 2 else handle.move_after
        if op is other or op in self.above(other):
            try:
                go(target)
            except (ValueError, RuntimeError):
                return
            expect(op is other, "a move into itself was not refused")
            return
        go(target)
        op.block.ops.remove(op)
        other.block.ops.insert(other.block.ops.index(other) + (0 if c % 2 else 1), op)
        op.block = other.block

    def above(self, op: Op) -> set:
        """All ancestors."""
        found = set()
        node = op
        while node is not None:
            node = node.block if isinstance(node, Op) else node.op
            found.add(node)
        return found

    def detach(self, a: int, _b: int, _c: int) -> None:
        """Detaches an operation."""
        op = self.any_op(a)
        if op is None or op.block is None:
            return
        # What is left keeps a holder, so that it does not end here.
        self.hold(op.root())
        self.hold(op).detach_from_parent()
        op.block.ops.remove(op)
        op.block = None

    def clone(self, a: int, _b: int, _c: int) -> None:
        """Clones an operation."""
        op = self.any_op(a)
        if op is None or op.name == "builtin.module":
            return
        handle = self.hold(op).clone(ip=False).operation
        values: dict[Value, Value] = {}
        copy = self.copy(op, handle, values)
        for mine, its in zip(everything(op), everything(copy), strict=True):
            if isinstance(mine, Op):
                its.use([values.get(value, value) for value in mine.operands])

    def copy(self, op: Op, handle, values) -> Op:
        """The model's side of a clone; every copy gets a number of its own."""
        uid, attribute = self.uid()
        copy = Op(op.name, uid, len(op.results))
        handle.attributes["uid"] = attribute
        copy.handle = handle
        self.enter(copy)
        values.update(zip(op.results, copy.results, strict=True))
        for number, region in enumerate(op.regions):
            copy.regions.append([])
            for place, block in enumerate(region):
                twin = Block(len(block.arguments))
                twin.op, twin.number = copy, number
                twin.handle = handle.regions[number].blocks[place]
                self.enter(twin)
                copy.regions[number].append(twin)
                values.update(zip(block.arguments, twin.arguments, strict=True))
                for at, child in enumerate(block.ops):
                    its = self.copy(child, twin.handle.operations[at].operation, values)
                    its.block = twin
                    twin.ops.append(its)
        return copy

    def erase(self, a: int, b: int, c: int) -> None:
        """Erases an operation; one that is in use stays."""
        op = self.any_op(a)
        if op is None:
            return
        family = set(everything(op))
        self.hold(op.root())
        handle = self.hold(op)
        if used_from_outside(family):
            try:
                handle.erase()
            except RuntimeError:
                self.check_op(op)
                return
            raise Difference("an operation in use was erased")
        if b % 2 and c % 2 == 0:
            handle.opview.erase()
        else:
            handle.erase()
        if op.block is not None:
            op.block.ops.remove(op)
        self.bury(op)

    def set_operands(self, a: int, b: int, c: int) -> None:
        """Sets one operand."""
        op = self.any_op(a)
        if op is None or not op.operands:
            return
        chosen = self.choose_values(op, b | 1, c)
        if not chosen:
            return
        operands = list(op.operands)
        number = c % len(operands)
        operands[number] = chosen[0]
        self.hold(op).operands[number] = self.value(chosen[0])
        op.use(operands)

    def replace_uses(self, a: int, b: int, c: int) -> None:
        """Replaces all uses of a value by another one of the same tree."""
        op = self.any_op(a)
        if op is None or not op.results:
            return
        chosen = self.choose_values(op, b | 1, c)
        if not chosen or chosen[0] is op.results[0]:
            return
        old, new = op.results[0], chosen[0]
        self.value(old).replace_all_uses_with(self.value(new))
        for user in set(old.uses):
            user.use([new if value is old else value for value in user.operands])

    def add_argument(self, a: int, _b: int, _c: int) -> None:
        """Adds an argument to a block."""
        block = self.any_block(a)
        if block is None or len(block.arguments) > 5:
            return
        added = self.hold(block).add_argument(self.type, self.here)
        expect(added.arg_number == len(block.arguments), "the number of a new argument")
        block.arguments.append(Value(block))

    def erase_argument(self, a: int, b: int, _c: int) -> None:
        """Erases an argument; one that is in use stays."""
        block = self.any_block(a)
        if block is None or not block.arguments:
            return
        number = b % len(block.arguments)
        handle = self.hold(block)
        argument = handle.arguments[number]
        later = list(handle.arguments)[number + 1 :]
        try:
            handle.erase_argument(number)
        except (RuntimeError, ValueError):
            expect(bool(block.arguments[number].uses), "an argument without uses was not erased")
            return
        expect(not block.arguments[number].uses, "an argument in use was erased")
        del block.arguments[number]
        self.dead.append(argument)
        for place, its in enumerate(later):
            expect(its.arg_number == number + place, "the number of an argument that moved up")

    # Holding and letting go.

    def drop(self, a: int, b: int, c: int) -> None:
        """Lets go of a wrapper."""
        nodes = self.ops if b % 3 else self.blocks
        if not nodes:
            return
        node = nodes[a % len(nodes)]
        if node.handle is None:
            return
        root = node.root()
        others = (it for it in everything(root) if it.handle is not None and it is not node)
        if next(others, None) is None:
            # The last holder: the tree ends with it. Where other trees use what is in it, it would go
            # over to them, which the model does not follow.
            if not used_from_outside(set(everything(root))):
                node.handle = None
                self.bury(root)
            return
        number = id(node.handle)
        node.handle = None
        if c % 8 == 0:
            expect(id(self.hold(node)) == number, "the id after a drop")
            node.handle = None

    def let_go(self, b: int) -> None:
        """Drops a whole tree."""
        op = self.any_op(b)
        root = op.root() if op is not None else None
        if root is None:
            return
        family = set(everything(root))
        if used_from_outside(family):
            return
        for node in family:
            node.handle = None
        self.bury(root)

    def refetch(self, a: int, b: int, _c: int) -> None:
        """Gets at something again, in two ways."""
        nodes = self.ops if b % 3 else self.blocks
        if nodes:
            node = nodes[a % len(nodes)]
            handle = self.hold(node)
            node.handle = None
            if self.held_in(node.root()) is not None:
                expect(self.hold(node) is handle, "what was fetched again is another one")
            node.handle = handle

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

    def collect(self, a: int, _b: int, _c: int) -> None:
        """Runs the garbage collector, now and then."""
        if a % 64 == 0:
            gc.collect()

    def run_pass(self, a: int, b: int, _c: int) -> None:
        """Runs cse over a module: constants that nothing uses may die, and nothing else."""
        if b % 8:
            return
        root = next((op.root() for op in (self.any_op(a),) if op is not None), None)
        if not isinstance(root, Op) or root.name != "builtin.module":
            return
        handle = self.hold(root)
        manager = passmanager.PassManager.parse("builtin.module(cse)", self.context)
        manager.enable_verifier(False)
        try:
            manager.run(handle)
        except RuntimeError:
            family = set(everything(root))
            expect(used_from_outside(family), "a pass was refused")
            return
        for block in [it for it in everything(root) if isinstance(it, Block)]:
            left = {ir.IntegerAttr(op.attributes["uid"]).value for op in self.hold(block).operations}
            for op in list(block.ops):
                if op.uid not in left:
                    expect(op.name == "arith.constant", "a pass erased something else")
                    expect(not op.results[0].uses, "a pass erased something in use")
                    block.ops.remove(op)
                    self.bury(op)

    def end(self) -> None:
        """Lets go of everything, and makes sure that nothing is left."""
        self.look_at_dead(0, 0, 0)
        self.ops.clear()
        self.blocks.clear()
        self.dead.clear()
        self.edits.clear()
        self.type = self.wide = self.here = self.context = None
        gc.collect()
        gc.collect()
        expect(ir.Context._get_live_count() == 0, "contexts are left")
