"""Passes that erase, and passes that keep users of the tree: applied to the IR and the model."""

from .nodes import Block, Op, everything, used_from_outside
from .world import World, expect, ir, passmanager


def uid_of(operation) -> int:
    """The number of an operation."""
    return ir.IntegerAttr(operation.attributes["uid"]).value


class Passes(World):
    """A world in which MLIR erases things."""

    def any_module(self, number: int) -> Op | None:
        """The root of an operation, if that is a module."""
        op = self.any_op(number)
        root = op.root() if op is not None else None
        return root if isinstance(root, Op) and root.name == "builtin.module" else None

    def is_open(self, root: Op) -> bool:
        """True if a use crosses the boundary of a tree."""
        family = set(everything(root))
        uses_others = any(
            value.owner not in family
            for node in family
            if isinstance(node, Op)
            for value in node.operands
        )
        return uses_others or used_from_outside(family)

    def run(self, root: Op, *passes) -> bool:
        """Runs passes over a module; returns whether they succeeded."""
        manager = passmanager.PassManager("builtin.module", self.context)
        for one in passes:
            manager.add(one)
        manager.enable_verifier(False)
        try:
            manager.run(self.hold(root))
        except RuntimeError:
            return False
        return True

    def bury(self, node: Op | Block) -> None:
        """Something in a tree was destroyed by MLIR, with all that is in it."""
        if isinstance(node, Op):
            node.block.ops.remove(node)
        else:
            node.op.regions[node.number].remove(node)
        wrappers = [it.handle for it in everything(node) if it.handle is not None]
        for it in list(everything(node)):
            it.handle = None
        self.mark_dead(node)
        for wrapper in wrappers:
            # Not on the dead list: it still refers to its tree.
            self.is_dead(wrapper)

    def compare_dead(self, root: Op, may_die) -> None:
        """Finds out what died, which must be what ``may_die`` says, and unused."""
        for block in [node for node in everything(root) if isinstance(node, Block)]:
            if not block.alive:
                continue
            left = {uid_of(op) for op in self.hold(block).operations}
            for op in list(block.ops):
                if op.uid in left:
                    continue
                expect(may_die(op), "a pass erased something else")
                expect(not used_from_outside(set(everything(op))), "a pass erased something in use")
                self.bury(op)

    def run_pass(self, a: int, b: int, _c: int) -> None:
        """Runs cse over a module: constants that nothing uses may die, and nothing else."""
        root = self.any_module(a)
        if root is None or b % 8:
            return
        if self.run(root, "cse"):
            self.compare_dead(root, lambda op: op.name == "arith.constant")
        else:
            expect(self.is_open(root), "a pass was refused")

    def run_own_pass(self, a: int, b: int, _c: int) -> None:
        """Runs a pass in Python that erases the leaves of the module's block which nothing uses."""
        root = self.any_module(a)
        if root is None or b % 4:
            return

        def erase(op, _pass):
            for inner in op.regions[0].blocks[0].operations:
                operation = inner.operation
                used = any(list(result.uses) for result in operation.results)
                if not len(operation.regions) and not used:
                    operation.erase()

        if self.run(root, erase):
            self.compare_dead(root, lambda op: not op.regions)
        else:
            expect(self.is_open(root), "a pass was refused")

    def run_keeping_pass(self, a: int, b: int, _c: int) -> None:
        """Runs a pass in Python that keeps a detached user of a value of the module.

        The pipeline fails before cse erases that value.
        """
        root = self.any_module(a)
        if root is None or b % 4:
            return
        kept = []

        def keep(op, _pass):
            values = [it for inner in op.regions[0].blocks[0].operations for it in inner.results]
            if values:
                uid, attribute = self.uid()
                operation = self.context.new_op(
                    "t.op",
                    results=[],
                    operands=values[:1],
                    attributes={"uid": attribute},
                    loc=self.here,
                ).operation
                kept.append((uid, uid_of(values[0].owner.operation), operation))

        done = self.run(root, keep, "cse")
        expect(not (done and kept), "a pass with a user outside was not refused")
        if done:
            self.compare_dead(root, lambda op: op.name == "arith.constant")
        elif not kept:
            expect(self.is_open(root), "a pass was refused")
        for uid, used, handle in kept:
            spy = Op("t.op", uid, 0)
            spy.handle = handle
            self.enter(spy)
            owner = next(it for it in self.ops if it.uid == used)
            spy.use([owner.results[0]])
