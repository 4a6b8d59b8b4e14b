//! `quant`: types of numbers that stand for numbers of another type.

#[cfg(not(llvm_before = "22"))]
pub mod sub_channel;

use std::fmt::Write as _;

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::{Shaped, TypeKind};
use crate::uniqued_handles::{FloatType, IntegerType, Type, TypeId};

dialect! {
    /// The dialect.
    Quant = mlirGetDialectHandle__quant__
}

kinds! { Type:
    /// Any type of the dialect.
    Quantized, QuantizedType;
    /// `!quant.any<i8:f32>`.
    AnyQuantized, AnyQuantizedType;
    /// `!quant.uniform<i8:f32, 0.5:3>`.
    Uniform, UniformType;
    /// `!quant.uniform<i8:f32:1, {0.5:3, 0.25}>`.
    PerAxis, PerAxisType;
    /// `!quant.calibrated<f32<-1.0:1.0>>`.
    Calibrated, CalibratedType;
}

tests! { Type, TypeKind:
    Quantized = mlirTypeIsAQuantizedType;
    AnyQuantized = mlirTypeIsAAnyQuantizedType;
    Uniform = mlirTypeIsAUniformQuantizedType;
    PerAxis = mlirTypeIsAUniformQuantizedPerAxisType;
    Calibrated = mlirTypeIsACalibratedQuantizedType;
}

declarations! {
    "Dialect/Quant.h" {
        mlirGetDialectHandle__quant__() -> DialectHandle;
        mlirTypeIsAQuantizedType(of: Type<'ctx>) -> bool;
        mlirTypeIsAAnyQuantizedType(of: Type<'ctx>) -> bool;
        mlirTypeIsAUniformQuantizedType(of: Type<'ctx>) -> bool;
        mlirTypeIsAUniformQuantizedPerAxisType(of: Type<'ctx>) -> bool;
        mlirTypeIsACalibratedQuantizedType(of: Type<'ctx>) -> bool;
        mlirQuantizedTypeGetSignedFlag() -> u32;
        mlirQuantizedTypeGetDefaultMinimumForInteger(is_signed: bool, width: u32) -> i64,
            needs "The width is from 1 to 64.";
        mlirQuantizedTypeGetDefaultMaximumForInteger(is_signed: bool, width: u32) -> i64,
            needs "The width is from 1 to 64.";
        mlirQuantizedTypeGetExpressedType(of: QuantizedType<'ctx>) -> Option<Type<'ctx>>;
        mlirQuantizedTypeGetFlags(of: QuantizedType<'ctx>) -> u32;
        mlirQuantizedTypeIsSigned(of: QuantizedType<'ctx>) -> bool;
        mlirQuantizedTypeGetStorageType(of: QuantizedType<'ctx>) -> Option<Type<'ctx>>;
        mlirQuantizedTypeGetStorageTypeMin(of: QuantizedType<'ctx>) -> i64;
        mlirQuantizedTypeGetStorageTypeMax(of: QuantizedType<'ctx>) -> i64;
        mlirQuantizedTypeGetStorageTypeIntegralWidth(of: QuantizedType<'ctx>) -> u32,
            needs "The type has a storage type.";
        mlirQuantizedTypeIsCompatibleExpressedType(
            of: QuantizedType<'ctx>, candidate: Type<'ctx>
        ) -> bool;
        mlirQuantizedTypeGetQuantizedElementType(of: QuantizedType<'ctx>) -> Option<Type<'ctx>>;
        mlirQuantizedTypeCastFromStorageType(
            of: QuantizedType<'ctx>, candidate: Type<'ctx>
        ) -> Option<Type<'ctx>>;
        mlirQuantizedTypeCastToStorageType(of: Type<'ctx>) -> Option<Type<'ctx>>,
            needs "The type or that of its elements is a quantized type with a storage type.";
        mlirQuantizedTypeCastFromExpressedType(
            of: QuantizedType<'ctx>, candidate: Type<'ctx>
        ) -> Option<Type<'ctx>>;
        mlirQuantizedTypeCastToExpressedType(of: Type<'ctx>) -> Option<Type<'ctx>>,
            needs "The type or that of its elements is a quantized type with an expressed type.";
        mlirQuantizedTypeCastExpressedToStorageType(
            of: QuantizedType<'ctx>, candidate: Type<'ctx>
        ) -> Option<Type<'ctx>>,
            needs "The type has a storage type.";
        mlirAnyQuantizedTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirAnyQuantizedTypeGetName() -> Text<'static>, since "22";
        mlirAnyQuantizedTypeGet(
            flags: u32, storage: IntegerType<'ctx>, expressed: FloatType<'ctx>, min: i64, max: i64
        ) -> AnyQuantizedType<'ctx>,
            needs "The dialect is loaded, and has the type.";
        mlirUniformQuantizedTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirUniformQuantizedTypeGetName() -> Text<'static>, since "22";
        mlirUniformQuantizedTypeGet(
            flags: u32, storage: IntegerType<'ctx>, expressed: FloatType<'ctx>, scale: f64,
            zero: i64, min: i64, max: i64
        ) -> UniformType<'ctx>,
            needs "The dialect is loaded, and has the type.";
        mlirUniformQuantizedTypeGetScale(of: UniformType<'ctx>) -> f64;
        mlirUniformQuantizedTypeGetZeroPoint(of: UniformType<'ctx>) -> i64;
        mlirUniformQuantizedTypeIsFixedPoint(of: UniformType<'ctx>) -> bool;
        mlirUniformQuantizedPerAxisTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirUniformQuantizedPerAxisTypeGetName() -> Text<'static>, since "22";
        mlirUniformQuantizedPerAxisTypeGet(
            flags: u32, storage: IntegerType<'ctx>, expressed: FloatType<'ctx>, count: isize,
            scales: *const f64, zeros: *const i64, dimension: i32, min: i64, max: i64
        ) -> PerAxisType<'ctx>,
            needs "The dialect is loaded, and has the type; both arrays have `count` elements.";
        mlirUniformQuantizedPerAxisTypeGetNumDims(of: PerAxisType<'ctx>) -> isize;
        mlirUniformQuantizedPerAxisTypeGetScale(of: PerAxisType<'ctx>, index: isize) -> f64,
            below mlirUniformQuantizedPerAxisTypeGetNumDims;
        mlirUniformQuantizedPerAxisTypeGetZeroPoint(of: PerAxisType<'ctx>, index: isize) -> i64,
            below mlirUniformQuantizedPerAxisTypeGetNumDims;
        mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(of: PerAxisType<'ctx>) -> i32;
        mlirUniformQuantizedPerAxisTypeIsFixedPoint(of: PerAxisType<'ctx>) -> bool;
        mlirCalibratedQuantizedTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirCalibratedQuantizedTypeGetName() -> Text<'static>, since "22";
        mlirCalibratedQuantizedTypeGet(
            expressed: FloatType<'ctx>, min: f64, max: f64
        ) -> CalibratedType<'ctx>,
            needs "The dialect is loaded, and has the type.";
        mlirCalibratedQuantizedTypeGetMin(of: CalibratedType<'ctx>) -> f64;
        mlirCalibratedQuantizedTypeGetMax(of: CalibratedType<'ctx>) -> f64;
    }
}

/// The widths of integers whose bounds can be asked for.
///
/// ```
/// # use mondo_ir::dialects::quant::{WIDTHS, bounds};
/// assert!(WIDTHS.clone().all(|width| bounds(true, width).is_some()));
/// ```
pub const WIDTHS: std::ops::RangeInclusive<u32> = 1..=64;

/// The least and the greatest integer of a width, or `None` if it is not one of [`WIDTHS`].
///
/// ```
/// # use mondo_ir::dialects::quant::bounds;
/// assert_eq!(bounds(true, 8), Some((-128, 127)));
/// assert_eq!(bounds(false, 65), None);
/// ```
pub fn bounds(is_signed: bool, width: u32) -> Option<(i64, i64)> {
    // SAFETY: the width is from 1 to 64.
    WIDTHS.contains(&width).then(|| unsafe {
        (
            mlirQuantizedTypeGetDefaultMinimumForInteger(is_signed, width),
            mlirQuantizedTypeGetDefaultMaximumForInteger(is_signed, width),
        )
    })
}

/// The quantized type that a type is or has as elements.
fn quantized(of: Type<'_>) -> Option<QuantizedType<'_>> {
    let element = match of.downcast::<Shaped>() {
        Some(shaped) => shaped.element(),
        None => of,
    };
    element.downcast()
}

/// The storage type, or its shape, in the place of a quantized type, or `None` if that has none.
pub fn cast_to_storage_type(of: Type<'_>) -> Option<Type<'_>> {
    mlirQuantizedTypeGetStorageType(quantized(of)?)?;
    // SAFETY: the line above has found a storage type; without one, MLIR would make a shape of nothing.
    unsafe { mlirQuantizedTypeCastToStorageType(of) }
}

/// The expressed type, or its shape, in the place of a quantized type, or `None` if that has none.
pub fn cast_to_expressed_type(of: Type<'_>) -> Option<Type<'_>> {
    mlirQuantizedTypeGetExpressedType(quantized(of)?)?;
    // SAFETY: the line above has found an expressed type.
    unsafe { mlirQuantizedTypeCastToExpressedType(of) }
}

impl<'ctx> QuantizedType<'ctx> {
    /// The number of bits of a stored number; none of a type that stores nothing.
    pub fn storage_width(self) -> Option<u32> {
        mlirQuantizedTypeGetStorageType(self)?;
        // SAFETY: the type has a storage type.
        Some(unsafe { mlirQuantizedTypeGetStorageTypeIntegralWidth(self) })
    }

    /// The storage type, or its shape, in the place of the expressed type, or `None` if `candidate` is
    /// another type, or this one stores nothing.
    pub fn cast_expressed_to_storage_type(self, candidate: Type<'ctx>) -> Option<Type<'ctx>> {
        mlirQuantizedTypeGetStorageType(self)?;
        // SAFETY: the type has a storage type.
        unsafe { mlirQuantizedTypeCastExpressedToStorageType(self, candidate) }
    }
}

impl PerAxisType<'_> {
    /// The scales of the slices.
    pub fn scales(self) -> Vec<f64> {
        mlirUniformQuantizedPerAxisTypeGetScale::all(self).collect()
    }

    /// The integers that stand for zero in the slices.
    pub fn zero_points(self) -> Vec<i64> {
        mlirUniformQuantizedPerAxisTypeGetZeroPoint::all(self).collect()
    }
}

/// The parameters that all types which store integers have.
///
/// A constructor of the C API checks nothing. MLIR checks what it parses, so each type is written and
/// read first; where there is none, the context's diagnostic handlers know why.
///
/// ```
/// # use mondo_ir::Context;
/// # use mondo_ir::dialects::quant::{Quant, Quantized, Storage};
/// # use mondo_ir::dialects::quant::{cast_to_expressed_type, cast_to_storage_type};
/// Context::new().enter(|ctx, _| {
///     let quant = ctx.with_dialect::<Quant>();
///     // Flag 1: the numbers have signs.
///     let (i8, f32) = (ctx.i8(), ctx.f32());
///     let storage = Storage { flags: 1, storage: i8, expressed: f32, min: -8, max: 7 };
///     let uniform = storage.uniform(quant, 0.5, 3).unwrap();
///     assert_eq!(uniform.to_string(), "!quant.uniform<i8<-8:7>:f32, 5.000000e-01:3>");
///     assert_eq!(cast_to_storage_type(uniform.any()), Some(i8.any()));
///     assert_eq!(cast_to_expressed_type(uniform.any()), Some(f32.any()));
///     let quantized = storage.any(quant).unwrap().any().cast::<Quantized>().unwrap();
///     assert_eq!(quantized.storage_width(), Some(8));
///     assert_eq!(quantized.cast_expressed_to_storage_type(f32.any()), Some(i8.any()));
///     let slices = storage.per_axis(quant, &[0.5, 0.25], &[0, 1], 1).unwrap();
///     assert_eq!((slices.scales(), slices.zero_points()), (vec![0.5, 0.25], vec![0, 1]));
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Storage<'ctx> {
    /// Flags of the type. The lowest bit says that the stored integers are signed.
    pub flags: u32,
    /// The type of the numbers that are stored.
    pub storage: IntegerType<'ctx>,
    /// The type of the numbers that are represented.
    pub expressed: FloatType<'ctx>,
    /// The least number that is stored.
    pub min: i64,
    /// The greatest number that is stored.
    pub max: i64,
}

impl<'ctx> Storage<'ctx> {
    /// Returns whether MLIR reads the type. `kind` and `rest` are what is before and after the common
    /// parameters in its text.
    fn is_read(self, ctx: Loaded<'ctx, Quant>, kind: &str, rest: &str) -> bool {
        let Self { min, max, .. } = self;
        let is_signed = self.flags & mlirQuantizedTypeGetSignedFlag() != 0;
        let prefix = if is_signed { 'i' } else { 'u' };
        let (width, expressed) = (self.storage.width(), self.expressed);
        let text = format!("!quant.{kind}<{prefix}{width}<{min}:{max}>:{expressed}{rest}>");
        ctx.parsed_type(&text).is_some()
    }

    /// The type of numbers that are stored in a way which is not said.
    pub fn any(self, ctx: Loaded<'ctx, Quant>) -> Option<AnyQuantizedType<'ctx>> {
        let Self {
            flags,
            storage,
            expressed,
            min,
            max,
        } = self;
        // SAFETY: the dialect is loaded, and MLIR has read the type.
        self.is_read(ctx, "any", "")
            .then(|| unsafe { mlirAnyQuantizedTypeGet(flags, storage, expressed, min, max) })
    }

    /// The type of multiples of `scale`, counted from `zero`. None for a scale that is not finite, too.
    pub fn uniform(
        self,
        ctx: Loaded<'ctx, Quant>,
        scale: f64,
        zero: i64,
    ) -> Option<UniformType<'ctx>> {
        let rest = format!(", {}:{zero}", literal(scale)?);
        let is_read = self.is_read(ctx, "uniform", &rest);
        // SAFETY: the dialect is loaded, and MLIR has read the type.
        is_read.then(|| unsafe {
            mlirUniformQuantizedTypeGet(
                self.flags,
                self.storage,
                self.expressed,
                scale,
                zero,
                self.min,
                self.max,
            )
        })
    }

    /// The same, with a scale and a zero for each slice along one dimension. None for scales and zeros
    /// that are not equally many, too.
    pub fn per_axis(
        self,
        ctx: Loaded<'ctx, Quant>,
        scales: &[f64],
        zeros: &[i64],
        dimension: i32,
    ) -> Option<PerAxisType<'ctx>> {
        if scales.len() != zeros.len() {
            return None;
        }
        let mut rest = format!(":{dimension}, {{");
        for (at, (&scale, zero)) in scales.iter().zip(zeros).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(rest, "{comma}{}:{zero}", literal(scale)?);
        }
        rest.push('}');
        let is_read = self.is_read(ctx, "uniform", &rest);
        // SAFETY: the dialect is loaded, and MLIR has read the type; the arrays, which the function
        // only reads, are as long as said.
        is_read.then(|| unsafe {
            mlirUniformQuantizedPerAxisTypeGet(
                self.flags,
                self.storage,
                self.expressed,
                scales.len() as isize,
                scales.as_ptr(),
                zeros.as_ptr(),
                dimension,
                self.min,
                self.max,
            )
        })
    }
}

/// The type of numbers within bounds that were found by trying, or `None` if MLIR has none, or a bound is
/// not finite.
///
/// ```
/// # use mondo_ir::{Context, dialects::quant::calibrated};
/// # use mondo_ir::dialects::quant::{mlirCalibratedQuantizedTypeGetMax, mlirCalibratedQuantizedTypeGetMin};
/// Context::new().enter(|ctx, _| {
///     let calibrated = calibrated(ctx.with_dialect(), ctx.f32(), -1.0, 1.0).unwrap();
///     let (min, max) = (mlirCalibratedQuantizedTypeGetMin, mlirCalibratedQuantizedTypeGetMax);
///     assert_eq!((min(calibrated), max(calibrated)), (-1.0, 1.0));
/// });
/// ```
pub fn calibrated<'ctx>(
    ctx: Loaded<'ctx, Quant>,
    expressed: FloatType<'ctx>,
    min: f64,
    max: f64,
) -> Option<CalibratedType<'ctx>> {
    let (least, greatest) = (literal(min)?, literal(max)?);
    ctx.parsed_type(&format!(
        "!quant.calibrated<{expressed}<{least}:{greatest}>>"
    ))?;
    // SAFETY: the dialect is loaded, and MLIR has read the type.
    Some(unsafe { mlirCalibratedQuantizedTypeGet(expressed, min, max) })
}

/// A number as MLIR's parser takes it, if it is finite.
fn literal(number: f64) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let text = format!("{number:e}");
    // The parser wants a point before the exponent.
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    Some(format!("{digits}{point}e{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Registry};

    #[test]
    fn a_number_is_written_with_a_point() {
        assert_eq!(literal(1.0).as_deref(), Some("1.0e0"));
        assert_eq!(literal(-0.25).as_deref(), Some("-2.5e-1"));
        assert_eq!(literal(f64::NAN), None);
    }

    #[test]
    fn there_are_bounds_of_integers_of_64_bits() {
        assert_eq!(bounds(true, 8), Some((-128, 127)));
        assert_eq!(bounds(false, 8), Some((0, 255)));
        assert_eq!(bounds(true, 0), None);
        assert_eq!(bounds(true, 65), None);
    }

    #[test]
    fn a_type_that_mlir_refuses_is_none() {
        Context::with(&Registry::empty()).enter(|ctx, _| {
            let quant = ctx.with_dialect();
            let storage = Storage {
                flags: 1,
                storage: ctx.i8(),
                expressed: ctx.f32(),
                min: -8,
                max: 7,
            };
            let made = storage.uniform(quant, 0.5, 3).expect("there is one");
            assert_eq!(
                made.to_string(),
                "!quant.uniform<i8<-8:7>:f32, 5.000000e-01:3>"
            );
            assert!(storage.uniform(quant, f64::INFINITY, 3).is_none());
            assert!(storage.per_axis(quant, &[0.5], &[], 0).is_none());
            let wide = Storage {
                max: 800,
                ..storage
            };
            let (made, diagnostics) = ctx.capture(|| wide.any(quant));
            assert!(made.is_none() && !diagnostics.is_empty());
            assert_eq!(cast_to_storage_type(ctx.f32().any()), None);
        });
    }
}
