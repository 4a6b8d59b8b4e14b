//! The formats of floating point types that no LLVM before 22 has.

use super::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Type, TypeId};
use crate::uniquer::Uniquer;

kinds! { Type:
    /// `f4E2M1FN`.
    Float4E2M1FN, Float4E2M1FNType;
    /// `f6E2M3FN`.
    Float6E2M3FN, Float6E2M3FNType;
    /// `f6E3M2FN`.
    Float6E3M2FN, Float6E3M2FNType;
    /// `f8E3M4`.
    Float8E3M4, Float8E3M4Type;
    /// `f8E8M0FNU`.
    Float8E8M0FNU, Float8E8M0FNUType;
}

tests! { Type, TypeKind:
    Float4E2M1FN = mlirTypeIsAFloat4E2M1FN;
    Float6E2M3FN = mlirTypeIsAFloat6E2M3FN;
    Float6E3M2FN = mlirTypeIsAFloat6E3M2FN;
    Float8E3M4 = mlirTypeIsAFloat8E3M4;
    Float8E8M0FNU = mlirTypeIsAFloat8E8M0FNU;
}

declarations! {
    "BuiltinTypes.h" {
        mlirTypeIsAFloat4E2M1FN(of: Type<'ctx>) -> bool, since "22";
        mlirFloat4E2M1FNTypeGet(ctx: Uniquer<'ctx>) -> Float4E2M1FNType<'ctx>, since "22";
        mlirFloat4E2M1FNTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirFloat4E2M1FNTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat6E2M3FN(of: Type<'ctx>) -> bool, since "22";
        mlirFloat6E2M3FNTypeGet(ctx: Uniquer<'ctx>) -> Float6E2M3FNType<'ctx>, since "22";
        mlirFloat6E2M3FNTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirFloat6E2M3FNTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat6E3M2FN(of: Type<'ctx>) -> bool, since "22";
        mlirFloat6E3M2FNTypeGet(ctx: Uniquer<'ctx>) -> Float6E3M2FNType<'ctx>, since "22";
        mlirFloat6E3M2FNTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirFloat6E3M2FNTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E3M4(of: Type<'ctx>) -> bool, since "22";
        mlirFloat8E3M4TypeGet(ctx: Uniquer<'ctx>) -> Float8E3M4Type<'ctx>, since "22";
        mlirFloat8E3M4TypeGetTypeID() -> TypeId<'static>, since "22";
        mlirFloat8E3M4TypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAFloat8E8M0FNU(of: Type<'ctx>) -> bool, since "22";
        mlirFloat8E8M0FNUTypeGet(ctx: Uniquer<'ctx>) -> Float8E8M0FNUType<'ctx>, since "22";
        mlirFloat8E8M0FNUTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirFloat8E8M0FNUTypeGetName() -> Text<'static>, since "22";
    }
}
