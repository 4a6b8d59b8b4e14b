"""Edits, done to the IR and to the model alike. Every edit takes its choices from three numbers."""

import gc

from .nodes import Block, Difference, Op, Value, everything, used_from_outside
from .rewrites import Rewrites
from .world import expect, ir

# Above this many operations, what is made is taken away again.
MANY = 150
# The edits, by how often they are made.
OFTEN = {
    "create": 3,
    "create_apart": 2,
    "create_module": 1,
    "create_spy": 1,
    "create_block": 1,
    "place": 2,
    "place_block": 1,
    "move": 2,
    "detach": 1,
    "clone": 1,
    "erase": 3,
    "set_operands": 2,
    "replace_uses": 1,
    "add_argument": 1,
    "erase_argument": 1,
    "drop": 4,
    "refetch": 3,
    "look_at_dead": 1,
    "run_pass": 1,
    "run_own_pass": 1,
    "run_keeping_pass": 1,
    "run_patterns": 1,
    "collect": 1,
}


class Edits(Rewrites):
    """A world that can be edited."""

    def __init__(self) -> None:
        super().__init__()
        self.edits = [getattr(self, name) for name, often in OFTEN.items() for _ in range(often)]

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

    def create_spy(self, a: int, b: int, c: int) -> None:
        """Makes an operation without a place that uses values of other trees."""
        near = self.any_op(a)
        if near is not None:
            self.hold(near.root())
            self.make(self.choose_values(near, b | 1, c), 1, b)

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
        # The rest of the tree keeps a reference, so that it does not end here.
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
                its.use(self.cloned_operands(mine, its, values))

    def cloned_operands(self, mine: Op, its: Op, values: dict[Value, Value]) -> list[Value]:
        """The operands of a copy: the copies of the original's operands, or, where an operand was
        copied later than the operation, the original operand."""
        operands = []
        for value, found in zip(mine.operands, self.hold(its).operands, strict=True):
            twin = values.get(value, value)
            if found is not self.value(twin):
                twin = value
                expect(found is self.value(value), "the operand of a clone")
            operands.append(twin)
        return operands

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
        # Its own results must have no uses at all, not even in its own regions.
        if used_from_outside(family) or any(value.uses for value in op.results):
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
        self.mark_dead(op)

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
        # Not among the dead: its wrapper keeps the block, as it did before.
        self.is_dead(argument)
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
            # The last holder: the tree ends with it. Where other trees use what is in it, it would
            # go over to them, which the model does not follow.
            if not used_from_outside(set(everything(root))):
                node.handle = None
                self.mark_dead(root)
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
        self.mark_dead(root)

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

    def collect(self, a: int, _b: int, _c: int) -> None:
        """Runs the garbage collector, now and then."""
        if a % 64 == 0:
            gc.collect()
