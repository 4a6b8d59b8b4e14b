//! The handles of all uniqued things, and the kinds of types and attributes.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_sys::{
    MlirAttribute, MlirIdentifier, MlirTypeID, mlirIdentifierStr, mlirTypeIDHashValue,
};

use crate::brand::Brand;
use crate::c_type::CType;
use crate::callback::bytes;
use crate::sort::{kinds, uniqued};

/// Any kind.
///
/// ```
/// # use mondo_ir::{Context, Type, types};
/// Context::new().enter(|ctx, _| {
///     let any: Type<'_, types::Any> = ctx.i8().any();
///     let integer: types::IntegerType<'_> = any.downcast().unwrap();
///     assert_eq!(any, integer);
///     assert!(any.downcast::<types::Float>().is_none());
///     // SAFETY: the type is of this context.
///     assert_eq!(unsafe { Type::from_raw(any.raw()) }, Some(any));
/// });
/// ```
#[derive(Debug)]
pub enum Any {}

uniqued! {
    /// A type, which its context owns. Types of one context are equal if they are the same.
    ///
    /// `K` is the kind that was checked; calls that need an integer type take one of the kind
    /// [`Integer`].
    ///
    /// ```
    /// # use mondo_ir::{Context, types};
    /// Context::new().enter(|ctx, _| {
    ///     let any = ctx.parse_type("i17").unwrap();
    ///     let integer = any.cast::<types::Integer>().unwrap();
    ///     assert_eq!(integer.width(), 17);
    ///     assert!(any.cast::<types::Float>().is_err());
    /// });
    /// ```
    Type, MlirType, mlirTypePrint, mlirTypeGetContext
}

kinds! { Type:
    /// `i32`, `si8`, `ui64`.
    Integer, IntegerType;
    /// `index`.
    Index, IndexType;
    /// `f32`, `bf16`, `f8E5M2` and others.
    Float, FloatType;
    /// `none`.
    NoneKind, NoneType;
    /// `complex<f32>`.
    Complex, ComplexType;
    /// `(i32) -> f32`.
    Function, FunctionType;
    /// `tuple<i32, f32>`.
    Tuple, TupleType;
    /// Vectors, tensors and memrefs.
    Shaped, ShapedType;
    /// `vector<4xf32>`.
    Vector, VectorType;
    /// `tensor<4x?xf32>`.
    RankedTensor, RankedTensorType;
    /// `tensor<*xf32>`.
    UnrankedTensor, UnrankedTensorType;
    /// `memref<4xf32>`.
    MemRef, MemRefType;
    /// `memref<*xf32>`.
    UnrankedMemRef, UnrankedMemRefType;
    /// A type of a dialect that is not loaded.
    Opaque, OpaqueType;
    /// An integer or a floating point type.
    NumberKind, NumberType;
}

uniqued! {
    /// An attribute, which its context owns. Attributes of one context are equal if they are the same.
    ///
    /// ```
    /// # use mondo_ir::{Context, attributes};
    /// Context::new().enter(|ctx, _| {
    ///     let any = ctx.parse_attribute("[1, \"two\"]").unwrap();
    ///     let array = any.cast::<attributes::Array>().unwrap();
    ///     let two = array.elements()[1].cast::<attributes::Str>().unwrap();
    ///     assert_eq!(two.value(), b"two");
    /// });
    /// ```
    Attribute, MlirAttribute, mlirAttributePrint, mlirAttributeGetContext
}

kinds! { Attribute:
    /// `7 : i32`, `true`.
    Int, IntegerAttr;
    /// `7.0 : f32`.
    Real, FloatAttr;
    /// `"text"`.
    Str, StringAttr;
    /// `[1, 2]`.
    Array, ArrayAttr;
    /// `{a = 1}`.
    Dictionary, DictionaryAttr;
    /// A type as an attribute.
    TypeValue, TypeAttr;
    /// `unit`.
    Unit, UnitAttr;
    /// `@name`.
    SymbolRef, FlatSymbolRefAttr;
    /// `@name` or `@name::@nested`.
    AnySymbolRef, SymbolRefAttr;
    /// An attribute of a dialect that is not loaded.
    OpaqueValue, OpaqueAttr;
    /// `true` or `false`: an integer of type `i1`.
    Bool, BoolAttr;
    /// `array<i1: true>`.
    BoolArray, BoolArrayAttr;
    /// `array<i8: 1, 2>`.
    I8Array, I8ArrayAttr;
    /// `array<i16: 1, 2>`.
    I16Array, I16ArrayAttr;
    /// `array<f32: 1.0>`.
    F32Array, F32ArrayAttr;
    /// `array<f64: 1.0>`.
    F64Array, F64ArrayAttr;
    /// `array<i32: 1, 2>`.
    I32Array, I32ArrayAttr;
    /// `array<i64: 1, 2>`.
    I64Array, I64ArrayAttr;
    /// `dense<[1, 2]> : tensor<2xi32>`.
    DenseElements, DenseElementsAttr;
    /// Dense elements that are integers or indices.
    DenseIntegers, DenseIntElementsAttr;
    /// Dense elements that are floating point numbers.
    DenseFloats, DenseFpElementsAttr;
    /// Dense elements that are a resource.
    DenseResource, DenseResourceAttr;
    /// An affine map.
    MapValue, AffineMapAttr;
    /// An integer set.
    SetValue, IntegerSetAttr;
    /// `strided<[4, 1], offset: 2>`.
    Strided, StridedLayoutAttr;
    /// An affine map or a strided layout.
    Layout, LayoutAttr;
}

/// The attribute as the C API takes one that may be missing.
pub(crate) fn raw_or_null(attribute: Option<Attribute<'_>>) -> MlirAttribute {
    attribute.map_or(
        MlirAttribute {
            ptr: std::ptr::null(),
        },
        Attribute::raw,
    )
}

uniqued! {
    /// The place in a source that something comes from.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let place = ctx.file("a.x", 3, 4);
    ///     assert_eq!(place.to_string(), "loc(\"a.x\":3:4)");
    ///     assert_eq!(ctx.named("sum", Some(place)).to_string(), "loc(\"sum\"(\"a.x\":3:4))");
    /// });
    /// ```
    Location, MlirLocation, mlirLocationPrint, mlirLocationGetContext
}

uniqued! {
    /// An expression of dimensions, symbols and constants.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let sum = ctx.dimension(0).plus(ctx.constant(4)).unwrap();
    ///     let sum = sum.floor_div(ctx.symbol(0)).unwrap();
    ///     assert_eq!(sum.to_string(), "(d0 + 4) floordiv s0");
    /// });
    /// ```
    AffineExpr, MlirAffineExpr, mlirAffineExprPrint, mlirAffineExprGetContext
}

kinds! { AffineExpr:
    /// A number.
    Number, NumberExpr;
    /// A dimension.
    Dimension, DimensionExpr;
    /// A symbol.
    Symbol, SymbolExpr;
    /// An operator and two expressions.
    Binary, BinaryExpr;
}

uniqued! {
    /// A map from dimensions and symbols to the values of expressions.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let (d0, s0) = (ctx.dimension(0), ctx.symbol(0));
    ///     let map = ctx.map(1, 1, &[d0, d0.plus(s0).unwrap()]).unwrap();
    ///     assert_eq!(map.to_string(), "(d0)[s0] -> (d0, d0 + s0)");
    ///     assert_eq!((map.dimensions(), map.symbols(), map.count()), (1, 1, 2));
    ///     assert_eq!((map.result(0), map.result(2)), (Some(d0), None));
    ///     assert_eq!(map.attribute().value(), map);
    /// });
    /// ```
    AffineMap, MlirAffineMap, mlirAffineMapPrint, mlirAffineMapGetContext
}

uniqued! {
    /// The points that satisfy equations and inequalities.
    ///
    /// ```
    /// # use mondo_ir::{Constraint, Context};
    /// Context::new().enter(|ctx, _| {
    ///     // The points of an interval of four.
    ///     let (d0, three) = (ctx.dimension(0), ctx.constant(3));
    ///     let rest = three.plus(d0.times(ctx.constant(-1)).unwrap()).unwrap();
    ///     let inside = [Constraint::NotNegative(d0), Constraint::NotNegative(rest)];
    ///     let set = ctx.set(1, 0, &inside).unwrap();
    ///     assert_eq!((set.dimensions(), set.symbols(), set.constraints()), (1, 0, 2));
    ///     assert_eq!((set.constraint(0), set.constraint(2)), (Some((d0, false)), None));
    ///     assert_eq!(set.expressions(), [d0, rest]);
    ///     assert_eq!(set.attribute().value(), set);
    ///     // The same interval, beginning at -1.
    ///     let moved = set.replace(&[d0.plus(ctx.constant(1)).unwrap()], &[], 1, 0).unwrap().unwrap();
    ///     assert_eq!(moved.to_string(), "(d0) : (d0 + 1 >= 0, -(d0 + 1) + 3 >= 0)");
    /// });
    /// ```
    IntegerSet, MlirIntegerSet, mlirIntegerSetPrint, mlirIntegerSetGetContext
}

/// A name that the context keeps once: of an attribute or an operation.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     let name = ctx.identifier("sum");
///     assert_eq!(name, "sum");
///     assert_eq!(name.text(), "sum");
///     assert_eq!(name.address(), ctx.identifier("sum").address());
/// });
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier<'ctx> {
    pointer: NonNull<c_void>,
    brand: Brand<'ctx>,
}

impl<'ctx> Identifier<'ctx> {
    /// # Safety
    ///
    /// The identifier is of the brand's context.
    pub(crate) unsafe fn expect(raw: MlirIdentifier) -> Self {
        Self {
            pointer: NonNull::new(raw.ptr.cast_mut()).expect("MLIR returned no null here"),
            brand: PhantomData,
        }
    }

    /// The address by which the context knows it.
    #[inline]
    pub fn address(self) -> *mut c_void {
        self.pointer.as_ptr()
    }

    pub(crate) fn raw(self) -> MlirIdentifier {
        MlirIdentifier {
            ptr: self.pointer.as_ptr(),
        }
    }

    /// The text; where it is not UTF-8, the replacement character stands.
    pub fn text(self) -> String {
        // SAFETY: the context keeps the text as long as it lives.
        String::from_utf8_lossy(unsafe { bytes(mlirIdentifierStr(self.raw())) }).into_owned()
    }
}

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Identifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identifier({self})")
    }
}

impl PartialEq<str> for Identifier<'_> {
    fn eq(&self, other: &str) -> bool {
        // SAFETY: the context keeps the text as long as it lives.
        unsafe { bytes(mlirIdentifierStr(self.raw())) == other.as_bytes() }
    }
}

impl PartialEq<&str> for Identifier<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl CType for Identifier<'_> {
    type Raw = MlirIdentifier;

    fn name() -> String {
        "MlirIdentifier".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirIdentifier {
        self.raw()
    }

    #[inline]
    unsafe fn of_raw(raw: MlirIdentifier) -> Self {
        // SAFETY: `CType::of_raw` asks for a thing of the brand's context, which `expect` needs.
        unsafe { Self::expect(raw) }
    }
}

/// The identity of a C++ class of operation, type or attribute. It is the same for all contexts, but
/// those of dialects that are defined at run time die with their context.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     assert_eq!(ctx.i8().type_id(), ctx.i16().type_id());
///     assert_ne!(ctx.i8().type_id(), ctx.f32().type_id());
///     assert_ne!(ctx.unit().type_id().key(), ctx.i8().type_id().key());
/// });
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeId<'ctx> {
    pointer: NonNull<c_void>,
    brand: Brand<'ctx>,
}

impl TypeId<'_> {
    /// # Safety
    ///
    /// The identity is of the brand's context, or static.
    pub(crate) unsafe fn from_raw(raw: MlirTypeID) -> Option<Self> {
        Some(Self {
            pointer: NonNull::new(raw.ptr.cast_mut())?,
            brand: PhantomData,
        })
    }

    /// The same in the form of mondo-sys.
    #[inline]
    pub fn raw(self) -> MlirTypeID {
        MlirTypeID {
            ptr: self.pointer.as_ptr(),
        }
    }
}

/// The address by which identities of classes are compared. It is never followed.
///
/// ```
/// # use mondo_ir::{Context, TypeKey};
/// // It can leave the scope, as it is only compared.
/// let key = Context::new().enter(|ctx, _| ctx.i8().type_id().key());
/// let again = Context::new().enter(|ctx, _| ctx.i16().type_id().key());
/// assert_eq!(key, again);
/// assert_eq!(key.hash_value(), again.hash_value());
/// assert_eq!(TypeKey::at(key.address().as_ptr()), Some(key));
/// assert_eq!(TypeKey::at(std::ptr::null_mut()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeKey(NonNull<c_void>);

// SAFETY: the address is only compared.
unsafe impl Send for TypeKey {}
// SAFETY: the address is only compared, by any number of threads.
unsafe impl Sync for TypeKey {}

impl TypeKey {
    /// The key of an address; none for null.
    pub fn at(address: *mut c_void) -> Option<Self> {
        NonNull::new(address).map(Self)
    }

    /// The address.
    pub fn address(self) -> NonNull<c_void> {
        self.0
    }

    /// The hash that MLIR has for it.
    pub fn hash_value(self) -> usize {
        // SAFETY: the address is not null, and not followed.
        unsafe { mlirTypeIDHashValue(self.raw()) }
    }

    /// The same in the form of mondo-sys.
    pub fn raw(self) -> MlirTypeID {
        MlirTypeID {
            ptr: self.0.as_ptr(),
        }
    }
}

impl TypeId<'_> {
    /// The address by which it is compared.
    pub fn key(self) -> TypeKey {
        TypeKey(self.pointer)
    }
}

impl CType for Option<TypeId<'_>> {
    type Raw = MlirTypeID;

    fn name() -> String {
        "MlirTypeID".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirTypeID {
        MlirTypeID {
            ptr: self.map_or(std::ptr::null(), |handle| handle.raw().ptr),
        }
    }

    #[inline]
    unsafe fn of_raw(raw: MlirTypeID) -> Self {
        // SAFETY: `CType::of_raw` asks for a type id that lives as long as the brand, or null, which
        // `from_raw` needs.
        unsafe { TypeId::from_raw(raw) }
    }
}

impl CType for TypeId<'_> {
    type Raw = MlirTypeID;

    fn name() -> String {
        "MlirTypeID".to_owned()
    }

    #[inline]
    fn to_raw(self) -> MlirTypeID {
        self.raw()
    }

    #[inline]
    unsafe fn of_raw(raw: MlirTypeID) -> Self {
        // SAFETY: `CType::of_raw` asks for a type id that lives as long as the brand, which `from_raw`
        // needs.
        unsafe { Self::from_raw(raw) }.expect("MLIR returned no null here")
    }
}
