"""Real work in each of our packages, and in numpy: what a process does before and after another
package is loaded.

Each kind of package is a class whose `work` parses, runs passes, prints and, where the package can,
compiles and runs code. It raises if a result is not the right one.
"""

from __future__ import annotations

import ctypes
import importlib
from types import ModuleType
from typing import Any

ADDITION = """
func.func @f() -> i32 attributes { llvm.emit_c_interface } {
  %0 = arith.constant 20 : i32
  %1 = arith.constant 22 : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
"""
FOLDED = "arith.constant 42 : i32"


def expect(holds: bool, said: object) -> None:
    """Raises if it does not hold; unlike `assert`, also under -O."""
    if not holds:
        raise AssertionError(f"a wrong result: {said}")


class Package:
    """A package that has nothing of MLIR's."""

    def __init__(self, root: str) -> None:
        self.root = root

    def load(self) -> None:
        """Imports it."""
        importlib.import_module(self.root)

    def work(self) -> None:
        """Does real work with it."""
        raise NotImplementedError


class Mlir(Package):
    """A package with upstream's modules `ir` and `passmanager` below its root."""

    source = ADDITION
    expected = FOLDED

    @property
    def ir(self) -> ModuleType:
        """Its `ir`."""
        return self.module("ir")

    def module(self, name: str) -> ModuleType:
        """A module below its root."""
        return importlib.import_module(f"{self.root}.{name}")

    def load(self) -> None:
        self.ir, self.module("passmanager")

    def prepare(self, context: Any) -> None:
        """Makes the dialects of `source` known to a context."""

    def run_passes(self, operation: Any, pipeline: str) -> None:
        """Runs passes over an operation."""
        self.module("passmanager").PassManager.parse(f"builtin.module({pipeline})").run(operation)

    def work(self) -> None:
        ir = self.ir
        with ir.Context() as context, ir.Location.unknown():
            self.prepare(context)
            module = ir.Module.parse(self.source)
            self.run_passes(module.operation, "canonicalize")
            expect(self.expected in str(module), module)
            expect(str(ir.Type.parse("vector<4xf32>")) == "vector<4xf32>", "a type")
            self.refuses_what_is_broken()
            self.compile(module)

    def refuses_what_is_broken(self) -> None:
        """A diagnostic becomes this package's own exception."""
        ir = self.ir
        try:
            ir.Module.parse("module { %0 = ")
        except ir.MLIRError as error:
            expect(type(error).__module__.startswith(self.root.split(".")[0]), type(error))
        else:
            raise AssertionError("a broken module was parsed")

    def compile(self, module: Any) -> None:
        """Runs the module, where the package can."""


class WithEngine(Mlir):
    """A package that has upstream's execution engine, unless it was made without."""

    def compile(self, module: Any) -> None:
        try:
            engines = self.module("execution_engine")
        except ImportError:
            return
        pipeline = "convert-func-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts"
        self.run_passes(module.operation, pipeline)
        engine = engines.ExecutionEngine(module)
        result = ctypes.c_int32(-1)
        engine.invoke("f", ctypes.pointer(result))
        expect(result.value == 42, result)


class Ours(WithEngine):
    """One of our wheels, under whatever label."""


class Numpy(Package):
    """numpy, with its BLAS and its LAPACK."""

    def work(self) -> None:
        numpy = importlib.import_module("numpy")
        square = numpy.array([[4.0, 1.0], [2.0, 3.0]])
        solved = numpy.linalg.solve(square, numpy.array([6.0, 8.0]))
        expect(numpy.allclose(square @ solved, [6.0, 8.0]), solved)
        values = sorted(numpy.linalg.eigvals(square).real)
        expect(numpy.allclose(values, [2.0, 5.0]), values)


def package(root: str) -> Package:
    """The package with this import root: numpy, or one of ours."""
    return Numpy(root) if root == "numpy" else Ours(root)


def apart(one: Package, other: Package) -> None:
    """Objects of one package are refused by the other."""
    if not (isinstance(one, Mlir) and isinstance(other, Mlir)):
        together(one, other)
        together(other, one)
        return
    expect(one.ir.Context is not other.ir.Context, "one Context for two packages")
    expect(one.ir.MLIRError is not other.ir.MLIRError, "one MLIRError for two packages")
    refused(one, other)
    refused(other, one)


def refused(by: Mlir, made: Mlir) -> None:
    """`by` takes nothing that `made` has made."""
    context, own = made.ir.Context(), by.ir.Context()
    foreign = made.ir.F32Type.get(context)
    attribute = made.ir.StringAttr.get("a", context)
    expect(not isinstance(foreign, by.ir.Type), "a type is an instance of the other's class")
    expect(not isinstance(attribute, by.ir.Attribute), "an attribute is an instance of the other's")
    with own, by.ir.Location.unknown():
        for what, use in {
            "a context": lambda: by.ir.Module.parse("module {}", context),
            "a type": lambda: by.ir.VectorType.get([2], foreign),
            "a type in a list": lambda: by.ir.TupleType.get_tuple([foreign]),
            "an attribute": lambda: by.ir.DictAttr.get({"a": attribute}),
        }.items():
            try:
                taken = use()
            except (TypeError, RuntimeError) as error:
                # nanobind raises the latter for what is in a list (std::bad_cast).
                expect(isinstance(error, TypeError) or not isinstance(by, Ours), error)
            else:
                raise AssertionError(f"{by.root} took {what} of {made.root}: {taken!r}")
        expect(str(by.ir.VectorType.get([2], by.ir.F32Type.get())) == "vector<2xf32>", "its own")


def together(ours: Package, numpy: Package) -> None:
    """An array goes into an attribute and comes out again."""
    if not (isinstance(ours, Mlir) and isinstance(numpy, Numpy)):
        return
    np = importlib.import_module("numpy")
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    with ours.ir.Context():
        attribute = ours.ir.DenseElementsAttr.get(array)
        expect("[[0, 1, 2], [3, 4, 5]]" in str(attribute), attribute)
        expect((np.array(attribute) == array).all(), "the array came back changed")
