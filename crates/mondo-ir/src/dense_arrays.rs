//! Arrays of numbers, without a shape.

use mondo_sys::mlirDenseBoolArrayGet;

use crate::attributes::{
    BoolArrayAttr, F32ArrayAttr, F64ArrayAttr, I8ArrayAttr, I16ArrayAttr, I32ArrayAttr,
    I64ArrayAttr,
};
use crate::declarations as c;
use crate::uniqued_handles::Attribute;
use crate::uniquer::Uniquer;

macro_rules! elements {
    ($($array:ident of $element:ty = $at:ident;)+) => {
        $(impl $array<'_> {
            /// The number of elements.
            pub fn count(self) -> usize {
                // SAFETY: the kind of the attribute says that it is a dense array.
                unsafe { c::mlirDenseArrayGetNumElements(self.any()) }.unsigned_abs()
            }

            /// One element.
            pub fn at(self, index: usize) -> Option<$element> {
                // SAFETY: the index is below the count, by the comparison in front of the call.
                (index < self.count()).then(|| unsafe { c::$at(self, index as isize) })
            }

            /// The elements.
            pub fn values(self) -> Vec<$element> {
                // SAFETY: each index is below the count, which is the end of the range.
                let at = |index| unsafe { c::$at(self, index as isize) };
                (0..self.count()).map(at).collect()
            }
        })+
    };
}

elements! {
    BoolArrayAttr of bool = mlirDenseBoolArrayGetElement;
    I8ArrayAttr of i8 = mlirDenseI8ArrayGetElement;
    I16ArrayAttr of i16 = mlirDenseI16ArrayGetElement;
    I32ArrayAttr of i32 = mlirDenseI32ArrayGetElement;
    I64ArrayAttr of i64 = mlirDenseI64ArrayGetElement;
    F32ArrayAttr of f32 = mlirDenseF32ArrayGetElement;
    F64ArrayAttr of f64 = mlirDenseF64ArrayGetElement;
}

macro_rules! makers {
    ($($name:ident -> $array:ident of $element:ty = $make:ident;)+) => {
        impl<'ctx> Uniquer<'ctx> {
            $(#[doc = concat!("`array<", stringify!($element), ": values>`.")]
            pub fn $name(self, values: &[$element]) -> $array<'ctx> {
                c::$make::of(self, values)
            })+
        }
    };
}

makers! {
    i8_array -> I8ArrayAttr of i8 = mlirDenseI8ArrayGet;
    i16_array -> I16ArrayAttr of i16 = mlirDenseI16ArrayGet;
    i32_array -> I32ArrayAttr of i32 = mlirDenseI32ArrayGet;
    i64_array -> I64ArrayAttr of i64 = mlirDenseI64ArrayGet;
    f32_array -> F32ArrayAttr of f32 = mlirDenseF32ArrayGet;
    f64_array -> F64ArrayAttr of f64 = mlirDenseF64ArrayGet;
}

impl<'ctx> Uniquer<'ctx> {
    /// `array<i1: values>`, of numbers that are zero for `false`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let array = ctx.bool_array(&[1, 0]);
    ///     assert_eq!(array.to_string(), "array<i1: true, false>");
    ///     assert_eq!((array.count(), array.at(0), array.at(2)), (2, Some(true), None));
    ///     assert_eq!(ctx.i64_array(&[3, 4]).values(), [3, 4]);
    /// });
    /// ```
    pub fn bool_array(self, values: &[i32]) -> BoolArrayAttr<'ctx> {
        let count = values.len() as isize;
        // SAFETY: the context is live, and copies the values, of which there are so many.
        unsafe { Attribute::expect(mlirDenseBoolArrayGet(self.raw(), count, values.as_ptr())) }
    }
}
