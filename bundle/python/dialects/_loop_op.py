"""The part that the loop operations of several dialects share."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import Block, BlockArgument
from ._members import Members


class LoopOp(Members):
    """Members of the classes of loops, which have a counter and carry values along.

    It is no base of them: ``_members.with_members_of`` puts its members into them.
    """

    @property
    def body(self) -> Block:
        """The block of the loop."""
        return self.regions[0].blocks[0]

    @property
    def induction_variable(self) -> BlockArgument:
        """The argument that counts."""
        return self.body.arguments[0]

    @property
    def inner_iter_args(self) -> Sequence[BlockArgument]:
        """The loop-carried values, as arguments of the body."""
        return self.body.arguments[1:]
