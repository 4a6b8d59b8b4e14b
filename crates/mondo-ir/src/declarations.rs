//! The table of C functions that are declared with the handles' own types: one row a function.
//!
//! With such types the compiler sees that an argument lives and is of its kind. A function whose whole
//! contract is in its types is declared `safe fn`. One that wants more, as an index below a count, is an
//! `unsafe fn`, and its row says what it wants. A result that may be null is an `Option`.
//!
//! The rows are compared with the headers by a test. Functions that are in no row are called through
//! mondo-sys, at the one place that establishes what they need.

use mondo_sys::MlirStringRef;

use crate::interned::{
    AffineExpr, AffineMap, ArrayAttr, Attribute, ComplexType, DenseElementsAttr, DictionaryAttr,
    FlatSymbolRefAttr, FloatAttr, FloatType, FunctionType, I32ArrayAttr, I64ArrayAttr, IntegerAttr,
    IntegerSet, IntegerType, Location, ShapedType, StringAttr, TupleType, Type, TypeAttr, TypeId,
};
use crate::uniqued::InC;

macro_rules! in_c {
    ($($rust:ty => $c:literal;)+) => {
        $(impl InC for $rust {
            const NAME: &'static str = $c;
        })+
    };
}

in_c! {
    bool => "bool";
    i32 => "int32_t";
    u32 => "unsigned";
    i64 => "int64_t";
    u64 => "uint64_t";
    f64 => "double";
    isize => "intptr_t";
    MlirStringRef => "MlirStringRef";
}

/// A row of the table.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Row {
    header: &'static str,
    function: &'static str,
    arguments: Vec<&'static str>,
    result: &'static str,
    needs: Option<&'static str>,
}

macro_rules! declarations {
    ($($header:literal { $(
        $name:ident($($argument:ident: $type:ty),*) -> $result:ty $(, needs $needs:literal)?;
    )+ })+) => {
        $($(declarations!(@declare $name($($argument: $type),*) -> $result $(, $needs)?);)+)+

        /// The whole table.
        #[cfg(test)]
        #[expect(clippy::extra_unused_lifetimes, reason = "the rows' types name it")]
        pub(crate) fn table<'ctx>() -> Vec<Row> {
            vec![$($(Row {
                header: $header,
                function: stringify!($name),
                arguments: vec![$(<$type as InC>::NAME),*],
                result: <$result as InC>::NAME,
                needs: declarations!(@needs $($needs)?),
            },)+)+]
        }
    };
    (@declare $name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        // SAFETY: the row says what the header says, and the types are all that the function asks for.
        unsafe extern "C" {
            pub(crate) safe fn $name<'ctx>($($argument: $type),*) -> $result;
        }
    };
    (@declare $name:ident($($argument:ident: $type:ty),*) -> $result:ty, $needs:literal) => {
        // SAFETY: the row says what the header says.
        unsafe extern "C" {
            #[doc = concat!("# Safety\n\n", $needs)]
            pub(crate) unsafe fn $name<'ctx>($($argument: $type),*) -> $result;
        }
    };
    (@needs) => { None };
    (@needs $needs:literal) => { Some($needs) };
}

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
    "BuiltinAttributes.h" {
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
        mlirStringAttrGetValue(of: StringAttr<'ctx>) -> MlirStringRef;
        mlirFlatSymbolRefAttrGetValue(of: FlatSymbolRefAttr<'ctx>) -> MlirStringRef;
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
    "IR.h" {
        mlirTypeGetTypeID(of: Type<'ctx>) -> TypeId<'ctx>;
        mlirAttributeGetTypeID(of: Attribute<'ctx>) -> TypeId<'ctx>;
        mlirAttributeGetType(of: Attribute<'ctx>) -> Type<'ctx>;
        mlirLocationGetAttribute(of: Location<'ctx>) -> Attribute<'ctx>;
    }
    "AffineExpr.h" {
        mlirAffineExprIsPureAffine(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsFunctionOfDim(of: AffineExpr<'ctx>, index: isize) -> bool;
        mlirAffineExprIsADim(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsASymbol(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsABinary(of: AffineExpr<'ctx>) -> bool;
        mlirAffineDimExprGetPosition(of: AffineExpr<'ctx>) -> isize,
            needs "The expression is a dimension.";
        mlirAffineSymbolExprGetPosition(of: AffineExpr<'ctx>) -> isize,
            needs "The expression is a symbol.";
        mlirAffineBinaryOpExprGetLHS(of: AffineExpr<'ctx>) -> AffineExpr<'ctx>,
            needs "The expression is one of two others.";
        mlirAffineBinaryOpExprGetRHS(of: AffineExpr<'ctx>) -> AffineExpr<'ctx>,
            needs "The expression is one of two others.";
    }
    "AffineMap.h" {
        mlirAffineMapGetNumDims(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumSymbols(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumResults(of: AffineMap<'ctx>) -> isize;
    }
    "IntegerSet.h" {
        mlirIntegerSetGetNumDims(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumSymbols(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumConstraints(of: IntegerSet<'ctx>) -> isize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders of headers: those that this was built with, and those of `MONDO_IR_OTHER_HEADERS`,
    /// which `cargo xtask test ir` sets to those of the catalogue's other LLVMs.
    fn folders() -> Vec<String> {
        let others = std::env::var("MONDO_IR_OTHER_HEADERS").unwrap_or_default();
        let others = others
            .split(':')
            .filter(|it| !it.is_empty())
            .map(str::to_owned);
        [env!("MONDO_IR_HEADERS").to_owned()]
            .into_iter()
            .chain(others)
            .collect()
    }

    /// The result and the arguments of a function, as the header has them.
    fn declared(header: &str, function: &str) -> Option<(String, Vec<String>)> {
        let words = header.split_whitespace().collect::<Vec<_>>().join(" ");
        let at = words.find(&format!("{function}("))?;
        let result = words[..at].trim_end().rsplit(' ').next()?.to_owned();
        let arguments = &words[at + function.len() + 1..];
        let arguments = arguments[..arguments.find(')')?].split(',');
        // The type alone: the name of an argument is ours to choose.
        let type_of = |argument: &str| argument.trim().split(' ').next().map(str::to_owned);
        Some((
            result,
            arguments
                .filter_map(type_of)
                .filter(|it| it != "void")
                .collect(),
        ))
    }

    #[test]
    fn each_row_is_what_the_headers_say() {
        for folder in folders() {
            for row in table() {
                let path = format!("{folder}/mlir-c/{}", row.header);
                let header = std::fs::read_to_string(&path).expect(&path);
                let found = declared(&header, row.function);
                let expected = (
                    row.result.to_owned(),
                    row.arguments.iter().map(|it| (*it).to_owned()).collect(),
                );
                assert_eq!(found, Some(expected), "{} in {path}", row.function);
            }
        }
    }

    #[test]
    fn a_function_with_an_index_says_its_bound() {
        for row in table() {
            let bounded = row.arguments.contains(&"intptr_t") && row.function.contains("Get");
            assert!(!bounded || row.needs.is_some(), "{}", row.function);
        }
    }

    #[test]
    fn another_signature_is_noticed() {
        let header = "MLIR_CAPI_EXPORTED bool\nmlirTypeIsAInteger(MlirAttribute of);";
        let found = declared(header, "mlirTypeIsAInteger").expect("it is declared");
        assert_eq!(found, ("bool".to_owned(), vec!["MlirAttribute".to_owned()]));
        assert_eq!(declared(header, "mlirTypeIsAInt"), None);
    }
}
