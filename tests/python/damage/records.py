"""Operations as records: sound operations of a corpus, from which texts in the generic form are put
together with some parts changed.

A text is a list of fragments. Each operation has two of them, before and after its regions, so that
a change of one operation writes two fragments anew and leaves the others.
"""

import bisect
import collections
import dataclasses
import io
import itertools
import re

DIVIDER = re.compile(r"^\s*// -----.*$", flags=re.MULTILINE)

# The characters of a piece, which is one operation with its regions. Larger ones are slow to read.
LONGEST = 1_500
# Pieces that begin with the same operation.
PIECES = 12
# Texts that are read in one context.
PER_CONTEXT = 500
# Values that are kept for attributes of one name.
VALUES = 40


@dataclasses.dataclass
class Record:
    """One operation, and the places of its two fragments."""

    name: str
    operands: list
    results: list
    successors: list
    attributes: dict
    regions: int
    first: int
    last: int = 0
    # The text of the regions, where the fragments in between are not those.
    body: str | None = None

    def copy(self):
        return Record(
            self.name,
            list(self.operands),
            list(self.results),
            list(self.successors),
            dict(self.attributes),
            self.regions,
            self.first,
            self.last,
        )

    def before(self):
        results = ", ".join(value for value, _ in self.results)
        operands = ", ".join(value for value, _ in self.operands)
        successors = f"[{', '.join(self.successors)}]" if self.successors else ""
        given = f"{results} = " if results else ""
        return f'{given}"{self.name}"({operands}){successors}{" (" if self.regions else ""}'

    def after(self):
        entries = ", ".join(f'"{name}" = {value}' for name, value in self.attributes.items())
        taken = ", ".join(kind for _, kind in self.operands)
        given = ", ".join(kind for _, kind in self.results)
        return f"{')' if self.regions else ''} {{{entries}}} : ({taken}) -> ({given})\n"

    def key(self):
        """Records with the same key have the same parts."""
        parts = (len(self.operands), len(self.results), len(self.successors), self.regions)
        return (self.name, *parts, *sorted(self.attributes))


def defined(value, kind):
    """An operation without a meaning that defines a value."""
    return f'{value} = "t.value"() : () -> ({kind})\n'


@dataclasses.dataclass
class Piece:
    """An operation that can be read alone. Its values have names that no other piece has."""

    fragments: list
    records: list

    def text(self):
        return "".join(self.fragments)


class Writer:
    """Writes the fragments of an operation and of all in it."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.names, self.blocks = {}, {}
        self.fragments, self.records = [], []

    def value(self, value):
        name = self.names.setdefault(value, f"%{self.prefix}v{len(self.names)}")
        return name, str(value.type)

    def block(self, block):
        return self.blocks.setdefault(block, f"^{self.prefix}b{len(self.blocks)}")

    def operation(self, operation):
        record = Record(
            operation.name,
            [self.value(value) for value in operation.operands],
            [self.value(value) for value in operation.results],
            [self.block(block) for block in operation.successors],
            {name: str(value) for name, value in operation.attributes.items()},
            len(operation.regions),
            len(self.fragments),
        )
        self.records.append(record)
        self.fragments.append(record.before())
        for number, region in enumerate(operation.regions):
            self.fragments.append(", {" if number else "{")
            for place, block in enumerate(region):
                arguments = [self.value(value) for value in block.arguments]
                if place or arguments:
                    typed = ", ".join(f"{name}: {kind}" for name, kind in arguments)
                    self.fragments.append(f"\n{self.block(block)}({typed}):\n")
                else:
                    self.fragments.append("\n")
                for inner in block.operations:
                    self.operation(inner.operation)
            self.fragments.append("}")
        record.last = len(self.fragments)
        self.fragments.append(record.after())


def pieces_of(writer, wanted):
    """The operations of a writer that can stand alone, as pieces, if they are ``wanted``."""
    sizes = [0, *itertools.accumulate(map(len, writer.fragments))]
    for place, record in enumerate(writer.records):
        first, end = record.first, record.last + 1
        if sizes[end] - sizes[first] > LONGEST:
            continue
        # The operations in this one follow it.
        count = bisect.bisect_left(writer.records, end, place, key=lambda inner: inner.first)
        inside = writer.records[place:count]
        if not wanted(inside):
            continue
        body = "".join(writer.fragments[first:end])
        if any(f"\n{name}(" not in body for inner in inside for name in inner.successors):
            continue
        results = {value for inner in inside for value, _ in inner.results}
        # An argument of a block in the piece is followed by its type.
        free = {
            value: kind
            for inner in inside
            for value, kind in inner.operands
            if value not in results and f"{value}: " not in body
        }
        head = "".join(defined(value, kind) for value, kind in free.items())
        records = [inner.copy() for inner in inside]
        for inner in records:
            inner.first += 1 - first
            inner.last += 1 - first
        yield Piece([head, *writer.fragments[first:end]], records)


class Corpus:
    """Pieces, and the names, types and values that occur in them."""

    def __init__(self):
        self.pieces, self.texts, self.bytecodes = [], [], []
        self.names, self.types, self.values = [], [], []
        # Values by the name of the attribute.
        self.named = {}


class Wanted:
    """Decides which operations become pieces: some of each name, and two of each shape."""

    def __init__(self):
        self.names, self.shapes = collections.Counter(), collections.Counter()

    def __call__(self, inside):
        outer = inside[0]
        shape = (outer.key(), *sorted({inner.name for inner in inside[1:]}))
        if self.shapes[shape] >= 2 or self.names[outer.name] >= PIECES:
            return False
        self.shapes[shape] += 1
        self.names[outer.name] += 1
        return True


def writers(readers, parts):
    """A writer for each operation at the top of each part that can be read."""
    for start in range(0, len(parts), PER_CONTEXT):
        with readers.context():
            for number, text in enumerate(parts[start : start + PER_CONTEXT], start):
                try:
                    module = readers.ir.Module.parse(text).operation
                except (readers.ir.MLIRError, ValueError):
                    continue
                for place, operation in enumerate(module.regions[0].blocks[0].operations):
                    writer = Writer(f"x{number}_{place}_")
                    writer.operation(operation.operation)
                    yield writer


def corpus_of(readers, texts):
    """The corpus of some texts, each in parts that a line of dashes divides."""
    parts = [part for text in texts for part in DIVIDER.split(text)]
    found, wanted = Corpus(), Wanted()
    found.texts = [part for part in parts if len(part) <= LONGEST]
    for writer in writers(readers, parts):
        found.pieces += pieces_of(writer, wanted)
    names, types, values = {}, {}, {}
    for record in (record for piece in found.pieces for record in piece.records):
        names[record.name] = None
        for _, kind in (*record.operands, *record.results):
            if len(kind) < 200:
                types[kind] = None
        for name, value in record.attributes.items():
            same = found.named.setdefault(name, [])
            if len(value) < 300 and value not in same and len(same) < VALUES:
                same.append(value)
                values[value] = None
    found.names, found.types, found.values = list(names), list(types), list(values)
    found.bytecodes = bytecodes_of(readers, found.pieces)
    return found


def bytecodes_of(readers, pieces):
    """The bytecode of the pieces that can be read."""
    found = []
    for start in range(0, len(pieces), PER_CONTEXT):
        with readers.context():
            for piece in pieces[start : start + PER_CONTEXT]:
                try:
                    module = readers.ir.Module.parse(piece.text()).operation
                    stream = io.BytesIO()
                    module.write_bytecode(stream)
                except (readers.ir.MLIRError, ValueError):
                    continue
                found.append(stream.getvalue())
    return found
