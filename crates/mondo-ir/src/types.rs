//! Types and their kinds.

use mondo_sys::{
    mlirMemRefTypeContiguousGetChecked, mlirRankedTensorTypeGetChecked, mlirTypeParseGet,
    mlirUnrankedTensorTypeGetChecked, mlirVectorTypeGetChecked,
};

use crate::callback::string_ref;
use crate::capture::captured_here;
use crate::declarations as c;
use crate::error::{Error, ErrorKind, Result};
use crate::sort::{casts, tests};
pub use crate::uniqued_handles::{
    Any, Complex, ComplexType, Float, FloatType, Function, FunctionType, Index, IndexType, Integer,
    IntegerType, MemRef, MemRefType, NoneKind, NoneType, NumberKind, NumberType, Opaque,
    OpaqueType, RankedTensor, RankedTensorType, Shaped, ShapedType, Tuple, TupleType,
    UnrankedMemRef, UnrankedMemRefType, UnrankedTensor, UnrankedTensorType, Vector, VectorType,
};
use crate::uniqued_handles::{Attribute, Type, raw_or_null};
use crate::uniquer::Uniquer;

/// A kind of type.
///
/// ```
/// # use mondo_ir::{Context, Type, types::{Float, Index, TypeKind}};
/// Context::new().enter(|ctx, _| {
///     fn named<K: TypeKind>(of: Type<'_>) -> Option<&'static str> {
///         of.is::<K>().then_some(K::NAME)
///     }
///     assert_eq!(named::<Float>(ctx.f32().any()), Some("Float"));
///     assert_eq!(named::<Index>(ctx.f32().any()), None);
/// });
/// ```
pub trait TypeKind {
    /// Its name, for messages.
    const NAME: &'static str;
    /// Returns true if the type is of this kind.
    fn holds(of: Type<'_>) -> bool;
}

tests! { Type, TypeKind:
    Integer = c::mlirTypeIsAInteger;
    Index = c::mlirTypeIsAIndex;
    Float = c::mlirTypeIsAFloat;
    NoneKind = c::mlirTypeIsANone;
    Complex = c::mlirTypeIsAComplex;
    Function = c::mlirTypeIsAFunction;
    Tuple = c::mlirTypeIsATuple;
    Shaped = c::mlirTypeIsAShaped;
    Vector = c::mlirTypeIsAVector;
    RankedTensor = c::mlirTypeIsARankedTensor;
    UnrankedTensor = c::mlirTypeIsAUnrankedTensor;
    MemRef = c::mlirTypeIsAMemRef;
    UnrankedMemRef = c::mlirTypeIsAUnrankedMemRef;
    Opaque = c::mlirTypeIsAOpaque;
}

impl TypeKind for NumberKind {
    const NAME: &'static str = "NumberKind";

    fn holds(of: Type<'_>) -> bool {
        c::mlirTypeIsAInteger(of) || c::mlirTypeIsAFloat(of)
    }
}

casts!(Type, TypeKind);

/// A kind that is also one of [`Shaped`].
///
/// ```
/// # use mondo_ir::{Context, Type, types::IsShaped};
/// Context::new().enter(|ctx, _| {
///     fn size<K: IsShaped>(of: Type<'_, K>) -> Option<u64> {
///         of.shape()?.into_iter().product()
///     }
///     assert_eq!(size(ctx.vector(&[4, 8], ctx.f32()).unwrap()), Some(32));
///     assert_eq!(size(ctx.memref(&[None], ctx.f32(), None).unwrap()), None);
/// });
/// ```
///
/// # Safety
///
/// The kind stands for shaped types alone.
pub unsafe trait IsShaped: TypeKind {}

macro_rules! shaped {
    ($($kind:ident),+) => {
        // SAFETY: MLIR's classes of these are shaped.
        $(unsafe impl IsShaped for $kind {})+
    };
}

shaped!(
    Shaped,
    Vector,
    RankedTensor,
    UnrankedTensor,
    MemRef,
    UnrankedMemRef
);

/// The kinds that an integer attribute may have.
///
/// ```
/// # use mondo_ir::{Attribute, Context, Type, types::IsIntegerOrIndex};
/// Context::new().enter(|ctx, _| {
///     fn one<'ctx, K: IsIntegerOrIndex>(of: Type<'ctx, K>) -> Attribute<'ctx> {
///         of.uniquer().integer_attr(of, 1).any()
///     }
///     assert_eq!(one(ctx.i8()).to_string(), "1 : i8");
///     assert_eq!(one(ctx.index()).to_string(), "1 : index");
/// });
/// ```
///
/// # Safety
///
/// The kind stands for integer types or for `index`, and for no other types.
pub unsafe trait IsIntegerOrIndex: TypeKind {}
// SAFETY: the kind `Integer` stands for integer types alone, as its test says.
unsafe impl IsIntegerOrIndex for Integer {}
// SAFETY: the kind `Index` stands for the type `index` alone, as its test says.
unsafe impl IsIntegerOrIndex for Index {}

/// The most bits that an integer has: `mlir::IntegerType::kMaxWidth`.
///
/// ```
/// # use mondo_ir::{Context, types::MAX_WIDTH};
/// Context::new().enter(|ctx, _| {
///     assert!(ctx.integer(MAX_WIDTH).is_ok());
///     assert!(ctx.integer(MAX_WIDTH + 1).is_err());
/// });
/// ```
pub const MAX_WIDTH: u32 = (1 << 24) - 1;

/// The sign of an integer type.
///
/// ```
/// # use mondo_ir::{Context, types::Signedness};
/// Context::new().enter(|ctx, _| {
///     let byte = ctx.integer_with(8, Signedness::Unsigned).unwrap();
///     assert_eq!((byte.to_string(), byte.signedness()), ("ui8".to_owned(), Signedness::Unsigned));
///     assert_eq!(ctx.integer_of(8, Signedness::Signless), Some(ctx.i8()));
///     assert_eq!(ctx.integer_of(1 << 24, Signedness::Signed), None);
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// `i32`.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

impl IntegerType<'_> {
    /// The width in bits.
    #[inline]
    pub fn width(self) -> u32 {
        c::mlirIntegerTypeGetWidth(self)
    }

    /// The sign.
    #[inline]
    pub fn signedness(self) -> Signedness {
        if c::mlirIntegerTypeIsSigned(self) {
            Signedness::Signed
        } else if c::mlirIntegerTypeIsUnsigned(self) {
            Signedness::Unsigned
        } else {
            Signedness::Signless
        }
    }
}

impl FloatType<'_> {
    /// The width in bits.
    pub fn width(self) -> u32 {
        c::mlirFloatTypeGetWidth(self)
    }
}

impl<'ctx> ComplexType<'ctx> {
    /// The type of both parts.
    pub fn element(self) -> Type<'ctx> {
        c::mlirComplexTypeGetElementType(self)
    }
}

impl<'ctx> FunctionType<'ctx> {
    /// The types of the arguments.
    pub fn inputs(self) -> Vec<Type<'ctx>> {
        c::mlirFunctionTypeGetInput::all(self).collect()
    }

    /// The types of the results.
    pub fn results(self) -> Vec<Type<'ctx>> {
        c::mlirFunctionTypeGetResult::all(self).collect()
    }
}

impl<'ctx> TupleType<'ctx> {
    /// The type of one element.
    pub fn element_at(self, index: usize) -> Option<Type<'ctx>> {
        c::mlirTupleTypeGetType::at(self, index)
    }

    /// The types of the elements.
    pub fn elements(self) -> Vec<Type<'ctx>> {
        c::mlirTupleTypeGetType::all(self).collect()
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// Reads a type; diagnostics go to the context's handlers. Text that nests too deeply is none.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     assert_eq!(ctx.parsed_type("index"), Some(ctx.index().any()));
    ///     let (none, diagnostics) = ctx.capture(|| ctx.parsed_type("i"));
    ///     assert!(none.is_none() && !diagnostics.is_empty());
    /// });
    /// ```
    pub fn parsed_type(self, text: &str) -> Option<Type<'ctx>> {
        self.read_type(&crate::source::Source::text(text).ok()?)
    }

    /// A type from text that may be read, or `None` if it cannot be, which MLIR reports.
    pub fn type_of_text(self, text: &crate::text::Terminated) -> Option<Type<'ctx>> {
        // SAFETY: a `Uniquer` is of a live context, by its brand, and `Terminated` has a NUL beyond the
        // length of its text.
        unsafe { Type::from_raw(mlirTypeParseGet(self.raw(), string_ref(text.bytes()))) }
    }

    fn read_type(self, text: &crate::source::Source) -> Option<Type<'ctx>> {
        // SAFETY: the context is live, and the text ends with a NUL beyond its length.
        unsafe { Type::from_raw(mlirTypeParseGet(self.raw(), string_ref(text.bytes()))) }
    }

    /// Reads a type.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not a type, with MLIR's diagnostics.
    pub fn parse_type(self, text: &str) -> Result<Type<'ctx>> {
        let text = crate::source::Source::text(text)?;
        let (parsed, diagnostics) = captured_here(&self, || self.read_type(&text));
        parsed.ok_or_else(|| {
            Error::new(ErrorKind::Parse, "the type cannot be read").with(diagnostics)
        })
    }

    /// The signless integer type of that many bits.
    ///
    /// # Errors
    /// `ErrorKind::Form` if there are more bits than MLIR has.
    pub fn integer(self, width: u32) -> Result<IntegerType<'ctx>> {
        self.integer_with(width, Signedness::Signless)
    }

    /// The integer type of that many bits, with a sign.
    ///
    /// # Errors
    /// `ErrorKind::Form` if there are more bits than MLIR has.
    pub fn integer_with(self, width: u32, signedness: Signedness) -> Result<IntegerType<'ctx>> {
        self.integer_of(width, signedness).ok_or_else(|| {
            let message = format!("an integer has at most {MAX_WIDTH} bits, not {width}");
            Error::new(ErrorKind::Form, message)
        })
    }

    /// The integer type of that many bits, with a sign, or `None` if there are more bits than MLIR has.
    #[inline]
    pub fn integer_of(self, width: u32, signedness: Signedness) -> Option<IntegerType<'ctx>> {
        if width > MAX_WIDTH {
            return None;
        }
        // SAFETY: the width is one that MLIR has.
        Some(unsafe {
            match signedness {
                Signedness::Signless => c::mlirIntegerTypeGet(self, width),
                Signedness::Signed => c::mlirIntegerTypeSignedGet(self, width),
                Signedness::Unsigned => c::mlirIntegerTypeUnsignedGet(self, width),
            }
        })
    }

    /// `(inputs) -> results`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let (i8, f32) = (ctx.i8().any(), ctx.f32().any());
    ///     let function = ctx.function(&[i8, f32], &[f32]);
    ///     assert_eq!(function.to_string(), "(i8, f32) -> f32");
    ///     assert_eq!((function.inputs(), function.results()), (vec![i8, f32], vec![f32]));
    /// });
    /// ```
    pub fn function(self, inputs: &[Type<'ctx>], results: &[Type<'ctx>]) -> FunctionType<'ctx> {
        // SAFETY: each pointer and its count are those of one slice, which MLIR only reads during the call.
        unsafe {
            c::mlirFunctionTypeGet(
                self,
                inputs.len() as isize,
                inputs.as_ptr(),
                results.len() as isize,
                results.as_ptr(),
            )
        }
    }

    /// `tuple<elements>`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let tuple = ctx.tuple(&[ctx.i8().any(), ctx.f32().any()]);
    ///     assert_eq!((tuple.element_at(0), tuple.element_at(2)), (Some(ctx.i8().any()), None));
    ///     assert_eq!(tuple.elements().len(), 2);
    /// });
    /// ```
    pub fn tuple(self, elements: &[Type<'ctx>]) -> TupleType<'ctx> {
        c::mlirTupleTypeGet::of(self, elements)
    }

    /// `complex<element>`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let complex = ctx.complex(ctx.f32()).unwrap();
    ///     assert_eq!((complex.to_string().as_str(), complex.element()), ("complex<f32>", ctx.f32().any()));
    ///     assert!(ctx.complex(ctx.index()).is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Form` if the element is neither an integer nor a float.
    pub fn complex(self, element: impl Into<Type<'ctx>>) -> Result<ComplexType<'ctx>> {
        let element = element.into();
        let element = element.downcast().ok_or_else(|| {
            let message = format!("{element} cannot be the element of a complex type");
            Error::new(ErrorKind::Form, message)
        })?;
        Ok(c::mlirComplexTypeGet(element))
    }

    /// `tensor<shapexelement>`, None being a dynamic size.
    ///
    /// # Errors
    /// `ErrorKind::Form` if MLIR has no such type, with its diagnostics.
    pub fn tensor(
        self,
        shape: &[Option<u64>],
        element: impl Into<Type<'ctx>>,
        encoding: Option<Attribute<'ctx>>,
    ) -> Result<RankedTensorType<'ctx>> {
        let (sizes, element) = (sizes(shape)?, element.into());
        let encoding = raw_or_null(encoding);
        // SAFETY: all is of this context; `sizes` is as long as said; the call checks the rest.
        self.checked("tensor", || unsafe {
            Type::from_raw(mlirRankedTensorTypeGetChecked(
                self.unknown().raw(),
                sizes.len() as isize,
                sizes.as_ptr(),
                element.raw(),
                encoding,
            ))
        })
    }

    /// `tensor<*xelement>`.
    ///
    /// # Errors
    /// `ErrorKind::Form` if MLIR has no such type, with its diagnostics.
    pub fn unranked_tensor(
        self,
        element: impl Into<Type<'ctx>>,
    ) -> Result<UnrankedTensorType<'ctx>> {
        let element = element.into();
        // SAFETY: all is of this context; the call checks the rest.
        self.checked("tensor", || unsafe {
            Type::from_raw(mlirUnrankedTensorTypeGetChecked(
                self.unknown().raw(),
                element.raw(),
            ))
        })
    }

    /// `vector<shapexelement>`.
    ///
    /// # Errors
    /// `ErrorKind::Form` if MLIR has no such type, with its diagnostics.
    pub fn vector(self, shape: &[u64], element: impl Into<Type<'ctx>>) -> Result<VectorType<'ctx>> {
        let shape: Vec<_> = shape.iter().copied().map(Some).collect();
        let (sizes, element) = (sizes(&shape)?, element.into());
        // SAFETY: all is of this context; `sizes` is as long as said; the call checks the rest.
        self.checked("vector", || unsafe {
            Type::from_raw(mlirVectorTypeGetChecked(
                self.unknown().raw(),
                sizes.len() as isize,
                sizes.as_ptr(),
                element.raw(),
            ))
        })
    }

    /// `memref<shapexelement, space>` with the identity layout.
    ///
    /// # Errors
    /// `ErrorKind::Form` if MLIR has no such type, with its diagnostics.
    pub fn memref(
        self,
        shape: &[Option<u64>],
        element: impl Into<Type<'ctx>>,
        space: Option<Attribute<'ctx>>,
    ) -> Result<MemRefType<'ctx>> {
        let (sizes, element) = (sizes(shape)?, element.into());
        let space = raw_or_null(space);
        // SAFETY: all is of this context; `sizes` is as long as said; the call checks the rest.
        self.checked("memref", || unsafe {
            Type::from_raw(mlirMemRefTypeContiguousGetChecked(
                self.unknown().raw(),
                element.raw(),
                sizes.len() as isize,
                sizes.as_ptr(),
                space,
            ))
        })
    }

    fn checked<T>(self, what: &str, make: impl FnOnce() -> Option<T>) -> Result<T> {
        let (made, diagnostics) = captured_here(&self, make);
        made.ok_or_else(|| {
            Error::new(ErrorKind::Form, format!("there is no such {what} type")).with(diagnostics)
        })
    }
}

/// Types without parameters.
macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident -> $type:ident = $function:ident;)+) => {
        impl<'ctx> Uniquer<'ctx> {
            $($(#[$doc])*
            pub fn $name(self) -> $type<'ctx> {
                // SAFETY: the context is live, and the type is of this kind.
                unsafe { Type::expect(mondo_sys::$function(self.raw())) }
            })+
        }
    };
}

plain! {
    /// `index`.
    index -> IndexType = mlirIndexTypeGet;
    /// `none`.
    none -> NoneType = mlirNoneTypeGet;
    /// `f16`.
    f16 -> FloatType = mlirF16TypeGet;
    /// `bf16`.
    bf16 -> FloatType = mlirBF16TypeGet;
    /// `f32`.
    f32 -> FloatType = mlirF32TypeGet;
    /// `f64`.
    f64 -> FloatType = mlirF64TypeGet;
}

/// Integer types that every machine has.
macro_rules! integers {
    ($($name:ident = $width:literal;)+) => {
        impl<'ctx> Uniquer<'ctx> {
            $(#[doc = concat!("`i", stringify!($width), "`.")]
            pub fn $name(self) -> IntegerType<'ctx> {
                // SAFETY: the width is a literal of this macro's calls, which is far below the most bits
                // that MLIR allows.
                unsafe { c::mlirIntegerTypeGet(self, $width) }
            })+
        }
    };
}

integers! {
    i1 = 1;
    i8 = 8;
    i16 = 16;
    i32 = 32;
    i64 = 64;
}

fn sizes(shape: &[Option<u64>]) -> Result<Vec<i64>> {
    let dynamic = c::mlirShapedTypeGetDynamicSize();
    let size = |size: &Option<u64>| match size {
        None => Ok(dynamic),
        Some(size) => i64::try_from(*size).map_err(|_| {
            Error::new(
                ErrorKind::Form,
                format!("{size} is not the size of a dimension"),
            )
        }),
    };
    shape.iter().map(size).collect()
}
