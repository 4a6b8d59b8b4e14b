//! `linalg`: the loops of contractions.

use mondo_sys::{
    MlirLinalgContractionDimensions, mlirAffineMapGetNumInputs,
    mlirLinalgInferContractionDimensionsFromMaps,
};

use crate::uniqued_handles::{AffineMap, Attribute};

/// The loops of a contraction, each kind as an attribute with their numbers.
///
/// ```
/// # use mondo_ir::{Context, attributes::MapValue, dialects::linalg::ContractionDimensions};
/// Context::new().enter(|ctx, _| {
///     // The matrix product: c[i, j] += a[i, k] * b[k, j].
///     let map = |text: &str| {
///         let map = ctx.parse_attribute(&format!("affine_map<{text}>")).unwrap();
///         map.cast::<MapValue>().unwrap().value()
///     };
///     let (a, b) = (map("(i, j, k) -> (i, k)"), map("(i, j, k) -> (k, j)"));
///     let maps = [a, b, map("(i, j, k) -> (i, j)")];
///     let loops = ContractionDimensions::of_maps(&maps).unwrap();
///     assert_eq!(loops.m.to_string(), "array<i32: 0>");
///     assert_eq!(loops.k.to_string(), "array<i32: 2>");
///     assert!(ContractionDimensions::of_maps(&[]).is_none());
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ContractionDimensions<'ctx> {
    /// The loops over batches.
    pub batch: Attribute<'ctx>,
    /// The loops over rows of the result.
    pub m: Attribute<'ctx>,
    /// The loops over columns of the result.
    pub n: Attribute<'ctx>,
    /// The loops that are summed over.
    pub k: Attribute<'ctx>,
}

impl<'ctx> ContractionDimensions<'ctx> {
    /// The loops of a contraction with these maps, or `None` if there is no such contraction.
    pub fn of_maps(maps: &[AffineMap<'ctx>]) -> Option<Self> {
        let (first, others) = maps.split_first()?;
        // SAFETY: the maps are live.
        let inputs = |map: &AffineMap<'ctx>| unsafe { mlirAffineMapGetNumInputs(map.raw()) };
        if others.iter().any(|map| inputs(map) != inputs(first)) {
            return None;
        }
        // SAFETY: a slice of handles is an array of the C API's structures, by the handles'
        // representation; all maps have the same loops, and the attributes are of their context.
        unsafe {
            let maps_in_c = maps.as_ptr().cast();
            Self::of_raw(mlirLinalgInferContractionDimensionsFromMaps(
                maps_in_c,
                maps.len(),
            ))
        }
    }

    /// # Safety
    ///
    /// The attributes are of the brand's context; all are there, or none.
    pub(super) unsafe fn of_raw(raw: MlirLinalgContractionDimensions) -> Option<Self> {
        // SAFETY: the attributes are of the brand's context, by this function's contract.
        unsafe {
            Some(Self {
                batch: Attribute::from_raw(raw.batch)?,
                m: Attribute::from_raw(raw.m)?,
                n: Attribute::from_raw(raw.n)?,
                k: Attribute::from_raw(raw.k)?,
            })
        }
    }
}
