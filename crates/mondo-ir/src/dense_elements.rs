//! The elements of tensors and vectors as attributes.

use mondo_sys::{mlirDenseElementsAttrGetRawData, mlirDenseElementsAttrRawBufferGet};

use crate::attributes::{DenseElementsAttr, DenseFloats, DenseIntegers, Int, Real};
use crate::declarations as c;
use crate::types::{Complex, Float, Index, Integer, Shaped, ShapedType};
use crate::uniqued_handles::{Attribute, Type};

impl DenseElementsAttr<'_> {
    /// The number of elements; `u64::MAX` where there are more, as text may have a splat of any shape.
    pub fn len(self) -> u64 {
        self.exact_len().unwrap_or(u64::MAX)
    }

    /// The number of elements, if it fits. MLIR multiplies the sizes without a look at what that exceeds.
    fn exact_len(self) -> Option<u64> {
        let sizes = self.sizes();
        if sizes.contains(&0) {
            return Some(0);
        }
        let mut sizes = sizes.into_iter().map(i64::unsigned_abs);
        sizes.try_fold(1, |count: u64, size| count.checked_mul(size))
    }

    /// Returns true if it has an element at that index. Of elements that are more than can be counted, MLIR keeps only some.
    ///
    /// ```
    /// # use mondo_ir::{Context, attributes};
    /// Context::new().enter(|ctx, _| {
    ///     let dense = ctx.parse_attribute("dense<[1, 2]> : tensor<2xi8>").unwrap();
    ///     let dense = dense.cast::<attributes::DenseElements>().unwrap();
    ///     assert!(dense.has(1) && !dense.has(2));
    /// });
    /// ```
    pub fn has(self, index: usize) -> bool {
        let kept = c::mlirElementsAttrGetNumElements(self).unsigned_abs();
        (index as u64) < kept.min(self.len())
    }

    /// Returns true if there is no element.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns true if all elements are one.
    pub fn is_splat(self) -> bool {
        c::mlirDenseElementsAttrIsSplat(self)
    }
}

/// A number of dense elements.
///
/// ```
/// # use mondo_ir::{Context, Scalar};
/// Context::new().enter(|ctx, _| {
///     let type_ = ctx.tensor(&[Some(2)], ctx.i16(), None).unwrap();
///     let dense = ctx.dense(type_, &[7_i16, -7]).unwrap();
///     assert_eq!(dense.scalar(1), Some(Scalar::Signed(-7)));
///     assert_eq!(dense.scalar(2), None);
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// A signed or signless integer.
    Signed(i64),
    /// An unsigned integer, an index, or a truth value.
    Unsigned(u64),
    /// A floating point number.
    Real(f64),
}

impl<'ctx> DenseElementsAttr<'ctx> {
    /// The type of the elements.
    pub fn element(self) -> Option<Type<'ctx>> {
        let of = c::mlirAttributeGetType(self.any()).downcast::<Shaped>();
        of.map(|of| c::mlirShapedTypeGetElementType(of))
    }

    /// The element of a splat.
    ///
    /// ```
    /// # use mondo_ir::{Context, attributes};
    /// Context::new().enter(|ctx, _| {
    ///     let dense = ctx.parse_attribute("dense<7> : tensor<4xi8>").unwrap();
    ///     let dense = dense.cast::<attributes::DenseElements>().unwrap();
    ///     assert!(dense.is_splat() && dense.len() == 4);
    ///     assert_eq!(dense.element(), Some(ctx.i8().any()));
    ///     assert_eq!(dense.splat_value(), Some(ctx.integer_attr(ctx.i8(), 7).any()));
    ///     // One element stands for all.
    ///     assert_eq!((dense.sizes(), dense.stored()), (vec![4], Some(&[7][..])));
    /// });
    /// ```
    pub fn splat_value(self) -> Option<Attribute<'ctx>> {
        // SAFETY: the attribute is a splat.
        self.is_splat()
            .then(|| unsafe { c::mlirDenseElementsAttrGetSplatValue(self) })
    }

    /// One element, or `None` if there is no such element, or its type has no more than 64 bits in the C API.
    pub fn scalar(self, index: usize) -> Option<Scalar> {
        if !self.has(index) {
            return None;
        }
        let (element, at) = (self.element()?, index as isize);
        if self.any().is::<DenseFloats>() {
            // SAFETY: the attribute has an element at `at`, of the type that each function is for.
            return unsafe {
                if c::mlirTypeIsAF32(element) {
                    Some(Scalar::Real(
                        c::mlirDenseElementsAttrGetFloatValue(self, at).into(),
                    ))
                } else if c::mlirTypeIsAF64(element) {
                    Some(Scalar::Real(c::mlirDenseElementsAttrGetDoubleValue(
                        self, at,
                    )))
                } else {
                    None
                }
            };
        }
        if !self.any().is::<DenseIntegers>() {
            return None;
        }
        let Some(integer) = element.downcast::<Integer>() else {
            let is_index = element.is::<Index>();
            // SAFETY: the attribute has an element at `at`, and elements of type `index` are what the
            // function is for.
            return is_index.then(|| unsafe {
                Scalar::Unsigned(c::mlirDenseElementsAttrGetIndexValue(self, at))
            });
        };
        let (signed, unsigned) = (Scalar::Signed, Scalar::Unsigned);
        // SAFETY: the attribute has an element at `at`, and each arm calls the function for its width and
        // signedness.
        Some(unsafe {
            match (integer.width(), c::mlirIntegerTypeIsUnsigned(integer)) {
                (1, _) => unsigned(c::mlirDenseElementsAttrGetBoolValue(self, at).into()),
                (8, true) => unsigned(c::mlirDenseElementsAttrGetUInt8Value(self, at).into()),
                (16, true) => unsigned(c::mlirDenseElementsAttrGetUInt16Value(self, at).into()),
                (32, true) => unsigned(c::mlirDenseElementsAttrGetUInt32Value(self, at).into()),
                (64, true) => unsigned(c::mlirDenseElementsAttrGetUInt64Value(self, at)),
                (8, false) => signed(c::mlirDenseElementsAttrGetInt8Value(self, at).into()),
                (16, false) => signed(c::mlirDenseElementsAttrGetInt16Value(self, at).into()),
                (32, false) => signed(c::mlirDenseElementsAttrGetInt32Value(self, at).into()),
                (64, false) => signed(c::mlirDenseElementsAttrGetInt64Value(self, at)),
                _ => return None,
            }
        })
    }
}

/// Whether MLIR stores truth values as bits.
const PACKS_TRUTH: bool = cfg!(llvm_before = "23");

impl<'ctx> DenseElementsAttr<'ctx> {
    /// The size in each dimension.
    pub fn sizes(self) -> Vec<i64> {
        let of = c::mlirAttributeGetType(self.any()).downcast::<Shaped>();
        let ranked = of.and_then(crate::uniqued_handles::ShapedType::ranked);
        ranked.map(crate::Ranked::sizes).unwrap_or_default()
    }

    /// The elements as MLIR stores them: one after the other or, for a splat, one for all; truth values are
    /// bytes, and before LLVM 23 bits, of which the lowest is the first. Returns `None` if the elements are neither integers nor floats, or more
    /// than can be counted.
    ///
    /// ```
    /// # use mondo_ir::{Context, attributes};
    /// Context::new().enter(|ctx, _| {
    ///     let text = "dense<0> : tensor<9223372036854775807x4xi64>";
    ///     let dense = ctx.parse_attribute(text).unwrap();
    ///     let dense = dense.cast::<attributes::DenseElements>().unwrap();
    ///     assert_eq!((dense.len(), dense.stored()), (u64::MAX, None));
    /// });
    /// ```
    pub fn stored(self) -> Option<&'ctx [u8]> {
        if !self.any().is::<DenseFloats>() && !self.any().is::<DenseIntegers>() {
            return None;
        }
        let width = width_of(self.element()?);
        let count = usize::try_from(self.exact_len()?).ok()?;
        let stored = if self.is_splat() { count.min(1) } else { count };
        let size = match width {
            1 if PACKS_TRUTH => stored.div_ceil(8),
            _ => stored.checked_mul(width.div_ceil(8))?,
        };
        if size == 0 {
            return Some(&[]);
        }
        // SAFETY: MLIR stores that many elements of that width, as long as the context lives.
        Some(unsafe {
            let data = mlirDenseElementsAttrGetRawData(self.raw());
            std::slice::from_raw_parts(data.cast(), size)
        })
    }
}

/// A shaped type that can have dense elements, and their number.
///
/// ```
/// # use mondo_ir::{Context, DenseShape};
/// Context::new().enter(|ctx, _| {
///     let vector = ctx.vector(&[3], ctx.i8()).unwrap().any();
///     let shape = DenseShape::of(vector).unwrap();
///     assert_eq!((shape.count(), shape.element()), (3, ctx.i8().any()));
///     let seven = ctx.integer_attr(ctx.i8(), 7).any();
///     assert!(shape.takes(seven) && !shape.takes(ctx.unit().any()));
///     let splat = shape.splat(seven).unwrap();
///     assert_eq!(shape.list(&[seven; 3]), Some(splat));
///     assert!(shape.list(&[seven; 2]).is_none());
///     assert_eq!(shape.stored(&[7, 7, 7]).map(|elements| elements.len()), Some(3));
///     assert!(DenseShape::of(ctx.i8().any()).is_err());
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DenseShape<'ctx> {
    of: ShapedType<'ctx>,
    count: usize,
}

/// The number of bits of a number in MLIR's storage format.
fn width_of(element: Type<'_>) -> usize {
    if let Some(complex) = element.downcast::<Complex>() {
        let part = c::mlirComplexTypeGetElementType(complex);
        return 2 * width_of(part).next_multiple_of(8);
    }
    match element.downcast::<Integer>() {
        Some(integer) => integer.width() as usize,
        // An index has 64.
        None => element
            .downcast::<Float>()
            .map_or(64, |element| element.width() as usize),
    }
}

impl<'ctx> DenseShape<'ctx> {
    /// The type, if it can have dense elements.
    ///
    /// # Errors
    /// The reason for which it cannot.
    pub fn of(type_: Type<'ctx>) -> std::result::Result<Self, &'static str> {
        let shaped = type_.downcast::<Shaped>();
        let shaped = shaped.filter(|shape| c::mlirShapedTypeHasStaticShape(*shape));
        let of = shaped.ok_or("it has no static shape")?;
        let element = c::mlirShapedTypeGetElementType(of);
        let is_number = match element.downcast::<Integer>() {
            Some(integer) => integer.width() > 0,
            None => element.is::<Index>() || element.is::<Float>() || element.is::<Complex>(),
        };
        if !is_number {
            return Err("its elements are not numbers");
        }
        let sizes = of.ranked().map(crate::Ranked::sizes).unwrap_or_default();
        let count = sizes
            .into_iter()
            .map(|size| usize::try_from(size).ok())
            .try_fold(1usize, |count, size| {
                size.and_then(|size| count.checked_mul(size))
            });
        let count = count.ok_or("it has more elements than there is memory")?;
        Ok(Self { of, count })
    }

    /// The number of elements.
    pub fn count(self) -> usize {
        self.count
    }

    /// The type of the elements.
    pub fn element(self) -> Type<'ctx> {
        c::mlirShapedTypeGetElementType(self.of)
    }

    /// Whether the elements are truth values that take a byte each, as they do since LLVM 23.
    ///
    /// ```
    /// # use mondo_ir::{Context, DenseShape};
    /// Context::new().enter(|ctx, _| {
    ///     let tensor = ctx.tensor(&[Some(12)], ctx.i8(), None).unwrap();
    ///     assert!(!DenseShape::of(tensor.any()).unwrap().has_truth_in_bytes());
    /// });
    /// ```
    pub fn has_truth_in_bytes(self) -> bool {
        !PACKS_TRUTH && width_of(self.element()) == 1
    }

    /// The size of an element in MLIR's storage format, in bytes.
    pub fn element_size(self) -> usize {
        width_of(self.element()).div_ceil(8)
    }

    /// The most bytes that all elements take in MLIR's storage format, or the one for all of them; `usize::MAX` where they
    /// cannot be counted.
    ///
    /// ```
    /// # use mondo_ir::{Context, DenseShape};
    /// Context::new().enter(|ctx, _| {
    ///     let shape = |element| {
    ///         let tensor = ctx.tensor(&[Some(12)], element, None).unwrap();
    ///         DenseShape::of(tensor.any()).unwrap()
    ///     };
    ///     assert_eq!((shape(ctx.i16()).element_size(), shape(ctx.i16()).most_bytes()), (2, 24));
    ///     assert_eq!(shape(ctx.i1()).element_size(), 1);
    /// });
    /// ```
    pub fn most_bytes(self) -> usize {
        let size = self.element_size();
        let all = match width_of(self.element()) {
            1 if PACKS_TRUTH => self.count.div_ceil(8),
            _ => self.count.saturating_mul(size),
        };
        all.max(size)
    }

    /// Returns true if the attribute is a number of the type of the elements.
    pub fn takes(self, element: Attribute<'ctx>) -> bool {
        (element.is::<Int>() || element.is::<Real>())
            && c::mlirAttributeGetType(element) == self.element()
    }

    /// The attribute whose elements are all the same, or `None` if it is no such element.
    pub fn splat(self, element: Attribute<'ctx>) -> Option<DenseElementsAttr<'ctx>> {
        // SAFETY: the type can have dense elements, and the attribute is one.
        self.takes(element)
            .then(|| unsafe { c::mlirDenseElementsAttrSplatGet(self.of, element) })
    }

    /// The attribute of these elements: one for each place, or one for all places (a splat). None for any other number,
    /// or an element of another type.
    pub fn list(self, elements: &[Attribute<'ctx>]) -> Option<DenseElementsAttr<'ctx>> {
        let fits = (elements.len() == self.count || elements.len() == 1)
            && elements.iter().all(|element| self.takes(*element));
        // SAFETY: there is an attribute of the right type for each element, or one for all.
        fits.then(|| unsafe {
            c::mlirDenseElementsAttrGet(self.of, elements.len() as isize, elements.as_ptr())
        })
    }

    /// The attribute of elements in MLIR's storage format: the bytes of all elements, or of one for all (a splat). None
    /// for any other number of bytes.
    pub fn stored(self, bytes: &[u8]) -> Option<DenseElementsAttr<'ctx>> {
        // The bytes of one element are a splat to MLIR, even of a type without elements, and such
        // an attribute is refused here.
        if self.count == 0 && !bytes.is_empty() {
            return None;
        }
        // SAFETY: the type can have dense elements; MLIR checks the number of bytes, and copies them.
        unsafe {
            Attribute::from_raw(mlirDenseElementsAttrRawBufferGet(
                self.of.raw(),
                bytes.len(),
                bytes.as_ptr().cast(),
            ))
        }
    }
}
