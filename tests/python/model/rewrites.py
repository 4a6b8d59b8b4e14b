"""Patterns that replace and erase: applied to the IR and the model."""

from .nodes import Block, Op, everything, used_from_outside
from .passes import Passes, uid_of
from .world import expect, ir, rewrite


def uses_itself(root: Op) -> bool:
    """True if an operation in the tree uses its own results or a value that is inside of it."""
    users = [op for op in everything(root) if isinstance(op, Op) and op.operands]
    return any(value.owner in set(everything(op)) for op in users for value in op.operands)


class Rewrites(Passes):
    """A world in which pattern drivers replace and erase things."""

    def patterns(self, changes: list, erase_every: int, replace_every: int):
        """Patterns that erase and replace some operations; ``changes`` gets what they did."""

        def erase(op, rewriter):
            operation = op.operation
            number = uid_of(operation)
            if number % erase_every:
                return True
            if len(operation.results) == 1 and not len(operation.regions):
                return by_constant(operation, rewriter)
            try:
                rewriter.erase_op(operation)
            except RuntimeError:
                # It is in use.
                return True
            changes.append((number, None, None))
            return False

        def replace(op, rewriter):
            return uid_of(op.operation) % replace_every or by_constant(op.operation, rewriter)

        def by_constant(operation, rewriter):
            number = uid_of(operation)
            # A number that no pattern matches, so that the driver comes to an end.
            uid, attribute = self.uid()
            while not uid % replace_every:
                uid, attribute = self.uid()
            new = ir.Operation.create(
                "arith.constant",
                results=[self.type],
                attributes={"value": ir.IntegerAttr.get(self.type, uid), "uid": attribute},
                loc=self.here,
                ip=rewriter.ip,
            )
            rewriter.replace_op(operation, new)
            changes.append((number, uid, new))
            return False

        made = rewrite.RewritePatternSet(self.context)
        made.add("t.op", erase)
        made.add("arith.constant", replace)
        return made.freeze()

    def change(self, number: int, uid: int | None, handle) -> None:
        """Does in the model what a pattern has done."""
        op = next(it for it in self.ops if it.uid == number)
        if uid is not None:
            new = Op("arith.constant", uid, 1)
            new.handle = handle
            self.enter(new)
            new.block = op.block
            op.block.ops.insert(op.block.ops.index(op), new)
            (old,), (by,) = op.results, new.results
            for user in set(old.uses):
                user.use([by if value is old else value for value in user.operands])
        self.bury(op)

    def unreachable(self, root: Op) -> list[Block]:
        """The blocks that no branch leads to: the model has no branches."""
        regions = [it.regions for it in everything(root) if isinstance(it, Op)]
        return [block for each in regions for region in each for block in region[1:]]

    def run_patterns(self, a: int, b: int, c: int) -> None:
        """Applies patterns greedily, which erases unreachable blocks first, or in a walk."""
        # Few operations are in trees that have more than one of them.
        roots = [op for op in self.ops if op.block is None and any(op.regions)]
        if not roots:
            return
        root = roots[a % len(roots)]
        if uses_itself(root):
            # MLIR counts no use of an operation by itself: it takes what is only used so for dead.
            return
        lost = self.unreachable(root)
        # MLIR gives users of what is in such a block other operands, which the model has not.
        family = {node for block in lost for node in everything(block)}
        is_walk = c % 4 == 0 or used_from_outside(family)
        changes: list = []
        patterns = self.patterns(changes, 2 + c % 3, 2 + b % 3)
        handle = self.hold(root)
        try:
            if is_walk:
                rewrite.walk_and_apply_patterns(handle, patterns)
            else:
                config = rewrite.GreedyRewriteConfig()
                # Folding moves constants, and makes one of several.
                config.enable_folding = False
                config.enable_constant_cse = False
                if c % 2:
                    levels = rewrite.GreedySimplifyRegionLevel
                    config.region_simplification_level = levels.DISABLED
                rewrite.apply_patterns_and_fold_greedily(handle, patterns, config)
        except RuntimeError as error:
            expect(self.is_open(root) and not changes, f"patterns were refused: {error}")
            return
        if not is_walk:
            # Those in one another die with the outer one.
            for block in lost:
                if block.alive:
                    self.bury(block)
        for change in changes:
            self.change(*change)
        self.compare_dead(root, lambda op: op.name == "arith.constant" and not is_walk)
