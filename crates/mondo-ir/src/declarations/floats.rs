//! The formats of floating point types.

use super::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Type, TypeId};
use crate::uniquer::Uniquer;

kinds! { Type:
    /// `bf16`.
    BF16, BF16Type;
    /// `f16`.
    F16, F16Type;
    /// `f32`.
    F32, F32Type;
    /// `f64`.
    F64, F64Type;
    /// `tf32`.
    TF32, TF32Type;
    /// `f8E4M3FN`.
    Float8E4M3FN, Float8E4M3FNType;
    /// `f8E5M2`.
    Float8E5M2, Float8E5M2Type;
    /// `f8E4M3`.
    Float8E4M3, Float8E4M3Type;
    /// `f8E4M3FNUZ`.
    Float8E4M3FNUZ, Float8E4M3FNUZType;
    /// `f8E4M3B11FNUZ`.
    Float8E4M3B11FNUZ, Float8E4M3B11FNUZType;
    /// `f8E5M2FNUZ`.
    Float8E5M2FNUZ, Float8E5M2FNUZType;
}

tests! { Type, TypeKind:
    BF16 = mlirTypeIsABF16;
    F16 = mlirTypeIsAF16;
    F32 = mlirTypeIsAF32;
    F64 = mlirTypeIsAF64;
    TF32 = mlirTypeIsATF32;
    Float8E4M3FN = mlirTypeIsAFloat8E4M3FN;
    Float8E5M2 = mlirTypeIsAFloat8E5M2;
    Float8E4M3 = mlirTypeIsAFloat8E4M3;
    Float8E4M3FNUZ = mlirTypeIsAFloat8E4M3FNUZ;
    Float8E4M3B11FNUZ = mlirTypeIsAFloat8E4M3B11FNUZ;
    Float8E5M2FNUZ = mlirTypeIsAFloat8E5M2FNUZ;
}

declarations! {
    "BuiltinTypes.h" {
        mlirTypeIsABF16(of: Type<'ctx>) -> bool;
        mlirBF16TypeGet(ctx: Uniquer<'ctx>) -> BF16Type<'ctx>;
        mlirBFloat16TypeGetTypeID() -> TypeId<'static>;
        mlirBF16TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAF16(of: Type<'ctx>) -> bool;
        mlirF16TypeGet(ctx: Uniquer<'ctx>) -> F16Type<'ctx>;
        mlirFloat16TypeGetTypeID() -> TypeId<'static>;
        mlirF16TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAF32(of: Type<'ctx>) -> bool;
        mlirF32TypeGet(ctx: Uniquer<'ctx>) -> F32Type<'ctx>;
        mlirFloat32TypeGetTypeID() -> TypeId<'static>;
        mlirF32TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAF64(of: Type<'ctx>) -> bool;
        mlirF64TypeGet(ctx: Uniquer<'ctx>) -> F64Type<'ctx>;
        mlirFloat64TypeGetTypeID() -> TypeId<'static>;
        mlirF64TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsATF32(of: Type<'ctx>) -> bool;
        mlirTF32TypeGet(ctx: Uniquer<'ctx>) -> TF32Type<'ctx>;
        mlirFloatTF32TypeGetTypeID() -> TypeId<'static>;
        mlirTF32TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E4M3FN(of: Type<'ctx>) -> bool;
        mlirFloat8E4M3FNTypeGet(ctx: Uniquer<'ctx>) -> Float8E4M3FNType<'ctx>;
        mlirFloat8E4M3FNTypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E4M3FNTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E5M2(of: Type<'ctx>) -> bool;
        mlirFloat8E5M2TypeGet(ctx: Uniquer<'ctx>) -> Float8E5M2Type<'ctx>;
        mlirFloat8E5M2TypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E5M2TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E4M3(of: Type<'ctx>) -> bool;
        mlirFloat8E4M3TypeGet(ctx: Uniquer<'ctx>) -> Float8E4M3Type<'ctx>;
        mlirFloat8E4M3TypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E4M3TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E4M3FNUZ(of: Type<'ctx>) -> bool;
        mlirFloat8E4M3FNUZTypeGet(ctx: Uniquer<'ctx>) -> Float8E4M3FNUZType<'ctx>;
        mlirFloat8E4M3FNUZTypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E4M3FNUZTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E4M3B11FNUZ(of: Type<'ctx>) -> bool;
        mlirFloat8E4M3B11FNUZTypeGet(ctx: Uniquer<'ctx>) -> Float8E4M3B11FNUZType<'ctx>;
        mlirFloat8E4M3B11FNUZTypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E4M3B11FNUZTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E5M2FNUZ(of: Type<'ctx>) -> bool;
        mlirFloat8E5M2FNUZTypeGet(ctx: Uniquer<'ctx>) -> Float8E5M2FNUZType<'ctx>;
        mlirFloat8E5M2FNUZTypeGetTypeID() -> TypeId<'static>;
        mlirFloat8E5M2FNUZTypeGetName() -> Text<'static>, since "22";
    }
}
