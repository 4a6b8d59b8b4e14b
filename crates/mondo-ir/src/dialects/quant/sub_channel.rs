//! The quantized type with a scale and a zero for each block.

use super::{Quant, Storage};
use crate::declarations as c;
use crate::declarations::declarations;
use crate::dialects::Loaded;
use crate::error::{Error, ErrorKind, Result};
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::{Shaped, TypeKind};
use crate::uniqued_handles::{Attribute, DenseElementsAttr, FloatType, IntegerType, Type, TypeId};

kinds! { Type:
    /// `!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}}>`.
    SubChannel, SubChannelType;
}

tests! { Type, TypeKind:
    SubChannel = mlirTypeIsAUniformQuantizedSubChannelType;
}

declarations! {
    "Dialect/Quant.h" {
        mlirTypeIsAUniformQuantizedSubChannelType(of: Type<'ctx>) -> bool, since "22";
        mlirUniformQuantizedSubChannelTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirUniformQuantizedSubChannelTypeGetName() -> Text<'static>, since "22";
        mlirUniformQuantizedSubChannelTypeGet(
            flags: u32, storage: IntegerType<'ctx>, expressed: FloatType<'ctx>,
            scales: DenseElementsAttr<'ctx>, zeros: DenseElementsAttr<'ctx>, count: isize,
            dimensions: *const i32, sizes: *const i64, min: i64, max: i64
        ) -> SubChannelType<'ctx>, since "22",
            needs "The dialect is loaded, and has the type; both arrays have `count` elements.";
        mlirUniformQuantizedSubChannelTypeGetNumBlockSizes(of: SubChannelType<'ctx>) -> isize,
            since "22";
        mlirUniformQuantizedSubChannelTypeGetQuantizedDimension(
            of: SubChannelType<'ctx>, index: isize
        ) -> i32, since "22",
            below mlirUniformQuantizedSubChannelTypeGetNumBlockSizes;
        mlirUniformQuantizedSubChannelTypeGetBlockSize(
            of: SubChannelType<'ctx>, index: isize
        ) -> i64, since "22",
            below mlirUniformQuantizedSubChannelTypeGetNumBlockSizes;
        mlirUniformQuantizedSubChannelTypeGetScales(of: SubChannelType<'ctx>) -> Attribute<'ctx>,
            since "22";
        mlirUniformQuantizedSubChannelTypeGetZeroPoints(
            of: SubChannelType<'ctx>
        ) -> Attribute<'ctx>, since "22";
    }
}

impl SubChannelType<'_> {
    /// The dimensions that are cut into blocks.
    pub fn dimensions(self) -> Vec<i32> {
        mlirUniformQuantizedSubChannelTypeGetQuantizedDimension::all(self).collect()
    }

    /// The sizes of the blocks along those dimensions.
    pub fn block_sizes(self) -> Vec<i64> {
        mlirUniformQuantizedSubChannelTypeGetBlockSize::all(self).collect()
    }
}

fn refused<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Form, message))
}

/// The dimensions that are cut into blocks, and the sizes of the blocks along them.
///
/// ```
/// # use mondo_ir::{Context, dialects::quant::{Storage, sub_channel::Blocks}};
/// Context::new().enter(|ctx, _| {
///     let blocks = Blocks::new(&[0], &[2]).unwrap();
///     let attribute = |text: &str| ctx.parse_attribute(text).unwrap();
///     let scales = attribute("dense<[0.5, 0.25]> : tensor<2xf32>");
///     let zeros = attribute("dense<[0, 1]> : tensor<2xi8>");
///     let (i8, f32) = (ctx.i8(), ctx.f32());
///     let storage = Storage { flags: 1, storage: i8, expressed: f32, min: -8, max: 7 };
///     let made = storage.sub_channel(ctx.with_dialect(), scales, zeros, blocks);
///     let made = made.unwrap().unwrap();
///     assert_eq!((made.dimensions(), made.block_sizes()), (vec![0], vec![2]));
///     assert!(Blocks::new(&[0], &[-2]).is_err());
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Blocks<'a> {
    dimensions: &'a [i32],
    sizes: &'a [i64],
}

impl<'a> Blocks<'a> {
    /// Makes sure of what MLIR's verifier says about blocks.
    ///
    /// # Errors
    /// `ErrorKind::Form` if there are not as many dimensions as sizes, a dimension is negative or a
    /// size is not positive.
    pub fn new(dimensions: &'a [i32], sizes: &'a [i64]) -> Result<Self> {
        if dimensions.len() != sizes.len() {
            return refused(format!(
                "the number of quantized dimensions and block sizes ({} and {}) does not match",
                dimensions.len(),
                sizes.len()
            ));
        }
        if let Some(dimension) = dimensions.iter().find(|dimension| **dimension < 0) {
            return refused(format!("illegal quantized dimension: {dimension}"));
        }
        if let Some(size) = sizes.iter().find(|size| **size <= 0) {
            return refused(format!("illegal block size: {size}"));
        }
        Ok(Self { dimensions, sizes })
    }
}

/// The constants in one attribute as a type: what the elements are, and how many in each dimension.
fn constants<'ctx>(
    what: &str,
    given: Attribute<'ctx>,
) -> Result<(DenseElementsAttr<'ctx>, Type<'ctx>, Vec<u64>)> {
    let dense = given.downcast();
    let shaped = c::mlirAttributeGetType(given).downcast::<Shaped>();
    let (Some(dense), Some(shaped)) = (dense, shaped) else {
        return refused(format!("{what} must be a DenseElementsAttr, not {given}"));
    };
    let shape = shaped.shape().into_iter().flatten().flatten().collect();
    Ok((dense, shaped.element(), shape))
}

impl<'ctx> Storage<'ctx> {
    /// The type of multiples of scales, with one and a zero for each block. Returns `None` if the parameters in
    /// `self` do not make a type.
    ///
    /// # Errors
    /// `ErrorKind::Form` if scales or zeros are not constants of the types in `self`, or differ in
    /// their shape.
    pub fn sub_channel(
        self,
        ctx: Loaded<'ctx, Quant>,
        scales: Attribute<'ctx>,
        zeros: Attribute<'ctx>,
        blocks: Blocks<'_>,
    ) -> Result<Option<SubChannelType<'ctx>>> {
        let (scales, of_scales, shape_of_scales) = constants("scales", scales)?;
        let (zeros, of_zeros, shape_of_zeros) = constants("zero_points", zeros)?;
        if of_scales != self.expressed {
            return refused("the type of the scales must match the expressed type");
        }
        if of_zeros != self.storage {
            return refused("the type of the zero points must match the storage type");
        }
        if shape_of_scales != shape_of_zeros {
            return refused(format!(
                "the shape of scales and zero points ({shape_of_scales:?} and {shape_of_zeros:?}) \
                 does not match"
            ));
        }
        // The parameters that the kinds share are checked with another kind's text.
        if self.any(ctx).is_none() {
            return Ok(None);
        }
        // SAFETY: the dialect is loaded; all that MLIR's verifier asks for was checked here and by
        // `Blocks::new`; the arrays, which the function only reads, are as long as said.
        Ok(Some(unsafe {
            mlirUniformQuantizedSubChannelTypeGet(
                self.flags,
                self.storage,
                self.expressed,
                scales,
                zeros,
                blocks.sizes.len() as isize,
                blocks.dimensions.as_ptr(),
                blocks.sizes.as_ptr(),
                self.min,
                self.max,
            )
        }))
    }
}
