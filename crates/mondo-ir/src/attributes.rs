//! Attributes and their kinds, and what operations are given them by.

use mondo_sys::{
    MlirNamedAttribute, mlirAttributeParseGet, mlirBoolAttrGet, mlirDenseElementsAttrRawBufferGet,
    mlirDictionaryAttrGet, mlirFloatAttrDoubleGet, mlirIntegerAttrGet,
};

use crate::callback::string_ref;
use crate::capture::captured_here;
use crate::declarations as c;
use crate::error::{Error, ErrorKind, Result};
use crate::identifier::repeated;
use crate::sort::{casts, tests};
use crate::types::{FloatType, Integer, IsIntegerOrIndex, RankedTensorType, Signedness};
pub use crate::uniqued_handles::{
    AffineMapAttr, AnySymbolRef, Array, ArrayAttr, Bool, BoolArray, BoolArrayAttr, BoolAttr,
    DenseElements, DenseElementsAttr, DenseFloats, DenseFpElementsAttr, DenseIntElementsAttr,
    DenseIntegers, DenseResource, DenseResourceAttr, Dictionary, DictionaryAttr, F32Array,
    F32ArrayAttr, F64Array, F64ArrayAttr, FlatSymbolRefAttr, FloatAttr, I8Array, I8ArrayAttr,
    I16Array, I16ArrayAttr, I32Array, I32ArrayAttr, I64Array, I64ArrayAttr, Int, IntegerAttr,
    IntegerSetAttr, Layout, LayoutAttr, MapValue, OpaqueAttr, OpaqueValue, Real, SetValue, Str,
    Strided, StridedLayoutAttr, StringAttr, SymbolRef, SymbolRefAttr, TypeAttr, TypeValue, Unit,
    UnitAttr,
};
use crate::uniqued_handles::{Attribute, Identifier, Type};
use crate::uniquer::Uniquer;

/// A kind of attribute.
///
/// ```
/// # use mondo_ir::{Attribute, Context, attributes::{AttributeKind, Str, Unit}};
/// Context::new().enter(|ctx, _| {
///     fn named<K: AttributeKind>(of: Attribute<'_>) -> Option<&'static str> {
///         of.is::<K>().then_some(K::NAME)
///     }
///     assert_eq!(named::<Unit>(ctx.unit().any()), Some("Unit"));
///     assert_eq!(named::<Str>(ctx.unit().any()), None);
/// });
/// ```
pub trait AttributeKind {
    /// Its name, for messages.
    const NAME: &'static str;
    /// Returns true if the attribute is of this kind.
    fn holds(of: Attribute<'_>) -> bool;
}

tests! { Attribute, AttributeKind:
    Int = c::mlirAttributeIsAInteger;
    Real = c::mlirAttributeIsAFloat;
    Str = c::mlirAttributeIsAString;
    Array = c::mlirAttributeIsAArray;
    Dictionary = c::mlirAttributeIsADictionary;
    TypeValue = c::mlirAttributeIsAType;
    Unit = c::mlirAttributeIsAUnit;
    SymbolRef = c::mlirAttributeIsAFlatSymbolRef;
    I32Array = c::mlirAttributeIsADenseI32Array;
    I64Array = c::mlirAttributeIsADenseI64Array;
    DenseElements = c::mlirAttributeIsADenseElements;
    MapValue = c::mlirAttributeIsAAffineMap;
    SetValue = c::mlirAttributeIsAIntegerSet;
    Strided = c::mlirAttributeIsAStridedLayout;
    AnySymbolRef = c::mlirAttributeIsASymbolRef;
    OpaqueValue = c::mlirAttributeIsAOpaque;
    Bool = c::mlirAttributeIsABool;
    DenseIntegers = c::mlirAttributeIsADenseIntElements;
    DenseFloats = c::mlirAttributeIsADenseFPElements;
    DenseResource = c::mlirAttributeIsADenseResourceElements;
    BoolArray = c::mlirAttributeIsADenseBoolArray;
    I8Array = c::mlirAttributeIsADenseI8Array;
    I16Array = c::mlirAttributeIsADenseI16Array;
    F32Array = c::mlirAttributeIsADenseF32Array;
    F64Array = c::mlirAttributeIsADenseF64Array;
}

impl AttributeKind for Layout {
    const NAME: &'static str = "Layout";

    fn holds(of: Attribute<'_>) -> bool {
        c::mlirAttributeIsAAffineMap(of) || c::mlirAttributeIsAStridedLayout(of)
    }
}

casts!(Attribute, AttributeKind);

/// A name with an attribute, as operations and dictionaries have it.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     let named = (ctx.identifier("a"), ctx.unit().any());
///     let dictionary = ctx.dictionary(&[("a", ctx.unit().any())]).unwrap();
///     assert_eq!(dictionary.entries(), [named]);
///     assert_eq!((dictionary.entry(0), dictionary.entry(1)), (Some(named), None));
///     assert_eq!(dictionary.get("a"), Some(ctx.unit().any()));
/// });
/// ```
pub type Named<'ctx> = (Identifier<'ctx>, Attribute<'ctx>);

pub(crate) fn named_raw((name, attribute): Named<'_>) -> MlirNamedAttribute {
    MlirNamedAttribute {
        name: name.raw(),
        attribute: attribute.raw(),
    }
}

/// # Safety
///
/// The pair is of the brand's context.
pub(crate) unsafe fn named<'ctx>(raw: MlirNamedAttribute) -> Named<'ctx> {
    // SAFETY: name and attribute are of the brand's context, by this function's contract.
    unsafe {
        (
            Identifier::expect(raw.name),
            Attribute::expect(raw.attribute),
        )
    }
}

impl<'ctx> IntegerAttr<'ctx> {
    /// The type, an integer or `index`.
    pub fn type_(self) -> Type<'ctx> {
        c::mlirAttributeGetType(self.any())
    }

    /// The value, as the type's sign says. Of an integer of more than 64 bits it is the lowest 64.
    pub fn value(self) -> i128 {
        let signedness = self.type_().downcast::<Integer>().map(Type::signedness);
        match signedness {
            Some(Signedness::Signed) => c::mlirIntegerAttrGetValueSInt(self).into(),
            Some(Signedness::Unsigned) => c::mlirIntegerAttrGetValueUInt(self).into(),
            Some(Signedness::Signless) | None => c::mlirIntegerAttrGetValueInt(self).into(),
        }
    }
}

impl<'ctx> FloatAttr<'ctx> {
    /// The type, a float.
    pub fn type_(self) -> Type<'ctx> {
        c::mlirAttributeGetType(self.any())
    }

    /// The value, rounded to 64 bits.
    pub fn value(self) -> f64 {
        c::mlirFloatAttrGetValueDouble(self)
    }
}

impl<'ctx> TypeAttr<'ctx> {
    /// The type.
    pub fn value(self) -> Type<'ctx> {
        c::mlirTypeAttrGetValue(self)
    }
}

impl<'ctx> ArrayAttr<'ctx> {
    /// The number of elements.
    pub fn count(self) -> usize {
        c::mlirArrayAttrGetNumElements(self).unsigned_abs()
    }

    /// One element.
    pub fn element_at(self, index: usize) -> Option<Attribute<'ctx>> {
        c::mlirArrayAttrGetElement::at(self, index)
    }

    /// The elements.
    pub fn elements(self) -> Vec<Attribute<'ctx>> {
        c::mlirArrayAttrGetElement::all(self).collect()
    }
}

impl<'ctx> DictionaryAttr<'ctx> {
    /// The entries, sorted by name.
    pub fn entries(self) -> Vec<Named<'ctx>> {
        (0..c::mlirDictionaryAttrGetNumElements(self).unsigned_abs())
            .map_while(|index| self.entry(index))
            .collect()
    }

    /// One entry.
    pub fn entry(self, index: usize) -> Option<Named<'ctx>> {
        let count = c::mlirDictionaryAttrGetNumElements(self).unsigned_abs();
        let (raw, at) = (self.raw(), index as isize);
        // SAFETY: the index is below the count, and what a dictionary has is of its context.
        (index < count).then(|| unsafe { named(mondo_sys::mlirDictionaryAttrGetElement(raw, at)) })
    }

    /// The entry of that name.
    pub fn get(self, name: &str) -> Option<Attribute<'ctx>> {
        c::mlirDictionaryAttrGetElementByName(self, name.into())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number that a dense attribute can have as its element.
///
/// ```
/// # use mondo_ir::{Context, attributes::Element, types::RankedTensorType};
/// Context::new().enter(|ctx, _| {
///     fn ones<E: Element + From<i8>>(type_: RankedTensorType<'_>) -> bool {
///         E::fits(type_.element()) && type_.uniquer().dense(type_, &[E::from(1)]).is_ok()
///     }
///     let number = ctx.tensor(&[Some(1)], ctx.i32(), None).unwrap();
///     assert!(ones::<i32>(number) && !ones::<i64>(number));
/// });
/// ```
pub trait Element: sealed::Sealed + Copy {
    /// Returns true if MLIR stores elements of this type like this number.
    fn fits(element: Type<'_>) -> bool;
}

macro_rules! elements {
    ($($number:ty, $kind:ty, $width:literal;)+) => {
        $(impl sealed::Sealed for $number {}
        impl Element for $number {
            fn fits(element: Type<'_>) -> bool {
                element.downcast::<$kind>().is_some_and(|element| element.width() == $width)
            }
        })+
    };
}

elements! {
    i8, Integer, 8;
    i16, Integer, 16;
    i32, Integer, 32;
    i64, Integer, 64;
    f32, crate::types::Float, 32;
    f64, crate::types::Float, 64;
}

impl<'ctx> Uniquer<'ctx> {
    /// Reads an attribute; diagnostics go to the context's handlers. Text that nests too deeply is none.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     assert_eq!(ctx.parsed_attribute("unit"), Some(ctx.unit().any()));
    ///     let (none, diagnostics) = ctx.capture(|| ctx.parsed_attribute("#"));
    ///     assert!(none.is_none() && !diagnostics.is_empty());
    /// });
    /// ```
    pub fn parsed_attribute(self, text: &str) -> Option<Attribute<'ctx>> {
        self.read_attribute(&crate::source::Source::text(text).ok()?)
    }

    /// An attribute from text that may be read, or `None` if it cannot be, which MLIR reports.
    pub fn attribute_of_text(self, text: &crate::text::Terminated) -> Option<Attribute<'ctx>> {
        // SAFETY: a `Uniquer` is of a live context, by its brand, and `Terminated` has a NUL beyond the
        // length of its text.
        unsafe { Attribute::from_raw(mlirAttributeParseGet(self.raw(), string_ref(text.bytes()))) }
    }

    fn read_attribute(self, text: &crate::source::Source) -> Option<Attribute<'ctx>> {
        // SAFETY: the context is live, and the text ends with a NUL beyond its length.
        unsafe { Attribute::from_raw(mlirAttributeParseGet(self.raw(), string_ref(text.bytes()))) }
    }

    /// Reads an attribute.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not an attribute, with MLIR's diagnostics.
    pub fn parse_attribute(self, text: &str) -> Result<Attribute<'ctx>> {
        let text = crate::source::Source::text(text)?;
        let (parsed, diagnostics) = captured_here(&self, || self.read_attribute(&text));
        parsed.ok_or_else(|| {
            Error::new(ErrorKind::Parse, "the attribute cannot be read").with(diagnostics)
        })
    }

    /// `value : type`. Bits that the type does not have are dropped.
    pub fn integer_attr<K: IsIntegerOrIndex>(
        self,
        type_: Type<'ctx, K>,
        value: i64,
    ) -> IntegerAttr<'ctx> {
        // SAFETY: the type is an integer type or `index`.
        unsafe { Attribute::expect(mlirIntegerAttrGet(type_.raw(), value)) }
    }

    /// `value : type`, rounded to what the type has.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let half = ctx.float_attr(ctx.f16(), 0.5);
    ///     assert_eq!((half.value(), half.type_()), (0.5, ctx.f16().any()));
    ///     assert_eq!(ctx.bool_attr(false).value(), 0);
    ///     assert_eq!(ctx.string_attr("text").value(), b"text");
    ///     assert_eq!(ctx.symbol_ref("f").value(), b"f");
    ///     assert_eq!(ctx.type_attr(ctx.i8()).value(), ctx.i8());
    /// });
    /// ```
    pub fn float_attr(self, type_: FloatType<'ctx>, value: f64) -> FloatAttr<'ctx> {
        // SAFETY: the type is a float type of this context.
        unsafe { Attribute::expect(mlirFloatAttrDoubleGet(self.raw(), type_.raw(), value)) }
    }

    /// `true` or `false`.
    pub fn bool_attr(self, value: bool) -> IntegerAttr<'ctx> {
        // SAFETY: a `Uniquer` is of a live context, by its brand.
        unsafe { Attribute::expect(mlirBoolAttrGet(self.raw(), value.into())) }
    }

    /// `"value"`.
    pub fn string_attr(self, value: &(impl AsRef<[u8]> + ?Sized)) -> StringAttr<'ctx> {
        c::mlirStringAttrGet(self, value.as_ref().into())
    }

    /// `@symbol`.
    pub fn symbol_ref(self, symbol: &str) -> FlatSymbolRefAttr<'ctx> {
        c::mlirFlatSymbolRefAttrGet(self, symbol.into())
    }

    /// The type as an attribute.
    pub fn type_attr(self, type_: impl Into<Type<'ctx>>) -> TypeAttr<'ctx> {
        c::mlirTypeAttrGet(type_.into())
    }

    /// `unit`.
    pub fn unit(self) -> UnitAttr<'ctx> {
        c::mlirUnitAttrGet(self)
    }

    /// `[elements]`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let array = ctx.array(&[ctx.unit().any(), ctx.bool_attr(true).any()]);
    ///     assert_eq!(array.to_string(), "[unit, true]");
    ///     assert_eq!((array.count(), array.elements().len()), (2, 2));
    ///     assert_eq!((array.element_at(0), array.element_at(2)), (Some(ctx.unit().any()), None));
    /// });
    /// ```
    pub fn array(self, elements: &[Attribute<'ctx>]) -> ArrayAttr<'ctx> {
        c::mlirArrayAttrGet::of(self, elements)
    }

    /// `{name = value}`.
    ///
    /// # Errors
    /// `ErrorKind::Form` if a name is there twice.
    pub fn dictionary(self, entries: &[(&str, Attribute<'ctx>)]) -> Result<DictionaryAttr<'ctx>> {
        if let Some(twice) = repeated(entries.iter().map(|(name, _)| *name)) {
            let message = format!("the dictionary has `{twice}` twice");
            return Err(Error::new(ErrorKind::Form, message));
        }
        let entry =
            |(name, value): &(&str, Attribute<'ctx>)| named_raw((self.identifier(name), *value));
        let entries: Vec<_> = entries.iter().map(entry).collect();
        // SAFETY: the array is as long as said, all of it is of this context, and the names differ.
        Ok(unsafe {
            Attribute::expect(mlirDictionaryAttrGet(
                self.raw(),
                entries.len() as isize,
                entries.as_ptr(),
            ))
        })
    }

    /// `dense<values> : type`, in row-major order.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let matrix = ctx.tensor(&[Some(2), Some(2)], ctx.f32(), None).unwrap();
    ///     let dense = ctx.dense(matrix, &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
    ///     assert_eq!(dense.len(), 4);
    ///     assert!(ctx.dense(matrix, &[1.0_f32]).is_err());
    ///     assert!(ctx.dense(matrix, &[1_i32; 4]).is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Form` if the values are not as many as the shape has, or of another type.
    pub fn dense<E: Element>(
        self,
        type_: RankedTensorType<'ctx>,
        values: &[E],
    ) -> Result<DenseElementsAttr<'ctx>> {
        let shape: Option<Vec<u64>> = type_.shape().into_iter().flatten().collect();
        let count = shape.and_then(|shape| {
            shape
                .iter()
                .try_fold(1, |count: u64, size| count.checked_mul(*size))
        });
        if count != u64::try_from(values.len()).ok() || !E::fits(type_.element()) {
            let message = format!(
                "{} values of {} do not make a {type_}",
                values.len(),
                std::any::type_name::<E>()
            );
            return Err(Error::new(ErrorKind::Form, message));
        }
        // SAFETY: the buffer has the shape's elements in the form that MLIR stores; it is copied.
        unsafe {
            Attribute::from_raw(mlirDenseElementsAttrRawBufferGet(
                type_.raw(),
                size_of_val(values),
                values.as_ptr().cast(),
            ))
        }
        .ok_or_else(|| {
            Error::new(
                ErrorKind::Form,
                format!("MLIR makes no dense {type_} of these"),
            )
        })
    }
}
