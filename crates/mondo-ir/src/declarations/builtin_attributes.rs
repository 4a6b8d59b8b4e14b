//! The functions of MLIR's own attributes.

use super::declarations;
use crate::text::Text;
use crate::uniqued_handles::{
    ArrayAttr, Attribute, BoolArrayAttr, BoolAttr, DenseElementsAttr, DictionaryAttr, F32ArrayAttr,
    F64ArrayAttr, FlatSymbolRefAttr, FloatAttr, I8ArrayAttr, I16ArrayAttr, I32ArrayAttr,
    I64ArrayAttr, IntegerAttr, Location, OpaqueAttr, ShapedType, StridedLayoutAttr, StringAttr,
    SymbolRefAttr, Type, TypeAttr, TypeId, UnitAttr,
};
use crate::uniquer::Uniquer;

declarations! {
    "BuiltinAttributes.h" {
        mlirAffineMapAttrGetTypeID() -> TypeId<'static>;
        mlirAffineMapAttrGetName() -> Text<'static>, since "22";
        mlirIntegerSetAttrGetTypeID() -> TypeId<'static>;
        mlirIntegerSetAttrGetName() -> Text<'static>, since "22";
        mlirAttributeIsAStridedLayout(of: Attribute<'ctx>) -> bool;
        mlirIntegerAttrGetTypeID() -> TypeId<'static>;
        mlirIntegerAttrGetName() -> Text<'static>, since "22";
        mlirFloatAttrGetTypeID() -> TypeId<'static>;
        mlirFloatAttrGetName() -> Text<'static>, since "22";
        mlirTypeAttrGetTypeID() -> TypeId<'static>;
        mlirTypeAttrGetName() -> Text<'static>, since "22";
        mlirUnitAttrGetTypeID() -> TypeId<'static>;
        mlirUnitAttrGetName() -> Text<'static>, since "22";
        mlirStringAttrGetTypeID() -> TypeId<'static>;
        mlirStringAttrGetName() -> Text<'static>, since "22";
        mlirOpaqueAttrGetTypeID() -> TypeId<'static>;
        mlirOpaqueAttrGetName() -> Text<'static>, since "22";
        mlirArrayAttrGetTypeID() -> TypeId<'static>;
        mlirArrayAttrGetName() -> Text<'static>, since "22";
        mlirDictionaryAttrGetTypeID() -> TypeId<'static>;
        mlirDictionaryAttrGetName() -> Text<'static>, since "22";
        mlirStridedLayoutAttrGetTypeID() -> TypeId<'static>;
        mlirStridedLayoutAttrGetName() -> Text<'static>, since "22";
        mlirSymbolRefAttrGetTypeID() -> TypeId<'static>;
        mlirSymbolRefAttrGetName() -> Text<'static>, since "22";
        mlirFlatSymbolRefAttrGetName() -> Text<'static>, since "22";
        mlirDenseArrayAttrGetTypeID() -> TypeId<'static>;
        mlirDenseIntOrFPElementsAttrGetTypeID() -> TypeId<'static>;
        mlirAttributeIsABool(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsASymbolRef(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAOpaque(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseBoolArray(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseI8Array(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseI16Array(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseF32Array(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseF64Array(of: Attribute<'ctx>) -> bool;
        mlirBoolAttrGetValue(of: BoolAttr<'ctx>) -> bool;
        mlirFloatAttrDoubleGetChecked(at: Location<'ctx>, of: Type<'ctx>, value: f64)
            -> Option<FloatAttr<'ctx>>;
        mlirUnitAttrGet(ctx: Uniquer<'ctx>) -> UnitAttr<'ctx>;
        mlirTypeAttrGet(of: Type<'ctx>) -> TypeAttr<'ctx>;
        mlirStringAttrGet(ctx: Uniquer<'ctx>, text: Text<'_>) -> StringAttr<'ctx>;
        mlirStringAttrTypedGet(of: Type<'ctx>, text: Text<'_>) -> StringAttr<'ctx>;
        mlirFlatSymbolRefAttrGet(ctx: Uniquer<'ctx>, symbol: Text<'_>) -> FlatSymbolRefAttr<'ctx>;
        mlirSymbolRefAttrGet(
            ctx: Uniquer<'ctx>, root: Text<'_>, count: isize, nested: *const Attribute<'ctx>
        ) -> SymbolRefAttr<'ctx>,
            needs "There are so many nested references, all of them flat.";
        mlirSymbolRefAttrGetRootReference(of: SymbolRefAttr<'ctx>) -> Text<'ctx>;
        mlirSymbolRefAttrGetNumNestedReferences(of: SymbolRefAttr<'ctx>) -> isize;
        mlirSymbolRefAttrGetNestedReference(of: SymbolRefAttr<'ctx>, index: isize)
            -> SymbolRefAttr<'ctx>,
            below mlirSymbolRefAttrGetNumNestedReferences;
        mlirOpaqueAttrGetDialectNamespace(of: OpaqueAttr<'ctx>) -> Text<'ctx>;
        mlirOpaqueAttrGetData(of: OpaqueAttr<'ctx>) -> Text<'ctx>;
        mlirArrayAttrGet(ctx: Uniquer<'ctx>, count: isize, elements: *const Attribute<'ctx>)
            -> ArrayAttr<'ctx>, slice 1;
        mlirDictionaryAttrGetElementByName(of: DictionaryAttr<'ctx>, name: Text<'_>)
            -> Option<Attribute<'ctx>>;
        mlirStridedLayoutAttrGet(
            ctx: Uniquer<'ctx>, offset: i64, count: isize, strides: *const i64
        ) -> StridedLayoutAttr<'ctx>, slice 2;
        mlirStridedLayoutAttrGetOffset(of: StridedLayoutAttr<'ctx>) -> i64;
        mlirStridedLayoutAttrGetNumStrides(of: StridedLayoutAttr<'ctx>) -> isize;
        mlirStridedLayoutAttrGetStride(of: StridedLayoutAttr<'ctx>, index: isize) -> i64,
            below mlirStridedLayoutAttrGetNumStrides;
        mlirDenseI8ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const i8)
            -> I8ArrayAttr<'ctx>, slice 1;
        mlirDenseI16ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const i16)
            -> I16ArrayAttr<'ctx>, slice 1;
        mlirDenseI32ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const i32)
            -> I32ArrayAttr<'ctx>, slice 1;
        mlirDenseI64ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const i64)
            -> I64ArrayAttr<'ctx>, slice 1;
        mlirDenseF32ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const f32)
            -> F32ArrayAttr<'ctx>, slice 1;
        mlirDenseF64ArrayGet(ctx: Uniquer<'ctx>, count: isize, values: *const f64)
            -> F64ArrayAttr<'ctx>, slice 1;
        mlirDenseBoolArrayGetElement(of: BoolArrayAttr<'ctx>, index: isize) -> bool,
            needs "The index is below the number of elements.";
        mlirDenseI8ArrayGetElement(of: I8ArrayAttr<'ctx>, index: isize) -> i8,
            needs "The index is below the number of elements.";
        mlirDenseI16ArrayGetElement(of: I16ArrayAttr<'ctx>, index: isize) -> i16,
            needs "The index is below the number of elements.";
        mlirDenseF32ArrayGetElement(of: F32ArrayAttr<'ctx>, index: isize) -> f32,
            needs "The index is below the number of elements.";
        mlirDenseF64ArrayGetElement(of: F64ArrayAttr<'ctx>, index: isize) -> f64,
            needs "The index is below the number of elements.";
        mlirAttributeIsADenseIntElements(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseFPElements(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseResourceElements(of: Attribute<'ctx>) -> bool;
        mlirDenseResourceElementsAttrGetName() -> Text<'static>, since "22";
        mlirDenseElementsAttrGetSplatValue(of: DenseElementsAttr<'ctx>) -> Attribute<'ctx>,
            needs "The attribute is a splat.";
        mlirDenseElementsAttrSplatGet(of: ShapedType<'ctx>, element: Attribute<'ctx>)
            -> DenseElementsAttr<'ctx>,
            needs "The type can have dense elements, of which the attribute is one.";
        mlirDenseElementsAttrGet(
            of: ShapedType<'ctx>, count: isize, elements: *const Attribute<'ctx>
        ) -> DenseElementsAttr<'ctx>,
            needs "The type can have dense elements; there is one for each, or one for all.";
        mlirDenseElementsAttrGetBoolValue(of: DenseElementsAttr<'ctx>, index: isize) -> bool,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetUInt8Value(of: DenseElementsAttr<'ctx>, index: isize) -> u8,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetUInt16Value(of: DenseElementsAttr<'ctx>, index: isize) -> u16,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetUInt32Value(of: DenseElementsAttr<'ctx>, index: isize) -> u32,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetUInt64Value(of: DenseElementsAttr<'ctx>, index: isize) -> u64,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetInt8Value(of: DenseElementsAttr<'ctx>, index: isize) -> i8,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetInt16Value(of: DenseElementsAttr<'ctx>, index: isize) -> i16,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetInt32Value(of: DenseElementsAttr<'ctx>, index: isize) -> i32,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetInt64Value(of: DenseElementsAttr<'ctx>, index: isize) -> i64,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetFloatValue(of: DenseElementsAttr<'ctx>, index: isize) -> f32,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetDoubleValue(of: DenseElementsAttr<'ctx>, index: isize) -> f64,
            needs "The attribute has such elements, and more than the index.";
        mlirDenseElementsAttrGetIndexValue(of: DenseElementsAttr<'ctx>, index: isize) -> u64,
            since "22",
            needs "The attribute has such elements, and more than the index.";
        mlirAttributeIsAInteger(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAFloat(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAString(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAArray(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADictionary(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAType(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAUnit(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAFlatSymbolRef(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseI32Array(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseI64Array(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsADenseElements(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAAffineMap(of: Attribute<'ctx>) -> bool;
        mlirAttributeIsAIntegerSet(of: Attribute<'ctx>) -> bool;
        mlirIntegerAttrGetValueInt(of: IntegerAttr<'ctx>) -> i64;
        mlirIntegerAttrGetValueSInt(of: IntegerAttr<'ctx>) -> i64;
        mlirIntegerAttrGetValueUInt(of: IntegerAttr<'ctx>) -> u64;
        mlirFloatAttrGetValueDouble(of: FloatAttr<'ctx>) -> f64;
        mlirStringAttrGetValue(of: StringAttr<'ctx>) -> Text<'ctx>;
        mlirFlatSymbolRefAttrGetValue(of: FlatSymbolRefAttr<'ctx>) -> Text<'ctx>;
        mlirTypeAttrGetValue(of: TypeAttr<'ctx>) -> Type<'ctx>;
        mlirArrayAttrGetNumElements(of: ArrayAttr<'ctx>) -> isize;
        mlirArrayAttrGetElement(of: ArrayAttr<'ctx>, index: isize) -> Attribute<'ctx>,
            below mlirArrayAttrGetNumElements;
        mlirDictionaryAttrGetNumElements(of: DictionaryAttr<'ctx>) -> isize;
        mlirDenseArrayGetNumElements(of: Attribute<'ctx>) -> isize,
            needs "The attribute is a dense array.";
        mlirDenseI32ArrayGetElement(of: I32ArrayAttr<'ctx>, index: isize) -> i32,
            needs "The index is below the number of elements.";
        mlirDenseI64ArrayGetElement(of: I64ArrayAttr<'ctx>, index: isize) -> i64,
            needs "The index is below the number of elements.";
        mlirElementsAttrGetNumElements(of: DenseElementsAttr<'ctx>) -> i64;
        mlirDenseElementsAttrIsSplat(of: DenseElementsAttr<'ctx>) -> bool;
    }
}
