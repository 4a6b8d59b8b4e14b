//! `sparse_tensor`: the encoding of sparse tensors.

use mondo_sys::{
    MLIR_SPARSE_PROPERTY_NON_ORDERED, MLIR_SPARSE_PROPERTY_NON_UNIQUE, MLIR_SPARSE_PROPERTY_SOA,
    MLIR_SPARSE_TENSOR_LEVEL_BATCH, MLIR_SPARSE_TENSOR_LEVEL_COMPRESSED,
    MLIR_SPARSE_TENSOR_LEVEL_DENSE, MLIR_SPARSE_TENSOR_LEVEL_LOOSE_COMPRESSED,
    MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M, MLIR_SPARSE_TENSOR_LEVEL_SINGLETON,
};

use super::{DialectHandle, Loaded, dialect};
use crate::attributes::AttributeKind;
use crate::c_type::CType;
use crate::declarations as c;
use crate::declarations::declarations;
use crate::error::{Error, ErrorKind, Result};
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::uniqued_handles::{AffineMap, Attribute};

dialect! {
    /// The dialect.
    SparseTensor = mlirGetDialectHandle__sparse_tensor__
}

kinds! { Attribute:
    /// `#sparse_tensor.encoding<…>`.
    Encoding, EncodingAttr;
}

tests! { Attribute, AttributeKind:
    Encoding = mlirAttributeIsASparseTensorEncodingAttr;
}

declarations! {
    "Dialect/SparseTensor.h" {
        mlirGetDialectHandle__sparse_tensor__() -> DialectHandle;
        mlirAttributeIsASparseTensorEncodingAttr(of: Attribute<'ctx>) -> bool;
        mlirSparseTensorEncodingAttrGetName() -> Text<'static>, since "22";
        mlirSparseTensorEncodingAttrGet(
            ctx: Loaded<'ctx, SparseTensor>, rank: isize, levels: *const LevelType,
            dim_to_lvl: Option<AffineMap<'ctx>>, lvl_to_dim: Option<AffineMap<'ctx>>,
            pos_width: i32, crd_width: i32, explicit: Option<Attribute<'ctx>>,
            implicit: Option<Attribute<'ctx>>
        ) -> EncodingAttr<'ctx>,
            needs "There are as many levels as the rank, at least one, and `check_map` takes the map.";
        mlirSparseTensorEncodingGetLvlRank(of: EncodingAttr<'ctx>) -> isize;
        mlirSparseTensorEncodingAttrGetLvlType(
            of: EncodingAttr<'ctx>, level: isize
        ) -> LevelType,
            needs "The level is below the rank.";
        mlirSparseTensorEncodingAttrGetDimToLvl(
            of: EncodingAttr<'ctx>
        ) -> Option<AffineMap<'ctx>>;
        mlirSparseTensorEncodingAttrGetLvlToDim(
            of: EncodingAttr<'ctx>
        ) -> Option<AffineMap<'ctx>>;
        mlirSparseTensorEncodingAttrGetPosWidth(of: EncodingAttr<'ctx>) -> i32;
        mlirSparseTensorEncodingAttrGetCrdWidth(of: EncodingAttr<'ctx>) -> i32;
        mlirSparseTensorEncodingAttrGetExplicitVal(
            of: EncodingAttr<'ctx>
        ) -> Option<Attribute<'ctx>>;
        mlirSparseTensorEncodingAttrGetImplicitVal(
            of: EncodingAttr<'ctx>
        ) -> Option<Attribute<'ctx>>;
        mlirSparseTensorEncodingAttrGetStructuredN(level: LevelType) -> u32;
        mlirSparseTensorEncodingAttrGetStructuredM(level: LevelType) -> u32;
    }
}

/// The storage of the coordinates of one level, by the C API's values.
pub const FORMATS: &[(&str, u32)] = &[
    ("dense", MLIR_SPARSE_TENSOR_LEVEL_DENSE),
    ("batch", MLIR_SPARSE_TENSOR_LEVEL_BATCH),
    ("n_out_of_m", MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M),
    ("compressed", MLIR_SPARSE_TENSOR_LEVEL_COMPRESSED),
    ("singleton", MLIR_SPARSE_TENSOR_LEVEL_SINGLETON),
    (
        "loose_compressed",
        MLIR_SPARSE_TENSOR_LEVEL_LOOSE_COMPRESSED,
    ),
];

/// A property that a level may have, by the C API's values.
pub const PROPERTIES: &[(&str, u32)] = &[
    ("non_ordered", MLIR_SPARSE_PROPERTY_NON_ORDERED),
    ("non_unique", MLIR_SPARSE_PROPERTY_NON_UNIQUE),
    ("soa", MLIR_SPARSE_PROPERTY_SOA),
];

/// The bits of a level's type: its format, above the properties, and the numbers of `n_out_of_m`.
const FORMAT_BITS: u64 = 0xffff_0000;
const N_SHIFT: u32 = 32;
const M_SHIFT: u32 = 40;
const NUMBER_BITS: u64 = 0xff;

/// The type of a level: how its coordinates are stored.
///
/// ```
/// # use mondo_ir::dialects::sparse_tensor::{FORMATS, LevelType, PROPERTIES};
/// let compressed = FORMATS.iter().find(|(name, _)| *name == "compressed").unwrap().1;
/// let level = LevelType::from_bits(compressed.into()).unwrap();
/// assert_eq!((level.bits(), level.format_bits()), (compressed.into(), compressed.into()));
/// assert_ne!(level, LevelType::DENSE);
/// let structured = FORMATS.iter().find(|(name, _)| *name == "n_out_of_m").unwrap().1;
/// let bits = u64::from(structured) | LevelType::structure_bits(2, 4);
/// assert!(LevelType::from_bits(bits).is_some());
/// let unordered = PROPERTIES[0].1;
/// assert!(LevelType::from_bits(LevelType::DENSE.bits() | u64::from(unordered)).is_none());
/// ```
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelType(u64);

impl LevelType {
    /// The one of a level whose coordinates are all there.
    pub const DENSE: Self = Self(MLIR_SPARSE_TENSOR_LEVEL_DENSE as u64);

    /// The type with these bits, if MLIR knows one; it takes others as they come.
    pub fn from_bits(bits: u64) -> Option<Self> {
        let format = bits & FORMAT_BITS;
        let is = |known: u32| format == u64::from(known);
        let known = FORMATS.iter().any(|(_, value)| is(*value));
        let properties = PROPERTIES
            .iter()
            .fold(0, |all, (_, value)| all | u64::from(*value));
        let allowed = match () {
            () if is(MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M) => {
                (NUMBER_BITS << N_SHIFT) | (NUMBER_BITS << M_SHIFT)
            }
            () if is(MLIR_SPARSE_TENSOR_LEVEL_DENSE) || is(MLIR_SPARSE_TENSOR_LEVEL_BATCH) => 0,
            () => properties,
        };
        (known && bits & !FORMAT_BITS & !allowed == 0).then_some(Self(bits))
    }

    /// The bits for `n` of `m` elements.
    pub fn structure_bits(n: u8, m: u8) -> u64 {
        u64::from(n) << N_SHIFT | u64::from(m) << M_SHIFT
    }

    /// The bits.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The bits of the format alone.
    pub fn format_bits(self) -> u64 {
        self.0 & FORMAT_BITS
    }
}

impl CType for LevelType {
    type Raw = u64;

    fn name() -> String {
        "MlirSparseTensorLevelType".to_owned()
    }

    #[inline]
    fn to_raw(self) -> u64 {
        self.0
    }

    #[inline]
    unsafe fn of_raw(raw: u64) -> Self {
        Self(raw)
    }
}

/// Makes sure that a map is from dimensions to so many levels.
///
/// ```
/// # use mondo_ir::{Context, dialects::sparse_tensor::check_map};
/// Context::new().enter(|ctx, _| {
///     assert!(check_map(ctx.identity_map(2), 2).is_ok());
///     assert!(check_map(ctx.identity_map(2), 3).is_err());
/// });
/// ```
///
/// # Errors
/// `ErrorKind::Form` if it is not, or has no dimensions.
pub fn check_map(dim_to_lvl: AffineMap<'_>, rank: usize) -> Result<()> {
    let (dims, results) = (
        c::mlirAffineMapGetNumDims(dim_to_lvl),
        c::mlirAffineMapGetNumResults(dim_to_lvl),
    );
    if dims == 0 || results != rank as isize {
        let message = format!(
            "dim_to_lvl has to map at least one dimension to {rank} levels, and maps {dims} to {results}"
        );
        return Err(Error::new(ErrorKind::Form, message));
    }
    Ok(())
}

/// The parameters of an encoding but its levels.
///
/// ```
/// # use mondo_ir::{Context, dialects::sparse_tensor::mlirSparseTensorEncodingAttrGetPosWidth};
/// # use mondo_ir::dialects::sparse_tensor::{LevelType, Parameters, SparseTensor};
/// Context::new().enter(|ctx, _| {
///     let sparse = ctx.with_dialect::<SparseTensor>();
///     let parameters = Parameters { pos_width: 32, ..Parameters::default() };
///     let encoding = sparse.encoding(&[LevelType::DENSE; 2], parameters).unwrap();
///     assert_eq!(encoding.levels(), [LevelType::DENSE; 2]);
///     assert_eq!(mlirSparseTensorEncodingAttrGetPosWidth(encoding), 32);
/// });
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Parameters<'ctx> {
    /// The map from the coordinates of the dimensions to those of the levels; without one, each level
    /// is the dimension in its place.
    pub dim_to_lvl: Option<AffineMap<'ctx>>,
    /// The number of bits that a position is stored in; 0 is as many as an address.
    pub pos_width: i32,
    /// The number of bits that a coordinate is stored in; 0 is as many as an address.
    pub crd_width: i32,
    /// The value that all stored elements have.
    pub explicit: Option<Attribute<'ctx>>,
    /// The value of what is not stored.
    pub implicit: Option<Attribute<'ctx>>,
}

impl<'ctx> Loaded<'ctx, SparseTensor> {
    /// The encoding with these levels. None without levels, where [`check_map`] refuses the map, or where
    /// MLIR reads no such attribute, and then the context's diagnostic handlers know why.
    pub fn encoding(
        self,
        levels: &[LevelType],
        parameters: Parameters<'ctx>,
    ) -> Option<EncodingAttr<'ctx>> {
        if levels.is_empty() {
            return None;
        }
        if let Some(map) = parameters.dim_to_lvl {
            check_map(map, levels.len()).ok()?;
        }
        // SAFETY: there are as many levels as is said, and the map is one to them. MLIR finds the way
        // back itself.
        let made = unsafe {
            mlirSparseTensorEncodingAttrGet(
                self,
                levels.len() as isize,
                levels.as_ptr(),
                parameters.dim_to_lvl,
                None,
                parameters.pos_width,
                parameters.crd_width,
                parameters.explicit,
                parameters.implicit,
            )
        };
        // The C API checks nothing, and the parser everything.
        self.parsed_attribute(&made.to_text())?;
        Some(made)
    }
}

impl EncodingAttr<'_> {
    /// The types of the levels.
    pub fn levels(self) -> Vec<LevelType> {
        // SAFETY: each level is below the rank.
        (0..mlirSparseTensorEncodingGetLvlRank(self))
            .map(|level| unsafe { mlirSparseTensorEncodingAttrGetLvlType(self, level) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Registry};

    #[test]
    fn a_type_of_a_level_has_no_other_bits() {
        let compressed = u64::from(MLIR_SPARSE_TENSOR_LEVEL_COMPRESSED);
        assert!(LevelType::from_bits(compressed | 1).is_some());
        assert!(LevelType::from_bits(compressed | 8).is_none());
        assert!(LevelType::from_bits(LevelType::DENSE.bits() | 1).is_none());
        let structured = u64::from(MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M);
        let structured = structured | LevelType::structure_bits(2, 4);
        let level = LevelType::from_bits(structured).expect("2 of 4 is a type");
        assert_eq!(mlirSparseTensorEncodingAttrGetStructuredN(level), 2);
        assert_eq!(mlirSparseTensorEncodingAttrGetStructuredM(level), 4);
    }

    #[test]
    fn a_map_is_one_to_the_levels() {
        Context::with(&Registry::empty()).enter(|ctx, _| {
            let sparse = ctx.with_dialect();
            let levels = [LevelType::DENSE; 2];
            let made = sparse.encoding(&levels, Parameters::default());
            assert_eq!(made.expect("there is one").levels(), levels);
            let parameters = Parameters {
                dim_to_lvl: Some(ctx.identity_map(3)),
                ..Parameters::default()
            };
            assert!(sparse.encoding(&levels, parameters).is_none());
            assert!(sparse.encoding(&[], Parameters::default()).is_none());
        });
    }
}
