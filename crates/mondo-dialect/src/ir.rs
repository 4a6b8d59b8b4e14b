//! MLIR's objects, as the functions of a dialect see them: each is a reference that is good until
//! the function returns, and never null.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::{fmt, slice};

use mondo_sys::*;

/// A string as MLIR takes it. It is good for as long as `text` is.
pub(crate) fn c_string(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// A string that MLIR gave, if it is UTF-8.
///
/// # Safety
///
/// `text` is good for as long as `'a`.
pub(crate) unsafe fn rust_string<'a>(text: MlirStringRef) -> Option<&'a str> {
    if text.length == 0 {
        return Some("");
    }
    // SAFETY: the caller vouches for the bytes, and they are not null, not being empty.
    let bytes = unsafe { slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).ok()
}

/// Appends to the `String` that `user` is.
pub(crate) unsafe extern "C" fn append(text: MlirStringRef, user: *mut c_void) {
    // SAFETY: whoever passes this function passes a `String`, and MLIR's text is good for the call.
    let (into, bytes) = unsafe {
        let bytes: &[u8] = if text.length == 0 {
            &[]
        } else {
            slice::from_raw_parts(text.data.cast::<u8>(), text.length)
        };
        (&mut *user.cast::<String>(), bytes)
    };
    into.push_str(&String::from_utf8_lossy(bytes));
}

macro_rules! reference {
    ($(#[$doc:meta])* $name:ident($raw:ident)) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'c> {
            pub(crate) raw: $raw,
            lives: PhantomData<&'c ()>,
        }

        impl $name<'_> {
            /// # Safety
            ///
            /// `raw` is not null, and good for as long as the lifetime.
            pub(crate) unsafe fn new(raw: $raw) -> Self {
                Self { raw, lives: PhantomData }
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.raw.ptr, other.raw.ptr)
            }
        }

        impl Eq for $name<'_> {}
    };
}

macro_rules! printed {
    ($name:ident, $print:ident) => {
        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut text = String::new();
                // SAFETY: the object is live, and `append` gets the string that it expects.
                unsafe { $print(self.raw, Some(append), (&raw mut text).cast()) };
                f.write_str(&text)
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    };
}

reference!(
    /// A context.
    Context(MlirContext)
);
reference!(
    /// A type.
    Type(MlirType)
);
reference!(
    /// An attribute.
    Attribute(MlirAttribute)
);
reference!(
    /// A value.
    Value(MlirValue)
);
reference!(
    /// An operation.
    Operation(MlirOperation)
);
reference!(
    /// A location.
    Location(MlirLocation)
);
printed!(Type, mlirTypePrint);
printed!(Attribute, mlirAttributePrint);
printed!(Value, mlirValuePrint);
printed!(Operation, mlirOperationPrint);
printed!(Location, mlirLocationPrint);

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({:p})", self.raw.ptr)
    }
}

impl<'c> Context<'c> {
    /// The type `f64`.
    #[must_use]
    pub fn f64(self) -> Type<'c> {
        // SAFETY: the context is live.
        unsafe { Type::new(mlirF64TypeGet(self.raw)) }
    }

    /// The type `f32`.
    #[must_use]
    pub fn f32(self) -> Type<'c> {
        // SAFETY: the context is live.
        unsafe { Type::new(mlirF32TypeGet(self.raw)) }
    }

    /// The type of integers without signedness of that width.
    #[must_use]
    pub fn integer(self, width: u32) -> Type<'c> {
        // SAFETY: the context is live.
        unsafe { Type::new(mlirIntegerTypeGet(self.raw, width)) }
    }

    /// The type `none`, of what has no value.
    #[must_use]
    pub fn none(self) -> Type<'c> {
        // SAFETY: the context is live.
        unsafe { Type::new(mlirNoneTypeGet(self.raw)) }
    }

    /// A string.
    #[must_use]
    pub fn string_attribute(self, text: &str) -> Attribute<'c> {
        // SAFETY: the context is live.
        unsafe { Attribute::new(mlirStringAttrGet(self.raw, c_string(text))) }
    }

    /// A number, rounded to a floating-point type `ty`.
    ///
    /// # Panics
    ///
    /// If `ty` is not a floating-point type.
    #[must_use]
    pub fn float_attribute(self, ty: Type<'c>, value: f64) -> Attribute<'c> {
        // SAFETY: the type is live.
        let is_float = unsafe { mlirTypeIsAFloat(ty.raw) };
        assert!(is_float, "{ty} is no floating-point type");
        // SAFETY: both are live, and the type is as it has to be.
        unsafe { Attribute::new(mlirFloatAttrDoubleGet(self.raw, ty.raw, value)) }
    }

    /// An integer of 64 bits without signedness.
    #[must_use]
    pub fn i64_attribute(self, value: i64) -> Attribute<'c> {
        // SAFETY: the type is an integer's.
        unsafe { Attribute::new(mlirIntegerAttrGet(self.integer(64).raw, value)) }
    }

    /// A row of integers.
    #[must_use]
    pub fn i64_array_attribute(self, values: &[i64]) -> Attribute<'c> {
        // SAFETY: the context is live, and the pointer and the length are a slice's.
        unsafe {
            Attribute::new(mlirDenseI64ArrayGet(
                self.raw,
                values.len().cast_signed(),
                values.as_ptr(),
            ))
        }
    }

    /// A type as an attribute.
    #[must_use]
    pub fn type_attribute(self, ty: Type<'c>) -> Attribute<'c> {
        // SAFETY: the type is live.
        unsafe { Attribute::new(mlirTypeAttrGet(ty.raw)) }
    }

    pub(crate) fn unknown_location(self) -> MlirLocation {
        // SAFETY: the context is live.
        unsafe { mlirLocationUnknownGet(self.raw) }
    }
}

impl<'c> Type<'c> {
    /// The context.
    #[must_use]
    pub fn context(self) -> Context<'c> {
        // SAFETY: the type is live, and so is its context.
        unsafe { Context::new(mlirTypeGetContext(self.raw)) }
    }

    /// True for `f64`.
    #[must_use]
    pub fn is_f64(self) -> bool {
        // SAFETY: the type is live.
        unsafe { mlirTypeIsAF64(self.raw) }
    }

    /// True for `f32`.
    #[must_use]
    pub fn is_f32(self) -> bool {
        // SAFETY: the type is live.
        unsafe { mlirTypeIsAF32(self.raw) }
    }

    /// True for a signless integer of `width` bits.
    #[must_use]
    pub fn is_integer(self, width: u32) -> bool {
        // SAFETY: the type is live; the others are asked only if it is an integer.
        unsafe {
            mlirTypeIsAInteger(self.raw)
                && mlirIntegerTypeIsSignless(self.raw)
                && mlirIntegerTypeGetWidth(self.raw) == width
        }
    }
}

impl<'c> Attribute<'c> {
    /// The context.
    #[must_use]
    pub fn context(self) -> Context<'c> {
        // SAFETY: the attribute is live, and so is its context.
        unsafe { Context::new(mlirAttributeGetContext(self.raw)) }
    }

    /// The type of an attribute that has one.
    #[must_use]
    pub fn ty(self) -> Option<Type<'c>> {
        // SAFETY: the attribute is live.
        let raw = unsafe { mlirAttributeGetType(self.raw) };
        // SAFETY: it is not null, and types live as long as their context.
        (!raw.ptr.is_null()).then(|| unsafe { Type::new(raw) })
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(self) -> Option<&'c str> {
        // SAFETY: the attribute is live, and its text as long as its context.
        unsafe {
            mlirAttributeIsAString(self.raw)
                .then(|| rust_string(mlirStringAttrGetValue(self.raw)))
                .flatten()
        }
    }

    /// The value of a floating-point number, as a double.
    #[must_use]
    pub fn as_float(self) -> Option<f64> {
        // SAFETY: the attribute is live, and asked only if it is such a number.
        unsafe { mlirAttributeIsAFloat(self.raw).then(|| mlirFloatAttrGetValueDouble(self.raw)) }
    }

    /// The value of an integer without signedness, of no more than 64 bits.
    #[must_use]
    pub fn as_integer(self) -> Option<i64> {
        // SAFETY: the attribute is live, and asked only if it is such a number.
        unsafe {
            let fits = mlirAttributeIsAInteger(self.raw) && {
                let ty = mlirAttributeGetType(self.raw);
                mlirTypeIsAInteger(ty)
                    && mlirIntegerTypeIsSignless(ty)
                    && mlirIntegerTypeGetWidth(ty) <= 64
            };
            fits.then(|| mlirIntegerAttrGetValueInt(self.raw))
        }
    }

    /// The type that the attribute is.
    #[must_use]
    pub fn as_type(self) -> Option<Type<'c>> {
        // SAFETY: the attribute is live, and asked only if it is a type.
        unsafe { mlirAttributeIsAType(self.raw).then(|| Type::new(mlirTypeAttrGetValue(self.raw))) }
    }

    /// The integers of a row of them.
    #[must_use]
    pub fn as_i64_array(self) -> Option<Vec<i64>> {
        // SAFETY: the attribute is live, and asked only if it is a row of integers, for no more than
        // it has.
        unsafe {
            mlirAttributeIsADenseI64Array(self.raw).then(|| {
                (0..mlirDenseArrayGetNumElements(self.raw))
                    .map(|index| mlirDenseI64ArrayGetElement(self.raw, index))
                    .collect()
            })
        }
    }

    /// The entry of that name, of a dictionary.
    pub(crate) fn entry(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: the attribute is live, and asked only if it is a dictionary.
        unsafe {
            if !mlirAttributeIsADictionary(self.raw) {
                return None;
            }
            let raw = mlirDictionaryAttrGetElementByName(self.raw, c_string(name));
            (!raw.ptr.is_null()).then(|| Attribute::new(raw))
        }
    }
}

impl<'c> Value<'c> {
    /// The type.
    #[must_use]
    pub fn ty(self) -> Type<'c> {
        // SAFETY: the value is live, and types live as long as their context.
        unsafe { Type::new(mlirValueGetType(self.raw)) }
    }
}

impl<'c> Operation<'c> {
    /// The context.
    #[must_use]
    pub fn context(self) -> Context<'c> {
        // SAFETY: the operation is live, and so is its context.
        unsafe { Context::new(mlirOperationGetContext(self.raw)) }
    }

    /// The location.
    #[must_use]
    pub fn location(self) -> Location<'c> {
        // SAFETY: the operation is live, and locations live as long as their context.
        unsafe { Location::new(mlirOperationGetLocation(self.raw)) }
    }

    /// The operands.
    #[must_use]
    pub fn operands(self) -> Vec<Value<'c>> {
        // SAFETY: the operation is live, and asked for no more operands than it has.
        unsafe {
            (0..mlirOperationGetNumOperands(self.raw))
                .map(|index| Value::new(mlirOperationGetOperand(self.raw, index)))
                .collect()
        }
    }

    /// The results.
    #[must_use]
    pub fn results(self) -> Vec<Value<'c>> {
        // SAFETY: the operation is live, and asked for no more results than it has.
        unsafe {
            (0..mlirOperationGetNumResults(self.raw))
                .map(|index| Value::new(mlirOperationGetResult(self.raw, index)))
                .collect()
        }
    }

    /// The operand of that index.
    ///
    /// # Panics
    ///
    /// If there are not so many. The functions of an operation are called only when it has those
    /// that it is defined with.
    #[must_use]
    pub fn operand(self, index: usize) -> Value<'c> {
        self.operands()[index]
    }

    /// The result of that index.
    ///
    /// # Panics
    ///
    /// As for [`Self::operand`].
    #[must_use]
    pub fn result(self, index: usize) -> Value<'c> {
        self.results()[index]
    }

    /// The attribute of that name.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: the operation is live, and attributes live as long as their context.
        unsafe {
            let raw = mlirOperationGetAttributeByName(self.raw, c_string(name));
            (!raw.ptr.is_null()).then(|| Attribute::new(raw))
        }
    }
}
