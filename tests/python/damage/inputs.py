"""The inputs: seeds, changes of them, and texts that a grammar makes.

Each follows from the seed of the run and its number.
"""

import io
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent
SEEDS = (FOLDER / "seeds.mlir").read_text().split("// -----\n")
TOKENS = (FOLDER / "tokens.txt").read_text().splitlines()

ATTRIBUTES = [
    "1 : i8",
    '"s"',
    "[{0}]",
    "{{a = {0}}}",
    "dense<{0}> : tensor<2xi32>",
    "affine_map<(d0) -> ({1})>",
]
ATTRIBUTES += [
    "#t<{0}>",
    "loc({2})",
    "{3}",
    "@a::@b",
    "array<i8: 1>",
    "affine_set<(d0) : ({1} >= 0)>",
    "1e9 : f32",
]
TYPES = [
    "i{4}",
    "tuple<{3}, {3}>",
    "({3}) -> {3}",
    "vector<{4}x{3}>",
    "tensor<{4}x?x{3}>",
    "memref<{4}x{3}>",
]
TYPES += [
    "complex<{3}>",
    "!t<{0}>",
    "memref<*x{3}>",
    "tensor<*x{3}>",
    "index",
    "f32",
    "none",
    "tuple<{3}>",
]
AFFINE = [
    "d0",
    "{4}",
    "{1} + {1}",
    "{1} * {4}",
    "({1})",
    "-{1}",
    "{1} floordiv {4}",
    "{1} mod {4}",
    "d1",
    "s0",
]
LOCATIONS = ["unknown", '"f":{4}:{4}', '"n"({2})', "callsite({2} at {2})", "fused<{0}>[{2}, {2}]"]
NUMBERS = [
    "0",
    "1",
    "2",
    "4",
    "-1",
    "16777216",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999999",
]
NESTS = [
    ("[", "]"),
    ("(", ")"),
    ("{a = ", "}"),
    ("tuple<", ">"),
    ("<", ">"),
    ("-", ""),
    ("module {", "}"),
]
NESTS += [
    ('"t.a"() ({ ', "}) : () -> () "),
    ('"n"(', ")"),
    ("callsite(", " at unknown)"),
    ("fused[", "]"),
]
NESTS += [
    ("dense<[", "]>"),
    ("affine_map<(d0) -> (", ")>"),
    ("() -> (", ")"),
    ("complex<", ">"),
    ("vector<2x", ">"),
]


def bytecodes(ir, texts):
    """The bytecode of each text in each version that can be written."""
    found = []
    for text in texts:
        operation = ir.Operation.parse(text)
        for version in (None, 0, 1, 2, 3, 4, 5):
            stream = io.BytesIO()
            try:
                operation.write_bytecode(stream, desired_version=version)
            except ValueError:
                continue
            found.append(stream.getvalue())
    return sorted(set(found))


def varint(chance):
    """A variable-width integer, as the format has it."""
    value = chance.choice(
        [0, 1, 2, 127, 128, 2**14 - 1, 2**32, 2**63, 2**64 - 1, chance.getrandbits(64)]
    )
    value >>= chance.randrange(64)
    for more in range(8):
        if value < 1 << 7 * (more + 1):
            return ((value << 1 | 1) << more).to_bytes(more + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def damaged(chance, seeds):
    """A sound file with some changes; the magic and the version stay."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        if len(data) <= 5:
            # The changes have removed all that may change.
            break
        at = chance.randrange(5, len(data))
        change = chance.randrange(9)
        if change < 3:
            data[at : at + 1] = bytes([chance.randrange(256)])
        elif change == 3:
            data[at : at + 1] = bytes([data[at] ^ 1 << chance.randrange(8)])
        elif change == 4:
            data[at : at + 1] = varint(chance)
        elif change == 5:
            data[at : at + chance.randrange(1, 9)] = b""
        elif change == 6:
            data[at:at] = chance.randbytes(chance.randrange(1, 9))
        elif change == 7:
            other = chance.choice(seeds)
            start = chance.randrange(len(other))
            size = chance.randrange(1, 64)
            data[at : at + size] = other[start : start + size]
        else:
            del data[max(at, 6) :]
    return bytes(data)


def grown(chance, pattern, depth):
    """A text that a grammar makes of a pattern."""

    def part(choices):
        simple = [
            it
            for it in choices
            if "{0}" not in it and "{1}" not in it and "{2}" not in it and "{3}" not in it
        ]
        return grown(chance, chance.choice(simple if depth <= 0 else choices), depth - 1)

    if chance.random() < 0.02:
        return chance.choice(TOKENS)
    for mark, choices in (("{0}", ATTRIBUTES), ("{1}", AFFINE), ("{2}", LOCATIONS), ("{3}", TYPES)):
        while mark in pattern:
            pattern = pattern.replace(mark, part(choices), 1)
    while "{4}" in pattern:
        pattern = pattern.replace("{4}", chance.choice(NUMBERS), 1)
    return pattern.replace("{{", "{").replace("}}", "}")


def nested(chance):
    """Something in brackets of its own kind, deep."""
    opening, closing = chance.choice(NESTS)
    depth = int(10 ** chance.uniform(1, 4.3))
    text = opening * depth + "1" + closing * (depth - chance.choice([0, 0, 0, 1]))
    frames = [
        '"t.a"() {a = %s} : () -> ()',
        "func.func private @f(%s)",
        "%s",
        '"t.a"() : () -> () loc(%s)',
    ]
    return chance.choice(frames).replace("%s", text)


def changed(chance, seeds):
    """A sound text with some changes."""
    text = chance.choice(seeds)
    for _ in range(chance.choice([1, 1, 2, 4])):
        at = chance.randrange(len(text) + 1)
        change = chance.randrange(6)
        if change == 0:
            text = text[:at] + chance.choice(TOKENS) + text[at:]
        elif change == 1:
            text = text[:at] + text[at + chance.randrange(1, 20) :]
        elif change == 2:
            text = text[:at] + chr(chance.randrange(256)) + text[at + 1 :]
        elif change == 3:
            other = chance.choice(seeds)
            start = chance.randrange(len(other))
            text = text[:at] + other[start : start + chance.randrange(1, 80)] + text[at:]
        elif change == 4:
            text = text[:at]
        else:
            words = text.split(" ")
            words[chance.randrange(len(words))] = chance.choice(TOKENS)
            text = " ".join(words)
    return text


def texts(chance, seeds):
    """A reader's name, and a text for it in bytes, which need not be UTF-8."""
    kind = chance.random()
    if kind < 0.45:
        reader, text = "module", changed(chance, seeds)
    elif kind < 0.6:
        reader, text = "attribute", grown(chance, chance.choice(ATTRIBUTES), 6)
    elif kind < 0.75:
        reader, text = "type", grown(chance, chance.choice(TYPES), 6)
    elif kind < 0.9:
        attribute, kinds = grown(chance, "{0}", 4), grown(chance, "{3}", 4)
        reader, text = "module", f'"t.a"() ({{}}) {{a = {attribute}}} : () -> {kinds}'
    elif kind < 0.93:
        reader, text = "module", nested(chance)
    else:
        reader, text = "module", " ".join(chance.choices(TOKENS, k=chance.randrange(1, 40)))
    data = text.encode("utf-8", "surrogateescape")
    if chance.random() < 0.05:
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.randbytes(chance.randrange(1, 4)) + data[at:]
    return reader, data


def make(kind, seed, number, seeds):
    """The input with this number: a reader's name, and its bytes."""
    chance = random.Random(f"{kind} {seed} {number}")
    if kind == "parts":
        return "module", seeds[number].encode()
    if kind == "bytecode":
        return chance.choice(["module", "operation"]), damaged(chance, seeds)
    return texts(chance, seeds)
