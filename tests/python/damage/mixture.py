"""The inputs of the differential runs: one in a mixture of kinds, by the number of the input.

- ``piece``: an operation of the corpus in the generic form, with one to three parts changed,
- ``text``: a text of the corpus, changed as text,
- ``attribute`` and ``type``: one of the corpus, with some of its tokens changed,
- ``bytecode``: the bytecode of a piece, with some bytes changed.
"""

import random
import re

from damage import inputs
from damage.records import defined

TOKEN = re.compile(r'"[^"]*"|[\w.$@#!%^-]+|\s+|.')
NUMBER = re.compile(r"-?\d+")
TYPES = ["i1", "i32", "i64", "index", "f32", "none", "tensor<*xf32>", "tensor<?x4xf32>"]
TYPES += ["vector<[4]xf32>", "vector<f32>", "memref<*xi8>", "memref<4xf32, 3>", "tuple<>"]
TYPES += ["() -> ()", "!t.other", "complex<f32>", "tensor<0xi1>", "!llvm.ptr", "!transform.any_op"]
VALUES = ["unit", "0 : i64", "-1 : i64", "1 : i32", "true", '""', '"s"', "[]", "{}", "i32", "@none"]
VALUES += ["array<i64>", "array<i32: -1>", "array<i64: 9223372036854775807>", "[unit]", "[[]]"]
VALUES += ["array<i64: -9223372036854775808>", "9223372036854775807 : i64", "affine_map<() -> ()>"]
VALUES += ["dense<0> : tensor<0xi32>", "dense<1> : vector<4xi1>", "0 : index", "0.0 : f32"]
VALUES += ["array<i1: true>", "() -> ()", "[0 : i64, 0 : i64]", '["s"]', "[i32]"]
VALUES += ["dense<> : tensor<0xi64>"]
INTEGERS = ["0", "1", "-1", "2", "3", "7", "64", "4294967295", "9223372036854775807"]
INTEGERS += ["-9223372036854775808", "18446744073709551616", "2147483648", "100000"]
REGIONS = ["{}", "{\n^bb0:\n}", "{\n^bb0(%ra: i32):\n}", '{\n"t.end"() : () -> ()\n}']
REGIONS += ['{\n^bb0(%rb: !t.other, %rc: index):\n"t.end"(%rc) : (index) -> ()\n}']


class Mixture:
    """Makes the inputs of a seed from a corpus."""

    def __init__(self, corpus, seed):
        self.corpus, self.seed = corpus, seed
        self.chance = random.Random()
        self.random = self.chance.random

    def make(self, number):
        """The kind, the reader and the bytes of an input."""
        # Seeding with an integer takes a fifth of the time that a text takes.
        self.chance.seed(self.seed << 48 | number)
        share = self.random()
        if share < 0.5:
            return "piece", "module", self.piece().encode()
        if share < 0.65:
            text = inputs.changed(self.chance, self.corpus.texts)
            return "text", "module", text.encode("utf-8", "replace")
        if share < 0.75:
            return "attribute", "attribute", self.tokens(self.one(self.corpus.values)).encode()
        if share < 0.8:
            return "type", "type", self.tokens(self.one(self.corpus.types)).encode()
        return "bytecode", "module", self.bytecode()

    def one(self, choices):
        return choices[int(self.random() * len(choices))]

    def bytecode(self):
        if self.random() < 0.3:
            return inputs.damaged(self.chance, self.corpus.bytecodes)
        # Another index of an operation, a type or an attribute: the sizes of all sections stay, so
        # that more of these files get past the check.
        data = bytearray(self.one(self.corpus.bytecodes))
        for _ in range(self.one([1, 1, 1, 2, 3])):
            at = 20 + int(self.random() * (len(data) - 20))
            way = self.random()
            if way < 0.5:
                data[at] = (data[at] + self.one([-8, -4, -2, -1, 1, 2, 4, 8])) % 256
            elif way < 0.8:
                data[at] = self.one(data)
            else:
                data[at] = int(self.random() * 256)
        return bytes(data)

    def tokens(self, text):
        """A text with some of its tokens removed, doubled, exchanged or changed."""
        found = TOKEN.findall(text)
        if not found:
            return text
        for _ in range(self.one([1, 1, 2, 3])):
            at = int(self.random() * len(found))
            way = int(self.random() * 7)
            if way == 0:
                found[at] = ""
            elif way == 1:
                found[at] += self.one(found)
            elif way == 2:
                found[at] = self.one(found)
            elif way == 3:
                found[at] = self.one(TYPES)
            elif way == 4:
                found[at] = self.one(self.corpus.values if self.random() < 0.5 else VALUES)
            elif way == 5:
                found[at] = self.one(inputs.TOKENS)
            else:
                numbers = [place for place, token in enumerate(found) if NUMBER.fullmatch(token)]
                if numbers:
                    found[self.one(numbers)] = self.one(INTEGERS)
        return "".join(found)

    def piece(self):
        """A text in the generic form."""
        piece = self.one(self.corpus.pieces)
        fragments, changed = list(piece.fragments), {}
        for number in range(self.one([1, 1, 1, 2, 3])):
            place = int(self.random() * len(piece.records))
            record = changed.get(place) or piece.records[place].copy()
            if not fragments[record.first]:
                # The operation was in a region that is removed.
                continue
            changed[place] = record
            head = self.one(WAYS)(self, record, f"%n{number}")
            if record.body is not None:
                for inner in range(record.first + 1, record.last):
                    fragments[inner] = ""
            fragments[record.first] = head + record.before() + (record.body or "")
            fragments[record.last] = record.after()
        text = "".join(fragments)
        if self.random() < 0.1:
            text = text.replace(self.kind_in(piece), self.kind())
        if self.random() < 0.15:
            text = self.around(text)
        return text

    # Each of these changes one part of an operation. They return operations to put before it.

    def attribute(self, record, _):
        if record.attributes:
            name = self.one(list(record.attributes))
            if self.random() < 0.35:
                del record.attributes[name]
            else:
                record.attributes[name] = self.value(name, record.attributes[name])
        return ""

    def another_attribute(self, record, _):
        name = self.one(list(self.corpus.named))
        record.attributes[name] = self.value(name, "unit")
        return ""

    def operand(self, record, fresh):
        if not record.operands:
            return ""
        at = int(self.random() * len(record.operands))
        share = self.random()
        if share < 0.3:
            del record.operands[at]
        elif share < 0.4:
            record.operands.clear()
        elif share < 0.6:
            record.operands.insert(at, self.one(record.operands))
        else:
            record.operands[at] = (fresh, self.kind())
            return defined(*record.operands[at])
        return ""

    def result(self, record, fresh):
        share = self.random()
        if record.results and share < 0.6:
            at = int(self.random() * len(record.results))
            record.results[at] = (record.results[at][0], self.kind())
        elif record.results and share < 0.8:
            head = "".join(defined(value, kind) for value, kind in record.results)
            record.results.clear()
            return head
        else:
            record.results.append((fresh, self.kind()))
        return ""

    def name(self, record, _):
        record.name = self.one(self.corpus.names)
        return ""

    def region(self, record, _):
        share = self.random()
        record.body = self.one(REGIONS)
        if share < 0.3:
            record.body = ""
        elif share > 0.8:
            record.body = f"{{\n{self.one(self.corpus.pieces).text()}}}"
        if record.regions and share > 0.7:
            record.body += ", {}"
        record.regions = 1 if record.body else 0
        return ""

    def successor(self, record, _):
        if record.successors and self.random() < 0.5:
            record.successors.pop()
        elif record.successors:
            record.successors.append(record.successors[0])
        return ""

    def kind(self):
        return self.one(TYPES if self.random() < 0.3 else self.corpus.types)

    def value(self, name, value):
        """Another value for an attribute."""
        share = self.random()
        if share < 0.3:
            return self.one(self.corpus.named.get(name) or VALUES)
        if share < 0.5:
            return self.one(VALUES)
        if share < 0.7:
            return self.one(self.corpus.values)
        return self.tokens(value)

    def kind_in(self, piece):
        record = self.one(piece.records)
        values = record.operands + record.results
        return self.one(values)[1] if values else "i32"

    def around(self, text):
        """The text in the first region of another operation."""
        outer = self.one(self.corpus.pieces)
        record = outer.records[0]
        if not record.regions:
            return text
        return "".join([outer.fragments[0], record.before(), "{\n", text, "}", record.after()])


WAYS = [Mixture.attribute] * 6 + [Mixture.operand] * 3 + [Mixture.name, Mixture.region] * 2
WAYS += [Mixture.another_attribute, Mixture.result, Mixture.successor]
