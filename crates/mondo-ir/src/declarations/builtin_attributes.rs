//! The functions of MLIR's own attributes.

use super::declarations;
use crate::interned::{
    ArrayAttr, Attribute, DenseElementsAttr, DictionaryAttr, FlatSymbolRefAttr, FloatAttr,
    I32ArrayAttr, I64ArrayAttr, IntegerAttr, StringAttr, Type, TypeAttr, TypeId,
};
use crate::text::Text;

declarations! {
    "BuiltinAttributes.h" {
        mlirAffineMapAttrGetTypeID() -> TypeId<'static>;
        mlirAffineMapAttrGetName() -> Text<'static>, since "22";
        mlirIntegerSetAttrGetTypeID() -> TypeId<'static>;
        mlirIntegerSetAttrGetName() -> Text<'static>, since "22";
        mlirAttributeIsAStridedLayout(of: Attribute<'ctx>) -> bool;
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
            needs "The index is below the number of elements.";
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
