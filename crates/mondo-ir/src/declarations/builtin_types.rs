//! The functions of MLIR's own types, except the formats of floating point types.

use super::declarations;
use crate::text::Text;
use crate::uniqued_handles::{
    AffineMap, Attribute, ComplexType, FloatType, FunctionType, IndexType, IntegerType, LayoutAttr,
    Location, MemRefType, NoneType, NumberType, OpaqueType, RankedTensorType, ShapedType,
    TupleType, Type, TypeId, UnrankedMemRefType, UnrankedTensorType, VectorType,
};
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
        mlirNoneTypeGetTypeID() -> TypeId<'static>;
        mlirNoneTypeGetName() -> Text<'static>, since "22";
        mlirComplexTypeGetTypeID() -> TypeId<'static>;
        mlirComplexTypeGetName() -> Text<'static>, since "22";
        mlirFunctionTypeGetTypeID() -> TypeId<'static>;
        mlirFunctionTypeGetName() -> Text<'static>, since "22";
        mlirTupleTypeGetTypeID() -> TypeId<'static>;
        mlirTupleTypeGetName() -> Text<'static>, since "22";
        mlirOpaqueTypeGetTypeID() -> TypeId<'static>;
        mlirOpaqueTypeGetName() -> Text<'static>, since "22";
        mlirVectorTypeGetTypeID() -> TypeId<'static>;
        mlirVectorTypeGetName() -> Text<'static>, since "22";
        mlirRankedTensorTypeGetTypeID() -> TypeId<'static>;
        mlirRankedTensorTypeGetName() -> Text<'static>, since "22";
        mlirUnrankedTensorTypeGetTypeID() -> TypeId<'static>;
        mlirUnrankedTensorTypeGetName() -> Text<'static>, since "22";
        mlirMemRefTypeGetTypeID() -> TypeId<'static>;
        mlirMemRefTypeGetName() -> Text<'static>, since "22";
        mlirUnrankedMemRefTypeGetTypeID() -> TypeId<'static>;
        mlirUnrankedMemRefTypeGetName() -> Text<'static>, since "22";
        mlirTypeIsAOpaque(of: Type<'ctx>) -> bool;
        mlirTypeIsAUnrankedMemRef(of: Type<'ctx>) -> bool;
        mlirNoneTypeGet(ctx: Uniquer<'ctx>) -> NoneType<'ctx>;
        mlirComplexTypeGet(element: NumberType<'ctx>) -> ComplexType<'ctx>;
        mlirOpaqueTypeGet(ctx: Uniquer<'ctx>, dialect: Text<'_>, data: Text<'_>) -> OpaqueType<'ctx>;
        mlirOpaqueTypeGetDialectNamespace(of: OpaqueType<'ctx>) -> Text<'ctx>;
        mlirOpaqueTypeGetData(of: OpaqueType<'ctx>) -> Text<'ctx>;
        mlirFunctionTypeGet(
            ctx: Uniquer<'ctx>, input_count: isize, inputs: *const Type<'ctx>, result_count: isize,
            results: *const Type<'ctx>
        ) -> FunctionType<'ctx>,
            needs "There are so many inputs and results.";
        mlirTupleTypeGet(ctx: Uniquer<'ctx>, count: isize, elements: *const Type<'ctx>)
            -> TupleType<'ctx>, slice 1;
        mlirFloatTypeGetWidth(of: FloatType<'ctx>) -> u32;
        mlirComplexTypeGetElementType(of: ComplexType<'ctx>) -> Type<'ctx>;
        mlirFunctionTypeGetNumInputs(of: FunctionType<'ctx>) -> isize;
        mlirFunctionTypeGetNumResults(of: FunctionType<'ctx>) -> isize;
        mlirFunctionTypeGetInput(of: FunctionType<'ctx>, index: isize) -> Type<'ctx>,
            below mlirFunctionTypeGetNumInputs;
        mlirFunctionTypeGetResult(of: FunctionType<'ctx>, index: isize) -> Type<'ctx>,
            below mlirFunctionTypeGetNumResults;
        mlirTupleTypeGetNumTypes(of: TupleType<'ctx>) -> isize;
        mlirTupleTypeGetType(of: TupleType<'ctx>, index: isize) -> Type<'ctx>,
            below mlirTupleTypeGetNumTypes;
        mlirShapedTypeGetElementType(of: ShapedType<'ctx>) -> Type<'ctx>;
        mlirShapedTypeHasRank(of: ShapedType<'ctx>) -> bool;
        mlirShapedTypeHasStaticShape(of: ShapedType<'ctx>) -> bool;
        mlirShapedTypeIsDynamicSize(size: i64) -> bool;
        mlirShapedTypeIsStaticSize(size: i64) -> bool, since "22";
        mlirShapedTypeIsDynamicStrideOrOffset(value: i64) -> bool;
        mlirShapedTypeIsStaticStrideOrOffset(value: i64) -> bool, since "22";
        mlirShapedTypeGetDynamicSize() -> i64;
        mlirShapedTypeGetDynamicStrideOrOffset() -> i64;
        mlirShapedTypeIsDynamicDim(of: ShapedType<'ctx>, dimension: isize) -> bool,
            needs "The type has a rank, which the dimension is below.";
        mlirShapedTypeIsStaticDim(of: ShapedType<'ctx>, dimension: isize) -> bool, since "22",
            needs "The type has a rank, which the dimension is below.";
        mlirVectorTypeGetChecked(
            at: Location<'ctx>, rank: isize, sizes: *const i64, element: Type<'ctx>
        ) -> Option<VectorType<'ctx>>, slice 1;
        mlirVectorTypeGetScalableChecked(
            at: Location<'ctx>, rank: isize, sizes: *const i64, scalable: *const bool,
            element: Type<'ctx>
        ) -> Option<VectorType<'ctx>>,
            needs "There are so many sizes and flags.";
        mlirVectorTypeIsScalable(of: VectorType<'ctx>) -> bool;
        mlirVectorTypeIsDimScalable(of: VectorType<'ctx>, dimension: isize) -> bool,
            needs "The dimension is below the rank.";
        mlirRankedTensorTypeGet(
            rank: isize, sizes: *const i64, element: Type<'ctx>, encoding: Option<Attribute<'ctx>>
        ) -> RankedTensorType<'ctx>,
            needs "There are so many sizes, and MLIR allows them and the element.";
        mlirRankedTensorTypeGetChecked(
            at: Location<'ctx>, rank: isize, sizes: *const i64, element: Type<'ctx>,
            encoding: Option<Attribute<'ctx>>
        ) -> Option<RankedTensorType<'ctx>>, slice 1;
        mlirRankedTensorTypeGetEncoding(of: RankedTensorType<'ctx>) -> Option<Attribute<'ctx>>;
        mlirUnrankedTensorTypeGetChecked(at: Location<'ctx>, element: Type<'ctx>)
            -> Option<UnrankedTensorType<'ctx>>;
        mlirMemRefTypeGetChecked(
            at: Location<'ctx>, element: Type<'ctx>, rank: isize, sizes: *const i64,
            layout: Option<LayoutAttr<'ctx>>, space: Option<Attribute<'ctx>>
        ) -> Option<MemRefType<'ctx>>, slice 2;
        mlirMemRefTypeGetLayout(of: MemRefType<'ctx>) -> Attribute<'ctx>;
        mlirMemRefTypeGetAffineMap(of: MemRefType<'ctx>) -> AffineMap<'ctx>;
        mlirMemRefTypeGetMemorySpace(of: MemRefType<'ctx>) -> Option<Attribute<'ctx>>;
        mlirUnrankedMemRefTypeGetChecked(
            at: Location<'ctx>, element: Type<'ctx>, space: Option<Attribute<'ctx>>
        ) -> Option<UnrankedMemRefType<'ctx>>;
        mlirUnrankedMemrefGetMemorySpace(of: UnrankedMemRefType<'ctx>) -> Option<Attribute<'ctx>>;
        mlirShapedTypeGetRank(of: ShapedType<'ctx>) -> i64,
            needs "The type has a rank.";
        mlirShapedTypeGetDimSize(of: ShapedType<'ctx>, dimension: isize) -> i64,
            needs "The type has a rank, which the dimension is below.";
    }
}
