"""Calls of compiled functions with NumPy arrays: descriptors, checks and results of one call.

The lowered module has the types of LLVM only. They tell ranks and scalars, but neither the elements
nor the layouts of memrefs, so that calls with arrays need the function's type: without it, compiled
code could read beyond an array's end.
"""

import ctypes
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .. import ir

try:
    import ml_dtypes
except ModuleNotFoundError:
    # An optional package with NumPy's types for bf16 and the floats of 8 bits.
    ml_dtypes = None

# NumPy's types, or names of those in ml_dtypes, of MLIR's.
_FLOATS = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "bf16": "bfloat16",
    "f8E3M4": "float8_e3m4",
    "f8E4M3": "float8_e4m3",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
}
_INTEGER = re.compile(r"(?P<sign>[su]?)i(?P<bits>1|8|16|32|64)")
_CARRIERS = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}


def _dtypes(element: str) -> list[np.dtype]:
    """NumPy's types for a type of MLIR's; the first is that of results. Empty if there is none."""
    if element == "index":
        return [np.dtype(np.int64), np.dtype(np.uint64)]
    if integer := _INTEGER.fullmatch(element):
        bits = integer["bits"]
        if bits == "1":
            return [np.dtype(np.bool_)]
        signs = {"s": ["int"], "u": ["uint"], "": ["int", "uint"]}[integer["sign"]]
        return [np.dtype(f"{sign}{bits}") for sign in signs]
    found = _FLOATS.get(element)
    if not isinstance(found, str):
        return [] if found is None else [np.dtype(found)]
    if ml_dtypes is None:
        raise ImportError(
            f"elements of type {element} need the package ml_dtypes (pip install ml_dtypes)",
            name="ml_dtypes",
        )
    named = getattr(ml_dtypes, found, None)
    return [] if named is None else [np.dtype(named)]


def _of_llvm(dtype: np.dtype) -> str:
    """The LLVM type that a scalar is passed as."""
    name = dtype.name
    if name == "bool":
        return "i1"
    if dtype.kind in "iu":
        return f"i{8 * dtype.itemsize}"
    if name.startswith("float8"):
        return "i8"
    if name.startswith("complex"):
        half = "f32" if dtype.itemsize == 8 else "f64"
        return f"struct<({half}, {half})>"
    return {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}.get(
        name, name
    )


def _carrier(dtype: np.dtype) -> Any:
    """A ctypes type of the size and the alignment of a scalar."""
    if dtype.kind == "c":
        return _CARRIERS[dtype.itemsize // 2] * 2
    return _CARRIERS[dtype.itemsize]


def _split(text: str) -> list[str]:
    """The parts of a list of types, which have brackets of their own."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<({[") - (char in ">)}]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _parameters(function: str) -> list[str]:
    """The parameters of ``!llvm.func<result (…)>``."""
    inside = function[function.index("<") + 1 : -1]
    # The parameters are the last brackets; the result may have some too.
    depth = 0
    for start in range(len(inside) - 1, -1, -1):
        depth += (inside[start] == ")") - (inside[start] == "(")
        if depth == 0:
            return _split(inside[start + 1 : -1])
    return []


def _result(function: str) -> str:
    inside = function[function.index("<") + 1 : -1]
    return inside[: inside.rindex(f"({', '.join(_parameters(function))})")].strip()


class _Call:
    """The places where arguments are described, and the words that they are passed as."""

    def __init__(self, name: str) -> None:
        self.name = name
        # Addresses of the packed arguments, and what they are of.
        self.addresses: list[int] = []
        self.kept: list[Any] = []
        # The LLVM types of the function that would take them.
        self.words: list[list[str]] = []

    def place(self, number: int) -> str:
        return f"argument {number} of @{self.name}"

    def _pass(self, value: Any) -> None:
        self.kept.append(value)
        self.addresses.append(ctypes.addressof(value))

    def _pass_pointer(self, value: Any) -> None:
        self.kept.append(value)
        self._pass(ctypes.c_void_p(ctypes.addressof(value)))

    def array(self, number: int, array: np.ndarray, offset: int = 0, ranked: bool = True) -> None:
        place = self.place(number)
        if not array.dtype.isnative:
            raise TypeError(
                f"{place}: the array's bytes are not in this machine's order: {array.dtype}"
            )
        if array.dtype.kind not in "biufcV" or array.dtype.type is np.void:
            raise TypeError(f"{place}: no element type of MLIR's is an array's {array.dtype}")
        if not array.flags.writeable:
            raise ValueError(
                f"{place}: the array is read-only, and compiled code may write; pass a copy"
            )
        size = array.itemsize
        if any(stride % size for stride in array.strides):
            raise ValueError(
                f"{place}: the strides {array.strides} (bytes) are not multiples of an element's "
                f"{size} bytes"
            )
        rank = array.ndim
        words = ctypes.c_int64 * (3 + 2 * rank)
        data = array.ctypes.data
        strides = [stride // size for stride in array.strides]
        descriptor = words(data, data - offset * size, offset, *array.shape, *strides)
        self.kept.append(array)
        if ranked:
            self._pass_pointer(descriptor)
            self.words.append(["ptr", "ptr", "i64"] + ["i64"] * (2 * rank))
        else:
            self.kept.append(descriptor)
            self._pass_pointer((ctypes.c_int64 * 2)(rank, ctypes.addressof(descriptor)))
            self.words.append(["i64", "ptr"])

    def scalar(self, number: int, value: Any, dtype: np.dtype) -> None:
        place = self.place(number)
        try:
            stored = np.array(value, dtype)
        except (OverflowError, TypeError, ValueError) as error:
            raise TypeError(f"{place}: {value!r} is not a {dtype}: {error}") from None
        if stored.ndim:
            raise TypeError(
                f"{place}: given an array of rank {stored.ndim}, expected a scalar, {dtype}"
            )
        if dtype.kind in "iub" and stored.item() != value:
            raise TypeError(f"{place}: {value!r} is not a {dtype}")
        carrier = _carrier(dtype)()
        ctypes.memmove(ctypes.addressof(carrier), stored.tobytes(), dtype.itemsize)
        self._pass(carrier)
        self.words.append([_of_llvm(dtype)])

    def result(self, storage: Any, as_pointer: bool) -> None:
        """Gives the place of the results: the first argument if it is a structure, otherwise the
        last."""
        self.kept.append(storage)
        if as_pointer:
            pointer = ctypes.c_void_p(ctypes.addressof(storage))
            self.kept.append(pointer)
            self.addresses.insert(0, ctypes.addressof(pointer))
        else:
            self.addresses.append(ctypes.addressof(storage))

    def check(self, function: str, given: Sequence[Any]) -> None:
        """Compares the words with those that the compiled function takes."""
        expected = _parameters(function)
        passed = [word for words in self.words for word in words]
        # Of too many arguments those are in excess that come after the last parameter.
        is_excess = passed[: len(expected)] == expected
        taken = 0
        for number, (words, argument) in enumerate(zip(self.words, given, strict=False), 1):
            here = expected[taken:]
            fits = here[: len(words)] == words
            others = 0
            if words[:2] == ["ptr", "ptr"]:
                # The integers of a memref and those that follow it look alike.
                others = _count_integers(passed[taken + 2 :]) - (len(words) - 2)
                fits = fits and (is_excess or _rank(here, others) == _rank(words))
            if not fits:
                raise TypeError(
                    f"{self.place(number)}: given {_described(argument)}, expected "
                    f"{_described_words(here, others)}; the compiled function takes "
                    f"({', '.join(expected)})"
                )
            taken += len(words)
        if taken != len(expected):
            raise TypeError(
                f"@{self.name}: given {len(given)} arguments, expected a further one, "
                f"{_described_words(expected[taken:])}; the compiled function takes "
                f"({', '.join(expected)})"
            )


def _count_integers(words: Sequence[str]) -> int:
    """The number of words before the first that is not an integer of 64 bits."""
    return next((i for i, word in enumerate(words) if word != "i64"), len(words))


def _rank(words: Sequence[str], others: int = 0) -> int:
    """The rank of the memref that the words begin with, if ``others`` integers follow it."""
    return max(_count_integers(words[2:]) - others - 1, 0) // 2


def _described(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        return f"an array of rank {argument.ndim} and {argument.dtype}"
    return f"{type(argument).__name__} {argument!r}"


def _described_words(words: Sequence[str], others: int = 0) -> str:
    """A description of the next parameter, as far as LLVM's types tell, if ``others`` integers
    follow it."""
    if not words:
        return "no further argument"
    if list(words[:2]) == ["ptr", "ptr"]:
        return f"a memref of rank {_rank(words, others)}"
    if list(words[:2]) == ["i64", "ptr"]:
        return "an integer of 64 bits, or an unranked memref"
    return f"a scalar, {words[0]}"


def _memref(call: _Call, number: int, type: Any, argument: Any) -> None:
    """Checks an array against the type of a memref, and passes it."""
    place = call.place(number)
    if not isinstance(argument, np.ndarray):
        raise TypeError(f"{place}: given {_described(argument)}, expected a NumPy array for {type}")
    dtypes = _dtypes(str(type.element_type))
    if not dtypes:
        raise TypeError(f"{place}: NumPy has no type for the elements of {type}")
    if argument.dtype not in dtypes:
        names = " or ".join(str(dtype) for dtype in dtypes)
        raise TypeError(
            f"{place}: given elements of type {argument.dtype}, expected {names} for {type}"
        )
    if isinstance(type, ir.UnrankedMemRefType):
        call.array(number, argument, ranked=False)
        return
    shape = [None if type.is_dynamic_dim(i) else type.get_dim_size(i) for i in range(type.rank)]
    if argument.ndim != type.rank:
        raise ValueError(
            f"{place}: given rank {argument.ndim}, expected rank {type.rank} for {type}"
        )
    if any(size not in (None, given) for size, given in zip(shape, argument.shape, strict=False)):
        raise ValueError(f"{place}: given shape {argument.shape}, expected that of {type}")
    strides, offset = type.get_strides_and_offset()
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    given = [stride // argument.itemsize for stride in argument.strides]
    # Without a layout strides are those of the sizes, which may not be known before.
    if type.affine_map == ir.AffineMap.get_identity(type.rank, context=type.context):
        strides, step = [], 1
        for size in reversed(argument.shape):
            strides.insert(0, step)
            step *= size
    # With one element or none nobody takes a step.
    counted = [size > 1 for size in argument.shape] if argument.size else []
    for taken, wanted, stride in zip(counted, strides, given, strict=False):
        if taken and wanted not in (dynamic, stride):
            raise ValueError(
                f"{place}: given strides {tuple(given)}, expected those of {type}; pass a copy of "
                f"that "
                "layout (numpy.ascontiguousarray), or compile for memrefs with dynamic strides"
            )
    call.array(number, argument, 0 if offset == dynamic else offset)


class _Results:
    """The memory that a function leaves its results in, by their types."""

    def __init__(self, name: str, types: Sequence[Any]) -> None:
        self.types = list(types)
        self.dtypes = []
        fields: list[tuple[str, Any]] = []
        for number, result in enumerate(self.types):
            is_memref = isinstance(result, ir.MemRefType)
            dtypes = _dtypes(str(result.element_type if is_memref else result))
            if isinstance(result, ir.UnrankedMemRefType) or not dtypes:
                raise TypeError(f"result {number + 1} of @{name}: NumPy has no type for {result}")
            self.dtypes.append(dtypes[0])
            words = ctypes.c_int64 * (3 + 2 * result.rank) if is_memref else _carrier(dtypes[0])
            fields.append((f"_{number}", words))
        self.layout = type("Results", (ctypes.Structure,), {"_fields_": fields})
        self.storage = self.layout()
        first = self.types[0]
        self.is_structure = (
            len(fields) > 1 or isinstance(first, ir.MemRefType) or self.dtypes[0].kind == "c"
        )

    def word(self) -> str:
        """The LLVM type of the results."""
        words = []
        for result, dtype in zip(self.types, self.dtypes, strict=False):
            if isinstance(result, ir.MemRefType):
                extents = f", array<{result.rank} x i64>" * 2 if result.rank else ""
                words.append(f"struct<(ptr, ptr, i64{extents})>")
            else:
                words.append(_of_llvm(dtype))
        return words[0] if len(words) == 1 else f"struct<({', '.join(words)})>"

    def get(self) -> Any:
        found = [self._one(number) for number in range(len(self.types))]
        return found[0] if len(found) == 1 else tuple(found)

    def _one(self, number: int) -> Any:
        result, dtype = self.types[number], self.dtypes[number]
        if not isinstance(result, ir.MemRefType):
            start = getattr(self.layout, f"_{number}").offset
            return np.frombuffer(self.storage, np.uint8)[start : start + dtype.itemsize].view(
                dtype
            )[0]
        _, aligned, offset, *extents = getattr(self.storage, f"_{number}")
        shape, strides = tuple(extents[: result.rank]), extents[result.rank :]
        if not all(shape):
            return np.empty(shape, dtype)
        # From the first to the last byte of elements, wherever a stride leads.
        steps = [
            (size - 1) * stride * dtype.itemsize
            for size, stride in zip(shape, strides, strict=False)
        ]
        low, high = sum(min(step, 0) for step in steps), sum(max(step, 0) for step in steps)
        start = aligned + offset * dtype.itemsize + low
        memory = (ctypes.c_char * (high - low + dtype.itemsize)).from_address(start)
        view = np.ndarray(
            shape, dtype, memory, -low, [stride * dtype.itemsize for stride in strides]
        )
        # The memory is the module's, which may free it or use it again.
        return view.copy()


@lru_cache(maxsize=32)
def _parsed(text: str) -> Any:
    return ir.Type.parse(text, context=ir.Context())


def _function_type(given: Any) -> Any:
    """The function type, from itself, its text, its attribute or the function that has it."""
    if isinstance(given, str):
        return _parsed(given)
    attribute = getattr(given, "function_type", given)
    return getattr(attribute, "value", attribute)


def invoke(
    name: str,
    call_packed: Callable[[list[int]], None],
    function: str | None,
    arguments: Sequence[Any],
    type: Any,
) -> Any:
    """Calls the function ``name`` by ``call_packed``; ``function`` is its LLVM type, if known."""
    call = _Call(name)
    results = None
    if type is not None:
        signature = _function_type(type)
        if not isinstance(signature, ir.FunctionType):
            raise TypeError(f"type: given {type!r}, expected a function type for @{name}")
        if len(arguments) != len(signature.inputs):
            raise TypeError(
                f"@{name}: given {len(arguments)} arguments, expected {len(signature.inputs)} for "
                f"{signature}"
            )
        for number, (argument, wanted) in enumerate(
            zip(arguments, signature.inputs, strict=False), 1
        ):
            if isinstance(wanted, ir.MemRefType | ir.UnrankedMemRefType):
                _memref(call, number, wanted, argument)
                continue
            dtypes = _dtypes(str(wanted))
            if not dtypes:
                raise TypeError(f"{call.place(number)}: NumPy has no type for {wanted}")
            if isinstance(argument, np.generic | np.ndarray) and argument.dtype not in dtypes:
                raise TypeError(
                    f"{call.place(number)}: given {argument.dtype}, expected {dtypes[0]} for "
                    f"{wanted}"
                )
            # Signless integers take the numbers of both kinds.
            is_positive = isinstance(argument, int) and argument >= 0
            chosen = dtypes[-1] if is_positive else dtypes[0]
            call.scalar(number, argument, getattr(argument, "dtype", chosen))
        if signature.results:
            results = _Results(name, signature.results)
        if function is not None:
            call.check(function, arguments)
            wanted = results.word() if results else "void"
            if _result(function) != wanted:
                raise TypeError(
                    f"@{name}: given type {signature}, whose results are passed as {wanted}; the "
                    f"compiled "
                    f"function has {_result(function)}"
                )
    else:
        _untyped(call, function, arguments)
        result = _result(function) if function else "void"
        if result != "void":
            raise TypeError(
                f"@{name} has a result ({result}): give its MLIR type, as in "
                'type="(memref<?xf32>) -> f32"'
            )
        if function is not None:
            call.check(function, arguments)
        _refuse_arrays(call, arguments)
    if results is not None:
        call.result(results.storage, results.is_structure)
    call_packed(call.addresses)
    return None if results is None else results.get()


def _refuse_arrays(call: _Call, arguments: Sequence[Any]) -> None:
    """Raises for an array whose elements cannot be compared with those that the code reads."""
    for number, argument in enumerate(arguments, 1):
        if isinstance(argument, np.ndarray):
            raise TypeError(
                f"{call.place(number)}: given {_described(argument)}, and the compiled function "
                "does not tell the element type and the layout of its memrefs any more: give the "
                'MLIR type that it had before lowering, as in type="(memref<?xf32>) -> ()"'
            )


def _untyped(call: _Call, function: str | None, arguments: Sequence[Any]) -> None:
    """Passes arguments as they are; numbers of Python's as what the function takes there."""
    expected = _parameters(function) if function else []
    passed: list[str] = []
    for number, argument in enumerate(arguments, 1):
        # After words that do not fit nothing is known of the next ones.
        here = expected[len(passed) :] if passed == expected[: len(passed)] else []
        if isinstance(argument, np.ndarray):
            call.array(number, argument, ranked=here[:2] != ["i64", "ptr"])
        elif isinstance(argument, np.generic):
            call.scalar(number, argument, argument.dtype)
        elif isinstance(argument, bool | int | float | complex):
            if function is None:
                raise TypeError(
                    f"{call.place(number)}: given {_described(argument)}, and nothing is known of "
                    f"the "
                    "function: give a NumPy scalar, or the function's type"
                )
            # A type that is guessed here is compared with the function later.
            dtypes = _dtypes(here[0]) if here else []
            call.scalar(number, argument, dtypes[0] if dtypes else np.asarray(argument).dtype)
        else:
            raise TypeError(
                f"{call.place(number)}: given {_described(argument)}, expected a NumPy array or a "
                f"number"
            )
        passed += call.words[-1]
