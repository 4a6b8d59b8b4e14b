"""linalg opdsl: definitions of one's own and the predefined ones."""

from mlir.dialects import arith, builtin, func, linalg, tensor
from mlir.dialects.linalg.opdsl.lang import *
from mlir.ir import *

T1 = TV.T1
T2 = TV.T2


@linalg_structured_op
def my_matmul(
    A=TensorDef(T1, S.M, S.K),
    B=TensorDef(T2, S.K, S.N),
    C=TensorDef(U, S.M, S.N, output=True),
    cast=TypeFnAttrDef(default=TypeFn.cast_signed),
):
    """A product."""
    domain(D.m, D.n, D.k)
    implements(ContractionOpInterface)
    C[D.m, D.n] += cast(U, A[D.m, D.k]) * cast(U, B[D.k, D.n])


@linalg_structured_op
def pool(
    I=TensorDef(T1, S.N, S.OH * S.SH + S.KH * S.DH, S.C),
    K=TensorDef(T2, S.KH, index_dims=[D.kh]),
    O=TensorDef(U, S.N, S.OH, S.C, output=True),
    reduce=BinaryFnAttrDef(default=BinaryFn.max_signed),
    strides=IndexAttrDef(S.SH, default=[1]),
    dilations=IndexAttrDef(S.DH, default=[1]),
):
    domain(D.n, D.oh, D.kh, D.c)
    O[D.n, D.oh, D.c] = reduce[D.kh,](TypeFn.cast_signed(U, I[D.n, D.oh * S.SH + D.kh * S.DH, D.c]))


@linalg_structured_op
def rng(
    min=ScalarDef(F64),
    max=ScalarDef(F64),
    seed=ScalarDef(I32),
    O=TensorDef(T1, S.M, S.N, output=True),
):
    domain(D.m, D.n)
    multiplier = TypeFn.cast_signed(I32, const(1103515245))
    inc = TypeFn.cast_signed(I32, const(12345))
    rand1 = (TypeFn.cast_signed(I32, index(D.m)) + seed) * multiplier + inc
    scaling = (max - min) * TypeFn.cast_signed(F64, const(2.3283064e-10))
    O[D.m, D.n] = TypeFn.cast_signed(T1, TypeFn.cast_signed(F64, rand1) * scaling + min)
