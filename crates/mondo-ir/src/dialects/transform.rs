//! `transform`: handles to what a script transforms, and its parameters.

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Type, TypeId};

dialect! {
    /// The dialect.
    Transform = mlirGetDialectHandle__transform__
}

kinds! { Type:
    /// `!transform.any_op`.
    AnyOp, AnyOpType;
    /// `!transform.any_param`.
    AnyParam, AnyParamType;
    /// `!transform.any_value`.
    AnyValue, AnyValueType;
    /// `!transform.op<"name">`.
    OperationKind, OperationType;
    /// `!transform.param<i64>`.
    Param, ParamType;
}

tests! { Type, TypeKind:
    AnyOp = mlirTypeIsATransformAnyOpType;
    AnyParam = mlirTypeIsATransformAnyParamType;
    AnyValue = mlirTypeIsATransformAnyValueType;
    OperationKind = mlirTypeIsATransformOperationType;
    Param = mlirTypeIsATransformParamType;
}

declarations! {
    "Dialect/Transform.h" {
        mlirGetDialectHandle__transform__() -> DialectHandle;
        mlirTypeIsATransformAnyOpType(of: Type<'ctx>) -> bool;
        mlirTransformAnyOpTypeGetTypeID() -> TypeId<'static>;
        mlirTransformAnyOpTypeGetName() -> Text<'static>, since "22";
        mlirTransformAnyOpTypeGet(ctx: Loaded<'ctx, Transform>) -> AnyOpType<'ctx>;
        mlirTypeIsATransformAnyParamType(of: Type<'ctx>) -> bool;
        mlirTransformAnyParamTypeGetTypeID() -> TypeId<'static>;
        mlirTransformAnyParamTypeGetName() -> Text<'static>, since "22";
        mlirTransformAnyParamTypeGet(ctx: Loaded<'ctx, Transform>) -> AnyParamType<'ctx>;
        mlirTypeIsATransformAnyValueType(of: Type<'ctx>) -> bool;
        mlirTransformAnyValueTypeGetTypeID() -> TypeId<'static>;
        mlirTransformAnyValueTypeGetName() -> Text<'static>, since "22";
        mlirTransformAnyValueTypeGet(ctx: Loaded<'ctx, Transform>) -> AnyValueType<'ctx>;
        mlirTypeIsATransformOperationType(of: Type<'ctx>) -> bool;
        mlirTransformOperationTypeGetTypeID() -> TypeId<'static>;
        mlirTransformOperationTypeGetName() -> Text<'static>, since "22";
        mlirTransformOperationTypeGet(
            ctx: Loaded<'ctx, Transform>, operation: Text<'_>
        ) -> OperationType<'ctx>;
        mlirTransformOperationTypeGetOperationName(of: OperationType<'ctx>) -> Text<'ctx>;
        mlirTypeIsATransformParamType(of: Type<'ctx>) -> bool;
        mlirTransformParamTypeGetTypeID() -> TypeId<'static>;
        mlirTransformParamTypeGetName() -> Text<'static>, since "22";
        mlirTransformParamTypeGetType(of: ParamType<'ctx>) -> Type<'ctx>;
    }
}

impl<'ctx> Loaded<'ctx, Transform> {
    /// The type of parameters of another type. Returns `None` if a parameter cannot have that, and then the
    /// context's diagnostic handlers know why.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::transform::{Transform, mlirTransformParamTypeGetType}};
    /// Context::new().enter(|ctx, _| {
    ///     let transform = ctx.with_dialect::<Transform>();
    ///     let param = transform.param(ctx.i64().any()).unwrap();
    ///     assert_eq!(mlirTransformParamTypeGetType(param), ctx.i64());
    /// });
    /// ```
    pub fn param(self, of: Type<'ctx>) -> Option<ParamType<'ctx>> {
        // The function that makes it does not check the other type.
        self.parsed_type(&format!("!transform.param<{of}>"))?
            .downcast()
    }
}
