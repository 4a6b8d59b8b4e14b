"""Sound operations in the generic form, with one part of one operation changed.

A part is an attribute, a group of operands, the results, the successors or a region. The first
line of a text, a comment, names the operation and the change.
"""

import re

# Texts for each operation and change; more come from more places of an operation in the corpus.
PLACES = 6
SEGMENTS = "operandSegmentSizes"
DYNAMIC = -(2**63)
NUMBER = re.compile(r"-?\d+( : \w+)")
NUMBERS = re.compile(r"array<(i\d+): (.+)>")


def others(value):
    """Other texts for an attribute's text, by what is done to it."""
    if match := NUMBER.fullmatch(value):
        kind = match[1]
        numbers = (-1, 0, 99) if kind != " : i1" else ()
        yield from ((f"is {number}", f"{number}{kind}") for number in numbers)
    elif match := NUMBERS.fullmatch(value):
        kind, count = match[1], match[2].count(",") + 1
        yield "is empty", f"array<{kind}>"
        yield "is negative", f"array<{kind}: {', '.join(['-1'] * count)}>"
        if kind == "i64":
            yield "is dynamic", f"array<i64: {', '.join([str(DYNAMIC)] * count)}>"
    elif value.startswith("[") and value != "[]":
        yield "is empty", "[]"


def segments(operation):
    """The sizes of its groups of operands; none where the operands are in no groups."""
    found = NUMBERS.fullmatch(str(operation.attributes.get(SEGMENTS)))
    return [int(it) for it in found[2].split(",")] if found else []


def changes(operation):
    """Each change of one operation: its words, and what `Text` does."""
    attributes = {name: str(value) for name, value in operation.attributes.items()}
    for name, value in attributes.items():
        if name == SEGMENTS:
            continue
        yield f"without '{name}'", ("attribute", name, None)
        for said, other in others(value):
            yield f"'{name}' {said}", ("attribute", name, other)
    for group, size in enumerate(segments(operation)):
        if size:
            yield f"without operands #{group}", ("operands", group, None)
    if len(operation.operands):
        yield "without operands", ("operands", None, None)
    if len(operation.results):
        yield "without results", ("results", None, None)
    if len(operation.successors):
        yield "without successors", ("successors", None, None)
    for number, region in enumerate(operation.regions):
        blocks = list(region)
        if blocks:
            yield f"without what is in region #{number}", ("region", number, "{}")
            yield f"an empty block in region #{number}", ("region", number, "{\n^bb0:\n}")
        if blocks and len(blocks[0].arguments):
            yield f"other arguments of region #{number}", ("arguments", number, None)
    if len(operation.regions):
        yield "without regions", ("regions", None, None)


class Text:
    """The text of an operation, with one change at one of the operations in it."""

    def __init__(self, at=None, change=("", None, None)):
        self.at, (self.what, self.which, self.other) = at, change
        self.number = -1
        self.names, self.blocks = {}, {}

    def value(self, value):
        return self.names.setdefault(value, f"%v{len(self.names)}")

    def values(self, values):
        return ", ".join(self.value(it) for it in values)

    def block(self, block):
        return self.blocks.setdefault(block, f"^b{len(self.blocks)}")

    def attributes(self, operation, here):
        found = {name: str(value) for name, value in operation.attributes.items()}
        if here == "attribute":
            found[self.which] = self.other
        sizes = segments(operation)
        if here == "operands" and sizes:
            for group in range(len(sizes)) if self.which is None else [self.which]:
                sizes[group] = 0
            found[SEGMENTS] = f"array<i32: {', '.join(map(str, sizes))}>"
        pairs = (f'"{name}" = {value}' for name, value in found.items() if value is not None)
        return f" {{{', '.join(pairs)}}}"

    def operands(self, operation, here):
        operands = list(operation.operands)
        if here != "operands":
            return operands
        if self.which is None:
            return []
        sizes = segments(operation)
        first = sum(sizes[: self.which])
        return operands[:first] + operands[first + sizes[self.which] :]

    def region(self, region, here, number):
        if here == "region" and number == self.which:
            return self.other
        lines = []
        for place, block in enumerate(region):
            arguments = list(block.arguments)
            if here == "arguments" and number == self.which and place == 0:
                # An argument of another type stands where there were some.
                heading = f"{self.block(block)}(%other: !t.other)"
                lines += [f"{heading}:", *(self.defined(it) for it in arguments)]
            else:
                typed = (f"{self.value(it)}: {it.type}" for it in arguments)
                lines.append(f"{self.block(block)}({', '.join(typed)}):")
            lines += [self.operation(it.operation) for it in block.operations]
        return "{\n" + "\n".join(lines) + "\n}"

    def defined(self, value):
        """The value from an operation that nothing is known of."""
        return f'{self.value(value)} = "t.value"() : () -> ({value.type})'

    def operation(self, operation):
        self.number += 1
        here = self.what if self.number == self.at else ""
        results, before = list(operation.results), ""
        if here == "results":
            before = "".join(f"{self.defined(it)}\n" for it in results)
            results = []
        operands = self.operands(operation, here)
        text = f'"{operation.name}"({self.values(operands)})'
        if len(operation.successors) and here != "successors":
            text += f"[{', '.join(self.block(it) for it in operation.successors)}]"
        if len(operation.regions) and here != "regions":
            regions = enumerate(operation.regions)
            text += f" ({', '.join(self.region(it, here, number) for number, it in regions)})"
        elif here == "regions":
            # The operations that are left out have numbers all the same.
            for number, region in enumerate(operation.regions):
                self.region(region, "", number)
        text += self.attributes(operation, here)
        taken = ", ".join(str(it.type) for it in operands)
        given = ", ".join(str(it.type) for it in results)
        named = f"{self.values(results)} = " if results else ""
        return f"{before}{named}{text} : ({taken}) -> ({given})"


def operations(operation):
    """The operation and those in it, in the order of their numbers."""
    yield operation
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                yield from operations(inner.operation)


def made(readers, texts):
    """The texts with one change, of each operation that there is in sound texts."""
    found, counts = [], {}
    for whole in texts:
        for piece in re.split(r"^\s*// -----.*$", whole, flags=re.MULTILINE):
            with readers.context():
                try:
                    module = readers.ir.Module.parse(piece).operation
                    readers.ir.Module.parse(Text().operation(module))
                except readers.ir.MLIRError:
                    continue
                for at, operation in enumerate(operations(module)):
                    for said, change in changes(operation):
                        key = (operation.name, said)
                        counts[key] = counts.get(key, 0) + 1
                        if counts[key] <= PLACES:
                            text = Text(at, change).operation(module)
                            found.append(f"// {operation.name}: {said}\n{text}")
    return found
