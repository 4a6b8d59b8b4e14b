"""IR in notebooks: highlighted text, and graphs of operations and values.

A cell that ends in an operation, a module, a block, a value, a type or an attribute shows its text;
:func:`graph` draws an operation with all that is inside of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from ._mlir_libs._mlir.ir import AsmState, Block, Module, Operation, OpView, StringAttr, Value

__all__ = ["Graph", "graph", "html"]

# Elements of constants that are shown, and lines of a text.
_ELEMENTS, _LINES = 32, 2000

# The kinds of tokens that have a colour. What is none of them is plain.
_TOKEN = re.compile(
    r"""(?P<comment>//.*)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<symbol>@(?:[\w.$-]+|"[^"]*"))
    |(?P<value>%[\w.$-]+(?:[:\#]\d+)?)|(?P<block>\^[\w.$-]+)|(?P<shape>(?:(?:\d+|\?|\[\d+\])x)+)
    |(?P<number>-?\d[\w.]*(?:[eE][+-]?\d+)?)|(?P<attribute>\#[\w.$-]+)
    |(?P<type>![\w.$]+|(?:[su]?i\d+|b?f\d+\w*|tf32|index|none|memref|tensor|vector|tuple|complex)
    (?![\w.$]))|(?P<name>[A-Za-z_]\w*(?:\.[\w$]+)+)
    |(?P<keyword>(?:true|false|unit|loc|dense|affine_map|affine_set|array|attributes)\b)
    |[A-Za-z_][\w$]*""",
    re.VERBOSE,
)
_COLOURS = {
    "comment": "#808080",
    "string": "#2e8b57",
    "symbol": "#b5651d",
    "value": "#3a7bd5",
    "block": "#b5651d",
    "shape": "#a0529c",
    "number": "#a0529c",
    "attribute": "#5f8a2c",
    "type": "#16918f",
    "name": "#c0392b",
    "keyword": "#7a5cc0",
}
_STYLE = "".join(f".mlir .{kind}{{color:{colour}}}" for kind, colour in _COLOURS.items())


def html(thing: object) -> str:
    """The text of a part of the IR as HTML, with colours for the kinds of tokens."""
    if isinstance(thing, Module):
        thing = thing.operation
    if isinstance(thing, Operation | OpView):
        text = thing.get_asm(large_elements_limit=_ELEMENTS)
    else:
        text = str(thing)
    lines = text.rstrip().split("\n")
    if len(lines) > _LINES:
        lines[_LINES:] = [f"// and {len(lines) - _LINES} lines more"]
    body = "".join(_spans("\n".join(lines)))
    return f'<style>{_STYLE}</style><pre class="mlir" style="overflow-x:auto">{body}</pre>'


def _spans(text: str) -> Iterator[str]:
    end = 0
    for token in _TOKEN.finditer(text):
        yield escape(text[end : token.start()])
        end = token.end()
        shown = escape(token[0])
        kind = token.lastgroup
        yield f'<span class="{kind}">{shown}</span>' if kind else shown
    yield escape(text[end:])


class Graph:
    """A drawing of an operation, which a notebook shows."""

    def __init__(self, svg: str, title: str) -> None:
        self.svg = svg
        self._title = title

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<graph of {self._title}>"

    def save(self, path: str | Path) -> None:
        """Writes the drawing to an SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")


def graph(operation: Module | Operation | OpView, *, limit: int = 500) -> Graph:
    """Draws an operation: boxes for operations, regions and blocks, lines for values and branches.

    More than ``limit`` operations are a :class:`ValueError`: nobody could read the drawing.
    """
    top = operation.operation
    count = _count(top, limit)
    if count > limit:
        raise ValueError(
            f"a graph of more than {limit} operations: give an operation inside of "
            f"{top.name}, or a greater limit"
        )
    drawing = _Drawing(AsmState(top))
    box = drawing.operation(top, _Point(_GAP, _GAP))
    width, height = box.right + _GAP, box.bottom + _GAP
    drawing.branches()
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(drawing.shapes)}'
        f"{''.join(drawing.lines)}</svg>"
    )
    return Graph(svg, f"{top.name}: {count} operations")


def _count(operation: Operation, limit: int) -> int:
    count = 1
    for region in operation.regions:
        for block in region:
            for inner in block:
                count += _count(inner.operation, limit - count)
                if count > limit:
                    return count
    return count


# Lengths are in pixels.
_GAP, _LINE, _LETTER = 12, 18, 7.3


class _Point(NamedTuple):
    x: float
    y: float


class _Box(NamedTuple):
    x: float
    y: float
    right: float
    bottom: float


class _Drawing:
    def __init__(self, state: AsmState) -> None:
        self.state = state
        self.shapes: list[str] = []
        self.lines: list[str] = []
        # The end of a value's line at what makes it.
        self.sources: dict[Value, _Point] = {}
        self.blocks: dict[Block, _Box] = {}
        self.terminators: list[tuple[_Box, list[Block]]] = []

    def label(self, at: _Point, texts: list[str], fill: str, least: float = 0) -> _Box:
        """A box with lines of text, at least ``least`` wide."""
        width = max([least, *(len(text) * _LETTER + 2 * _GAP for text in texts)])
        box = _Box(at.x, at.y, at.x + width, at.y + len(texts) * _LINE + 6)
        self.rectangle(box, fill)
        for number, text in enumerate(texts, 1):
            place = f'x="{at.x + _GAP:.0f}" y="{at.y + number * _LINE - 2:.0f}"'
            self.shapes.append(f"<text {place}>{escape(text)}</text>")
        return box

    def rectangle(self, box: _Box, fill: str, place: int | None = None) -> None:
        shape = (
            f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.right - box.x:.0f}" '
            f'height="{box.bottom - box.y:.0f}" rx="4" fill="{fill}" stroke="#778"/>'
        )
        self.shapes.insert(len(self.shapes) if place is None else place, shape)

    def operation(self, op: Operation, at: _Point) -> _Box:
        """Draws an operation and what is inside of it."""
        results = list(op.results)
        names = ", ".join(result.get_name(self.state) for result in results)
        texts = [f"{names} = {op.name}" if names else str(op.name)]
        if "sym_name" in op.attributes:
            texts[0] += f" @{StringAttr(op.attributes['sym_name']).value}"
        elif "value" in op.attributes:
            constant = str(op.attributes["value"])
            texts.append(constant if len(constant) <= 40 else constant[:39] + "…")
        place = len(self.shapes)
        head = self.label(at, texts, "#e8f0fe")
        right, bottom = head.right, head.bottom
        for region in op.regions:
            for block in region:
                inner = self.block(block, _Point(at.x + _GAP, bottom + _GAP))
                right, bottom = max(right, inner.right + _GAP), inner.bottom
        box = _Box(at.x, at.y, right, bottom + (_GAP if bottom > head.bottom else 0))
        if box.bottom > head.bottom:
            self.rectangle(box, "#f7f9fc", place)
        for number, result in enumerate(results, 1):
            x = box.x + (box.right - box.x) * number / (len(results) + 1)
            self.sources[result] = _Point(x, box.bottom)
        operands = list(op.operands)
        for number, value in enumerate(operands, 1):
            x = head.x + (head.right - head.x) * number / (len(operands) + 1)
            self.connect(value, _Point(x, head.y))
        successors = list(op.successors)
        if successors:
            self.terminators.append((box, successors))
        return box

    def block(self, block: Block, at: _Point) -> _Box:
        """Draws a block: its arguments, and below them operations, users below what they use."""
        place = len(self.shapes)
        x, y = at.x + _GAP, at.y + _GAP
        right, bottom = x, y
        for value in block.arguments:
            text = f"{value.get_name(self.state)}: {value.type}"
            box = self.label(_Point(right, y), [text], "#fff4e0")
            self.sources[value] = _Point((box.x + box.right) / 2, box.bottom)
            right, bottom = box.right + _GAP, box.bottom + 2 * _GAP
        widest = right
        for row in _rows(block):
            right, lowest = x, bottom
            for op in row:
                box = self.operation(op, _Point(right, bottom))
                right, lowest = box.right + _GAP, max(lowest, box.bottom)
            widest, bottom = max(widest, right), lowest + 2 * _GAP
        box = _Box(at.x, at.y, max(widest, at.x + 3 * _GAP), max(bottom - _GAP, at.y + 2 * _GAP))
        self.rectangle(box, "#fff", place)
        self.blocks[block] = box
        return box

    def connect(self, value: Value, end: _Point) -> None:
        """A line from what makes a value to what uses it."""
        start = self.sources.get(value)
        # The values that a drawn operation takes from outside of the drawing have no line.
        if start is not None:
            middle = (start.y + end.y) / 2
            self.lines.append(
                f'<path d="M{start.x:.0f} {start.y:.0f}C{start.x:.0f} {middle:.0f} {end.x:.0f} '
                f'{middle:.0f} {end.x:.0f} {end.y:.0f}" fill="none" stroke="#3a7bd5">'
                f"<title>{escape(f'{value.get_name(self.state)}: {value.type}')}</title></path>"
            )

    def branches(self) -> None:
        """The lines from operations to the blocks that they go to."""
        for box, successors in self.terminators:
            for block in successors:
                to = self.blocks.get(block)
                if to is not None:
                    self.lines.append(
                        f'<path d="M{box.right:.0f} {box.bottom - 8:.0f}L{to.x:.0f} {to.y:.0f}" '
                        'fill="none" stroke="#c0392b" stroke-dasharray="4"/>'
                    )


def _rows(block: Block) -> list[list[Operation]]:
    """The operations in rows: users below what they use, and in order around those without results.

    These are there for their effects, which depend on the order.
    """
    row_of: dict[Value, int] = {}
    rows: list[list[Operation]] = []
    least = 0
    ops = [view.operation for view in block]
    for number, op in enumerate(ops, 1):
        row = max([least, *(row_of.get(value, -1) + 1 for value in _used(op))])
        if number == len(ops) and not op.results:
            # A terminator.
            row = len(rows)
        rows.extend([] for _ in range(row + 1 - len(rows)))
        rows[row].append(op)
        row_of.update((value, row) for value in op.results)
        if not op.results:
            least = row + 1
    return rows


def _used(op: Operation) -> Iterator[Value]:
    yield from op.operands
    for region in op.regions:
        for block in region:
            for inner in block:
                yield from _used(inner.operation)
