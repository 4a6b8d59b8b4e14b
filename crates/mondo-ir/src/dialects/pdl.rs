//! `pdl`: handles to what a pattern matches.
//!
//! ```
//! # use mondo_ir::{Context, dialects::pdl};
//! Context::new().enter(|ctx, _| {
//!     let value = pdl::mlirPDLValueTypeGet(ctx.with_dialect()).any();
//!     let range = pdl::mlirPDLRangeTypeGet(value.cast::<pdl::Element>().unwrap());
//!     assert_eq!(range.to_string(), "!pdl.range<value>");
//!     assert!(range.any().cast::<pdl::Element>().is_err());
//! });
//! ```

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Type, TypeId};

dialect! {
    /// The dialect.
    Pdl = mlirGetDialectHandle__pdl__
}

kinds! { Type:
    /// Any type of the dialect.
    AnyPdl, AnyPdlType;
    /// A type that a range may be of: any of the dialect but a range.
    Element, ElementType;
    /// `!pdl.attribute`.
    AttributeKind, AttributeType;
    /// `!pdl.operation`.
    OperationKind, OperationType;
    /// `!pdl.range<type>`.
    Range, RangeType;
    /// `!pdl.type`.
    TypeOfTypes, TypeType;
    /// `!pdl.value`.
    ValueKind, ValueType;
}

tests! { Type, TypeKind:
    AnyPdl = mlirTypeIsAPDLType;
    AttributeKind = mlirTypeIsAPDLAttributeType;
    OperationKind = mlirTypeIsAPDLOperationType;
    Range = mlirTypeIsAPDLRangeType;
    TypeOfTypes = mlirTypeIsAPDLTypeType;
    ValueKind = mlirTypeIsAPDLValueType;
}

impl TypeKind for Element {
    const NAME: &'static str = "Element";

    #[inline]
    fn holds(of: Type<'_>) -> bool {
        mlirTypeIsAPDLType(of) && !mlirTypeIsAPDLRangeType(of)
    }
}

declarations! {
    "Dialect/PDL.h" {
        mlirGetDialectHandle__pdl__() -> DialectHandle;
        mlirTypeIsAPDLType(of: Type<'ctx>) -> bool;
        mlirTypeIsAPDLAttributeType(of: Type<'ctx>) -> bool;
        mlirTypeIsAPDLOperationType(of: Type<'ctx>) -> bool;
        mlirTypeIsAPDLRangeType(of: Type<'ctx>) -> bool;
        mlirTypeIsAPDLTypeType(of: Type<'ctx>) -> bool;
        mlirTypeIsAPDLValueType(of: Type<'ctx>) -> bool;
        mlirPDLAttributeTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirPDLOperationTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirPDLRangeTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirPDLTypeTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirPDLValueTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirPDLAttributeTypeGetName() -> Text<'static>, since "22";
        mlirPDLOperationTypeGetName() -> Text<'static>, since "22";
        mlirPDLRangeTypeGetName() -> Text<'static>, since "22";
        mlirPDLTypeTypeGetName() -> Text<'static>, since "22";
        mlirPDLValueTypeGetName() -> Text<'static>, since "22";
        mlirPDLAttributeTypeGet(ctx: Loaded<'ctx, Pdl>) -> AttributeType<'ctx>;
        mlirPDLOperationTypeGet(ctx: Loaded<'ctx, Pdl>) -> OperationType<'ctx>;
        mlirPDLTypeTypeGet(ctx: Loaded<'ctx, Pdl>) -> TypeType<'ctx>;
        mlirPDLValueTypeGet(ctx: Loaded<'ctx, Pdl>) -> ValueType<'ctx>;
        mlirPDLRangeTypeGet(element: ElementType<'ctx>) -> RangeType<'ctx>;
        mlirPDLRangeTypeGetElementType(of: RangeType<'ctx>) -> Type<'ctx>;
    }
}
