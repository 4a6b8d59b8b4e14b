"""NumPy arrays as memrefs, and memrefs as NumPy arrays.

A descriptor is what compiled code takes for a memref: pointers, an offset, sizes and strides. One
that was made from an array keeps the array; an array that was made from a descriptor does not keep
what the descriptor points to.
"""

import ctypes
from typing import Any

import numpy as np

try:
    import ml_dtypes
except ModuleNotFoundError:
    # An optional package with NumPy types for bfloat16 and float8_e5m2.
    ml_dtypes = None

__all__ = [
    "BF16",
    "C64",
    "C128",
    "F16",
    "F8E5M2",
    "UnrankedMemRefDescriptor",
    "as_ctype",
    "ctypes",
    "get_ranked_memref_descriptor",
    "get_unranked_memref_descriptor",
    "make_nd_memref_descriptor",
    "make_zero_d_memref_descriptor",
    "ml_dtypes",
    "move_aligned_ptr_by_offset",
    "np",
    "ranked_memref_to_numpy",
    "to_numpy",
    "unranked_memref_to_numpy",
]


class C128(ctypes.Structure):
    """``complex<f64>``."""

    _fields_ = [("real", ctypes.c_double), ("imag", ctypes.c_double)]


class C64(ctypes.Structure):
    """``complex<f32>``."""

    _fields_ = [("real", ctypes.c_float), ("imag", ctypes.c_float)]


class F16(ctypes.Structure):
    """The bits of an ``f16``."""

    _fields_ = [("f16", ctypes.c_int16)]


class BF16(ctypes.Structure):
    """The bits of a ``bf16``."""

    _fields_ = [("bf16", ctypes.c_int16)]


class F8E5M2(ctypes.Structure):
    """The bits of an ``f8E5M2``."""

    _fields_ = [("f8E5M2", ctypes.c_int8)]


# The types that ctypes has no word for: NumPy's name, ours, and whether ml_dtypes brings the
# former.
_STRUCTURES = (
    ("complex128", C128, False),
    ("complex64", C64, False),
    ("float16", F16, False),
    ("bfloat16", BF16, True),
    ("float8_e5m2", F8E5M2, True),
)


def _dtype_named(name: str, from_ml_dtypes: bool) -> np.dtype | None:
    if not from_ml_dtypes:
        return np.dtype(name)
    return None if ml_dtypes is None else np.dtype(getattr(ml_dtypes, name))


def as_ctype(dtp: Any) -> Any:
    """The ctypes type for elements of a NumPy type."""
    for name, structure, from_ml_dtypes in _STRUCTURES:
        known = _dtype_named(name, from_ml_dtypes)
        if known is not None and dtp == known:
            return structure
    return np.ctypeslib.as_ctypes_type(dtp)


def to_numpy(array: np.ndarray) -> np.ndarray:
    """An array of one of the structures above, as one of NumPy's own type for it."""
    for name, structure, from_ml_dtypes in _STRUCTURES:
        if array.dtype == structure:
            known = _dtype_named(name, from_ml_dtypes)
            if known is None:
                raise ImportError(
                    f"arrays of {name} need the package ml_dtypes (pip install ml_dtypes)",
                    name="ml_dtypes",
                )
            return array.view(known)
    return array


def _pointers_to(dtype: Any) -> list[tuple[str, Any]]:
    return [
        ("allocated", ctypes.c_longlong),
        ("aligned", ctypes.POINTER(dtype)),
        ("offset", ctypes.c_longlong),
    ]


def make_nd_memref_descriptor(rank: int, dtype: Any) -> type[ctypes.Structure]:
    """The class of descriptors of a rank above 0 and an element type."""
    extents = ctypes.c_longlong * rank
    fields = [*_pointers_to(dtype), ("shape", extents), ("strides", extents)]
    return type("MemRefDescriptor", (ctypes.Structure,), {"_fields_": fields})


def make_zero_d_memref_descriptor(dtype: Any) -> type[ctypes.Structure]:
    """The class of descriptors of rank 0 and an element type."""
    return type("MemRefDescriptor", (ctypes.Structure,), {"_fields_": _pointers_to(dtype)})


class UnrankedMemRefDescriptor(ctypes.Structure):
    """A rank, and a pointer to a descriptor of that rank."""

    _fields_ = [("rank", ctypes.c_longlong), ("descriptor", ctypes.c_void_p)]


def get_ranked_memref_descriptor(nparray: np.ndarray) -> ctypes.Structure:
    """The descriptor of an array, for a memref of its rank."""
    element = as_ctype(nparray.dtype)
    rank = nparray.ndim
    if rank:
        descriptor = make_nd_memref_descriptor(rank, element)()
        descriptor.shape = nparray.ctypes.shape
        # NumPy counts bytes, MLIR elements.
        elements = [stride // nparray.itemsize for stride in nparray.strides]
        descriptor.strides = (ctypes.c_longlong * rank)(*elements)
    else:
        descriptor = make_zero_d_memref_descriptor(element)()
    descriptor.allocated = nparray.ctypes.data
    descriptor.aligned = nparray.ctypes.data_as(ctypes.POINTER(element))
    descriptor.offset = 0
    # The memory is the array's.
    descriptor.array = nparray
    return descriptor


def get_unranked_memref_descriptor(nparray: np.ndarray) -> UnrankedMemRefDescriptor:
    """The descriptor of an array, for an unranked memref."""
    ranked = get_ranked_memref_descriptor(nparray)
    descriptor = UnrankedMemRefDescriptor()
    descriptor.rank = nparray.ndim
    descriptor.descriptor = ctypes.cast(ctypes.pointer(ranked), ctypes.c_void_p)
    descriptor.ranked = ranked
    return descriptor


def move_aligned_ptr_by_offset(aligned_ptr: Any, offset: int) -> Any:
    """A pointer to the element that is ``offset`` elements on."""
    element = aligned_ptr._type_
    address = ctypes.addressof(aligned_ptr.contents) + offset * ctypes.sizeof(element)
    return ctypes.cast(address, type(aligned_ptr))


def _array(descriptor: Any) -> np.ndarray:
    first = move_aligned_ptr_by_offset(descriptor.aligned, descriptor.offset)
    if not hasattr(descriptor, "shape"):
        return to_numpy(np.ctypeslib.as_array(first, shape=(1,)).reshape(()))
    contiguous = np.ctypeslib.as_array(first, shape=tuple(descriptor.shape))
    strides = [stride * contiguous.itemsize for stride in descriptor.strides]
    return to_numpy(np.lib.stride_tricks.as_strided(contiguous, tuple(descriptor.shape), strides))


def unranked_memref_to_numpy(unranked_memref: Any, np_dtype: Any) -> np.ndarray:
    """The array for a pointer to the descriptor of an unranked memref, with elements of a type."""
    element = as_ctype(np.dtype(np_dtype))
    rank = unranked_memref[0].rank
    if rank:
        layout = make_nd_memref_descriptor(rank, element)
    else:
        layout = make_zero_d_memref_descriptor(element)
    return _array(ctypes.cast(unranked_memref[0].descriptor, ctypes.POINTER(layout))[0])


def ranked_memref_to_numpy(ranked_memref: Any) -> np.ndarray:
    """The array for a pointer to the descriptor of a memref."""
    return _array(ranked_memref[0])
