//! The functions of MLIR's own types.

use super::declarations;
use crate::interned::{
    ComplexType, FloatType, FunctionType, IndexType, IntegerType, ShapedType, TupleType, Type,
    TypeId,
};
use crate::text::Text;
use crate::uniquer::Uniquer;

declarations! {
    "BuiltinTypes.h" {
        mlirTypeIsAInteger(of: Type<'ctx>) -> bool;
        mlirTypeIsAIndex(of: Type<'ctx>) -> bool;
        mlirTypeIsAFloat(of: Type<'ctx>) -> bool;
        mlirTypeIsANone(of: Type<'ctx>) -> bool;
        mlirTypeIsAComplex(of: Type<'ctx>) -> bool;
        mlirTypeIsAFunction(of: Type<'ctx>) -> bool;
        mlirTypeIsATuple(of: Type<'ctx>) -> bool;
        mlirTypeIsAShaped(of: Type<'ctx>) -> bool;
        mlirTypeIsAVector(of: Type<'ctx>) -> bool;
        mlirTypeIsARankedTensor(of: Type<'ctx>) -> bool;
        mlirTypeIsAUnrankedTensor(of: Type<'ctx>) -> bool;
        mlirTypeIsAMemRef(of: Type<'ctx>) -> bool;
        mlirIntegerTypeGetWidth(of: IntegerType<'ctx>) -> u32;
        mlirIntegerTypeIsSigned(of: IntegerType<'ctx>) -> bool;
        mlirIntegerTypeIsUnsigned(of: IntegerType<'ctx>) -> bool;
        mlirIntegerTypeIsSignless(of: IntegerType<'ctx>) -> bool;
        mlirIntegerTypeGetTypeID() -> TypeId<'static>;
        mlirIntegerTypeGetName() -> Text<'static>, since "22";
        mlirIntegerTypeGet(ctx: Uniquer<'ctx>, width: u32) -> IntegerType<'ctx>,
            needs "The width is at most `MAX_WIDTH`.";
        mlirIntegerTypeSignedGet(ctx: Uniquer<'ctx>, width: u32) -> IntegerType<'ctx>,
            needs "The width is at most `MAX_WIDTH`.";
        mlirIntegerTypeUnsignedGet(ctx: Uniquer<'ctx>, width: u32) -> IntegerType<'ctx>,
            needs "The width is at most `MAX_WIDTH`.";
        mlirIndexTypeGet(ctx: Uniquer<'ctx>) -> IndexType<'ctx>;
        mlirIndexTypeGetTypeID() -> TypeId<'static>;
        mlirIndexTypeGetName() -> Text<'static>, since "22";
        mlirFloatTypeGetWidth(of: FloatType<'ctx>) -> u32;
        mlirComplexTypeGetElementType(of: ComplexType<'ctx>) -> Type<'ctx>;
        mlirFunctionTypeGetNumInputs(of: FunctionType<'ctx>) -> isize;
        mlirFunctionTypeGetNumResults(of: FunctionType<'ctx>) -> isize;
        mlirFunctionTypeGetInput(of: FunctionType<'ctx>, index: isize) -> Type<'ctx>,
            needs "The index is below the number of inputs.";
        mlirFunctionTypeGetResult(of: FunctionType<'ctx>, index: isize) -> Type<'ctx>,
            needs "The index is below the number of results.";
        mlirTupleTypeGetNumTypes(of: TupleType<'ctx>) -> isize;
        mlirTupleTypeGetType(of: TupleType<'ctx>, index: isize) -> Type<'ctx>,
            needs "The index is below the number of types.";
        mlirShapedTypeGetElementType(of: ShapedType<'ctx>) -> Type<'ctx>;
        mlirShapedTypeHasRank(of: ShapedType<'ctx>) -> bool;
        mlirShapedTypeGetRank(of: ShapedType<'ctx>) -> i64,
            needs "The type has a rank.";
        mlirShapedTypeGetDimSize(of: ShapedType<'ctx>, dimension: isize) -> i64,
            needs "The type has a rank, which the dimension is below.";
    }
}
