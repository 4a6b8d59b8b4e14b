"""Types and attributes: made, taken apart and compared."""

from __future__ import annotations

from mlir.extras import types as T
from mlir.ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    Context,
    DenseElementsAttr,
    DenseI64ArrayAttr,
    DictAttr,
    F32Type,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    Location,
    MemRefType,
    RankedTensorType,
    StringAttr,
    SymbolRefAttr,
    Type,
    TypeAttr,
    VectorType,
)


def described(kind: Type) -> str:
    """A type in words."""
    if isinstance(kind, IntegerType):
        return f"an integer of {kind.width} bits"
    if isinstance(kind, RankedTensorType):
        sizes = [kind.get_dim_size(index) for index in range(kind.rank)]
        return f"a tensor of {sizes} {described(kind.element_type)}"
    if isinstance(kind, MemRefType):
        return f"a buffer of rank {kind.rank}"
    if isinstance(kind, FunctionType):
        return " to ".join(described(each) for each in (*kind.inputs, *kind.results))
    return str(kind)


def held(attribute: Attribute) -> object:
    """The Python value of an attribute."""
    if isinstance(attribute, (IntegerAttr, FloatAttr, BoolAttr, StringAttr)):
        return attribute.value
    if isinstance(attribute, ArrayAttr):
        return [held(each) for each in attribute]
    if isinstance(attribute, DenseI64ArrayAttr):
        return list(attribute)
    if isinstance(attribute, DictAttr):
        return {name: held(attribute[name]) for name in ("one", "two")}
    return None


def main() -> None:
    """Makes some of each."""
    with Context(), Location.unknown():
        i8: IntegerType = T.i8()
        assert described(i8) == "an integer of 8 bits"
        matrix = RankedTensorType.get([2, 3], F32Type.get())
        assert described(matrix) == "a tensor of [2, 3] f32"
        assert T.memref(4, T.f32()) == MemRefType.get([4], T.f32())
        function = T.function(inputs=[i8], results=[matrix])
        assert described(function).startswith("an integer of 8 bits to a tensor")
        assert isinstance(T.vector(4, T.f32()), VectorType)

        one = IntegerAttr.get(i8, 1)
        two = FloatAttr.get(T.f64(), 0.5)
        assert held(ArrayAttr.get([one, two])) == [1, 0.5]
        assert held(DictAttr.get({"one": one, "two": two})) == {"one": 1, "two": 0.5}
        assert held(DenseI64ArrayAttr.get([1, 2])) == [1, 2]
        splat = DenseElementsAttr.get_splat(matrix, FloatAttr.get(T.f32(), 1.0))
        assert splat.is_splat
        assert TypeAttr.get(i8).value == i8
        assert SymbolRefAttr.get(["a", "b"]).value == ["a", "b"]
        assert Attribute.parse("true") == BoolAttr.get(True)


if __name__ == "__main__":
    main()
