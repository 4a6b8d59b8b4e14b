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
# In the element itself, because the pages of nbconvert set another font for every `pre`.
_PRE = "font-family:monospace;white-space:pre;overflow-x:auto"


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
    return f'<style>{_STYLE}</style><pre class="mlir" style="{_PRE}">{body}</pre>'


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
    box = drawing.operation(top, _Point(_GAP, _GAP), _Node(None, 0))
    width, height = box.right + _GAP, box.bottom + _GAP
    drawing.connect()
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="font:12px monospace">'
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
# Distances of lines from the boxes that they pass, so that few lines lie on each other.
_LANES = (3, 5, 7, 9)


class _Point(NamedTuple):
    x: float
    y: float


class _Box(NamedTuple):
    x: float
    y: float
    right: float
    bottom: float


class _Area:
    """A block in the drawing."""

    def __init__(self, inside: _Node) -> None:
        self.inside = inside
        self.box = _Box(0, 0, 0, 0)


class _Node:
    """An operation in the drawing: its place among the rows of a block."""

    def __init__(self, area: _Area | None, row: int) -> None:
        self.area = area
        self.row = row
        self.box = _Box(0, 0, 0, 0)
        # The lower end of the row.
        self.below = 0.0


class _Source(NamedTuple):
    """The end of a value's line at what makes it. Arguments of a block are above row 0."""

    point: _Point
    node: _Node
    area: _Area


class _Drawing:
    def __init__(self, state: AsmState) -> None:
        self.state = state
        self.shapes: list[str] = []
        self.lines: list[str] = []
        self.sources: dict[Value, _Source] = {}
        self.blocks: dict[Block, _Area] = {}
        # Lines need the sizes of all boxes, so they are drawn last.
        self.uses: list[tuple[Value, _Point, _Node]] = []
        self.terminators: list[tuple[_Node, list[Block]]] = []

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

    def operation(self, op: Operation, at: _Point, node: _Node) -> _Box:
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
                inner = self.block(block, _Point(at.x + _GAP, bottom + _GAP), node)
                # To the right of the head and of the blocks, lines go down.
                right, bottom = max(right, head.right + _GAP, inner.right + _GAP), inner.bottom
        box = _Box(at.x, at.y, right, bottom + (_GAP if bottom > head.bottom else 0))
        if box.bottom > head.bottom:
            self.rectangle(box, "#f7f9fc", place)
        node.box = box
        if node.area is not None:
            for number, result in enumerate(results, 1):
                x = box.x + (box.right - box.x) * number / (len(results) + 1)
                self.sources[result] = _Source(_Point(x, box.bottom), node, node.area)
        operands = list(op.operands)
        for number, value in enumerate(operands, 1):
            x = head.x + (head.right - head.x) * number / (len(operands) + 1)
            self.uses.append((value, _Point(x, head.y), node))
        successors = list(op.successors)
        if successors:
            self.terminators.append((node, successors))
        return box

    def block(self, block: Block, at: _Point, inside: _Node) -> _Box:
        """Draws a block: its arguments, and below them operations, users below what they use."""
        area = self.blocks[block] = _Area(inside)
        place = len(self.shapes)
        x, y = at.x + _GAP, at.y + _GAP
        right, bottom = x, y
        for value in block.arguments:
            text = f"{value.get_name(self.state)}: {value.type}"
            box = self.label(_Point(right, y), [text], "#fff4e0")
            node = _Node(area, -1)
            node.below = box.bottom
            point = _Point((box.x + box.right) / 2, box.bottom)
            self.sources[value] = _Source(point, node, area)
            right, bottom = box.right + _GAP, box.bottom + 2 * _GAP
        widest = right
        for number, row in enumerate(_rows(block)):
            right, lowest, nodes = x, bottom, []
            for op in row:
                nodes.append(_Node(area, number))
                box = self.operation(op, _Point(right, bottom), nodes[-1])
                right, lowest = box.right + _GAP, max(lowest, box.bottom)
            for node in nodes:
                node.below = lowest
            widest, bottom = max(widest, right), lowest + 2 * _GAP
        box = _Box(at.x, at.y, max(widest, at.x + 3 * _GAP), max(bottom - _GAP, at.y + 2 * _GAP))
        self.rectangle(box, "#fff", place)
        area.box = box
        return box

    def connect(self) -> None:
        """Draws the lines of values and of branches, which go around the boxes."""
        for number, (value, end, node) in enumerate(self.uses):
            source = self.sources.get(value)
            # The values that a drawn operation takes from outside of the drawing have no line.
            if source is not None:
                self.use(value, source, end, node, _LANES[number % len(_LANES)])
        for number, (node, successors) in enumerate(self.terminators):
            for block in successors:
                area = self.blocks.get(block)
                if area is not None:
                    self.branch(node, area, _LANES[number % len(_LANES)])

    def use(self, value: Value, source: _Source, end: _Point, user: _Node, lane: float) -> None:
        """A line from what makes a value to what uses it.

        It runs between rows, and to the right of all operations of a block and of all blocks of an
        operation.
        """
        # From the user out to the operation that is in the same region as the source.
        nodes = [user]
        while nodes[-1].area is not None and nodes[-1].area.inside is not source.area.inside:
            nodes.append(nodes[-1].area.inside)
        outer = nodes.pop()
        above = outer.box.y - lane
        points = [source.point]
        if outer.area is not source.area:
            turn = source.area.inside.box.right - lane
        elif outer.row == source.node.row + 1:
            turn = None
        else:
            turn = source.area.box.right - lane
        if turn is not None:
            y = source.node.below + lane
            points += [_Point(source.point.x, y), _Point(turn, y), _Point(turn, above)]
        else:
            points.append(_Point(source.point.x, above))
        while nodes:
            x, outer = outer.box.right - lane, nodes.pop()
            points.append(_Point(x, above))
            above = outer.box.y - lane
            points.append(_Point(x, above))
        points += [_Point(end.x, above), end]
        title = f"<title>{escape(f'{value.get_name(self.state)}: {value.type}')}</title>"
        self.line(points, 'stroke="#3a7bd5"', title)

    def branch(self, node: _Node, area: _Area, lane: float) -> None:
        """A line from an operation to the top of a block that it goes to."""
        x, y = (node.box.x + node.box.right) / 2, node.below + lane
        turn = area.inside.box.right - lane
        above, end = area.box.y - lane, (area.box.x + area.box.right) / 2
        points = [_Point(x, node.box.bottom), _Point(x, y), _Point(turn, y), _Point(turn, above)]
        points += [_Point(end, above), _Point(end, area.box.y)]
        self.line(points, 'stroke="#c0392b" stroke-dasharray="4"', "")

    def line(self, points: list[_Point], stroke: str, title: str) -> None:
        path = "L".join(f"{point.x:.0f} {point.y:.0f}" for point in points)
        style = f'fill="none" stroke-linejoin="round" {stroke}'
        self.lines.append(f'<path d="M{path}" {style}>{title}</path>')


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
