//! Types with elements, their shapes and layouts. A size is MLIR's own number here, which for a dynamic one is
//! `mlirShapedTypeGetDynamicSize`.

use mondo_sys::mlirMemRefTypeGetStridesAndOffset;

use crate::declarations as c;
use crate::types::{
    Float, Index, Integer, IsShaped, MemRefType, RankedTensorType, ShapedType, VectorType,
};
use crate::uniqued_handles::{Attribute, LayoutAttr, Location, StridedLayoutAttr, Type};
use crate::uniquer::Uniquer;

impl<'ctx, K: IsShaped> Type<'ctx, K> {
    /// This type as a [`ShapedType`], without its own kind.
    pub fn shaped(self) -> ShapedType<'ctx> {
        self.with_kind()
    }

    /// The type of the elements.
    pub fn element(self) -> Type<'ctx> {
        c::mlirShapedTypeGetElementType(self.shaped())
    }

    /// The size in each dimension, None where it is dynamic, or `None` if there is no rank.
    ///
    /// ```
    /// # use mondo_ir::{Context, types};
    /// Context::new().enter(|ctx, _| {
    ///     let tensor = ctx.parse_type("tensor<2x?xf32>").unwrap();
    ///     let tensor = tensor.cast::<types::RankedTensor>().unwrap();
    ///     assert_eq!(tensor.shape(), Some(vec![Some(2), None]));
    /// });
    /// ```
    pub fn shape(self) -> Option<Vec<Option<u64>>> {
        let sizes = self.ranked()?.sizes().into_iter();
        Some(sizes.map(|size| u64::try_from(size).ok()).collect())
    }

    /// The type with its rank, if it has one.
    #[inline]
    pub fn ranked(self) -> Option<Ranked<'ctx>> {
        let of = self.shaped();
        if !c::mlirShapedTypeHasRank(of) {
            return None;
        }
        // SAFETY: the type has a rank.
        let rank = unsafe { c::mlirShapedTypeGetRank(of) };
        Some(Ranked { of, rank })
    }
}

/// A shaped type with a rank.
///
/// ```
/// # use mondo_ir::Context;
/// Context::new().enter(|ctx, _| {
///     let tensor = ctx.tensor(&[Some(2), None], ctx.f32(), None).unwrap();
///     let ranked = tensor.ranked().unwrap();
///     assert_eq!(ranked.rank(), 2);
///     assert_eq!((ranked.size(0), ranked.size(2)), (Some(2), None));
///     assert_eq!((ranked.is_static(0), ranked.is_dynamic(1)), (Some(true), Some(true)));
///     assert_eq!(ranked.sizes()[0], 2);
///     assert_eq!(tensor.element(), ctx.f32());
///     // An unranked tensor has no such thing.
///     assert!(ctx.unranked_tensor(ctx.f32()).unwrap().shaped().ranked().is_none());
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Ranked<'ctx> {
    of: ShapedType<'ctx>,
    rank: i64,
}

impl Ranked<'_> {
    /// The number of dimensions.
    pub fn rank(self) -> i64 {
        self.rank
    }

    /// The number of a dimension as the C API takes it.
    fn below(self, dimension: isize) -> Option<isize> {
        (0..self.rank as isize)
            .contains(&dimension)
            .then_some(dimension)
    }

    /// The size in a dimension, if there is such a dimension.
    pub fn size(self, dimension: isize) -> Option<i64> {
        let dimension = self.below(dimension)?;
        // SAFETY: the type has a rank, which `below` has compared the dimension with.
        Some(unsafe { c::mlirShapedTypeGetDimSize(self.of, dimension) })
    }

    /// Returns true if the size in a dimension is not known.
    pub fn is_dynamic(self, dimension: isize) -> Option<bool> {
        let dimension = self.below(dimension)?;
        // SAFETY: the type has a rank, which `below` has compared the dimension with.
        Some(unsafe { c::mlirShapedTypeIsDynamicDim(self.of, dimension) })
    }

    /// Returns true if the size in a dimension is known.
    pub fn is_static(self, dimension: isize) -> Option<bool> {
        let dimension = self.below(dimension)?;
        // SAFETY: the type has a rank, which `below` has compared the dimension with.
        Some(unsafe { c::mlirShapedTypeIsStaticDim(self.of, dimension) })
    }

    /// The sizes.
    pub fn sizes(self) -> Vec<i64> {
        // SAFETY: each dimension is below the rank.
        let size = |dimension| unsafe { c::mlirShapedTypeGetDimSize(self.of, dimension) };
        (0..self.rank as isize).map(size).collect()
    }
}

impl<'ctx> RankedTensorType<'ctx> {
    /// The type, or a diagnostic at the location.
    pub fn checked(
        at: Location<'ctx>,
        sizes: &[i64],
        element: Type<'ctx>,
        encoding: Option<Attribute<'ctx>>,
    ) -> Option<Self> {
        c::mlirRankedTensorTypeGetChecked::of(at, sizes, element, encoding)
    }

    /// The type without an encoding, if it is plain that MLIR allows it; `checked` is slower.
    ///
    /// ```
    /// # use mondo_ir::{Context, types::RankedTensorType};
    /// Context::new().enter(|ctx, _| {
    ///     let dynamic = i64::MIN;
    ///     let plain = RankedTensorType::plain(&[2, dynamic], ctx.i32().any()).unwrap();
    ///     let checked = RankedTensorType::checked(ctx.unknown(), &[2, dynamic], ctx.i32().any(), None);
    ///     assert_eq!(checked, Some(plain));
    ///     // A tensor's element may be a vector, of which only `checked` knows.
    ///     let vector = ctx.vector(&[4], ctx.f32()).unwrap().any();
    ///     assert!(RankedTensorType::plain(&[2], vector).is_none());
    ///     assert!(RankedTensorType::checked(ctx.unknown(), &[2], vector, None).is_some());
    /// });
    /// ```
    pub fn plain(sizes: &[i64], element: Type<'ctx>) -> Option<Self> {
        let allowed = sizes
            .iter()
            .all(|&size| size >= 0 || c::mlirShapedTypeIsDynamicSize(size))
            && (element.is::<Integer>()
                || c::mlirTypeIsAF32(element)
                || element.is::<Index>()
                || element.is::<Float>());
        // SAFETY: the array is as long as said, and MLIR allows such sizes and elements.
        allowed.then(|| unsafe {
            c::mlirRankedTensorTypeGet(sizes.len() as isize, sizes.as_ptr(), element, None)
        })
    }
}

impl<'ctx> VectorType<'ctx> {
    /// The type, or a diagnostic at the location, or `None` if there are not as many flags as sizes.
    pub fn checked(
        at: Location<'ctx>,
        sizes: &[i64],
        scalable: Option<&[bool]>,
        element: Type<'ctx>,
    ) -> Option<Self> {
        let rank = sizes.len() as isize;
        match scalable {
            None => c::mlirVectorTypeGetChecked::of(at, sizes, element),
            Some(flags) if flags.len() != sizes.len() => None,
            // SAFETY: each pointer and its count are those of one slice, which MLIR only reads during the
            // call.
            Some(flags) => unsafe {
                let (sizes, flags) = (sizes.as_ptr(), flags.as_ptr());
                c::mlirVectorTypeGetScalableChecked(at, rank, sizes, flags, element)
            },
        }
    }

    /// For each dimension whether it is scalable.
    ///
    /// ```
    /// # use mondo_ir::{Context, types::VectorType};
    /// Context::new().enter(|ctx, _| {
    ///     let (at, f32) = (ctx.unknown(), ctx.f32().any());
    ///     let vector = VectorType::checked(at, &[4, 8], Some(&[false, true]), f32).unwrap();
    ///     assert_eq!(vector.to_string(), "vector<4x[8]xf32>");
    ///     assert_eq!(vector.scalable_dimensions(), [false, true]);
    /// });
    /// ```
    pub fn scalable_dimensions(self) -> Vec<bool> {
        let rank = self.ranked().map_or(0, Ranked::rank) as isize;
        // SAFETY: each dimension is below the rank.
        let scalable = |dimension| unsafe { c::mlirVectorTypeIsDimScalable(self, dimension) };
        (0..rank).map(scalable).collect()
    }
}

impl<'ctx> MemRefType<'ctx> {
    /// The type, or a diagnostic at the location.
    pub fn checked(
        at: Location<'ctx>,
        element: Type<'ctx>,
        sizes: &[i64],
        layout: Option<LayoutAttr<'ctx>>,
        space: Option<Attribute<'ctx>>,
    ) -> Option<Self> {
        c::mlirMemRefTypeGetChecked::of(at, element, sizes, layout, space)
    }

    /// The strides and the offset, if the layout is made of such.
    ///
    /// ```
    /// # use mondo_ir::{Context, types::MemRefType};
    /// Context::new().enter(|ctx, _| {
    ///     let layout = ctx.strided_layout(2, &[8, 1]).any().cast().unwrap();
    ///     let (at, f32) = (ctx.unknown(), ctx.f32().any());
    ///     let memref = MemRefType::checked(at, f32, &[4, 4], Some(layout), None).unwrap();
    ///     assert_eq!(memref.strides_and_offset(), Some((vec![8, 1], 2)));
    /// });
    /// ```
    pub fn strides_and_offset(self) -> Option<(Vec<i64>, i64)> {
        let rank = usize::try_from(self.ranked()?.rank()).ok()?;
        let (mut strides, mut offset) = (vec![0; rank], 0);
        // SAFETY: there is room for as many strides as the type has dimensions.
        let done = unsafe {
            mlirMemRefTypeGetStridesAndOffset(self.raw(), strides.as_mut_ptr(), &raw mut offset)
        };
        (done.value != 0).then_some((strides, offset))
    }
}

impl StridedLayoutAttr<'_> {
    /// The strides.
    pub fn strides(self) -> Vec<i64> {
        c::mlirStridedLayoutAttrGetStride::all(self).collect()
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// The layout of an offset and strides.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let layout = ctx.strided_layout(2, &[8, 1]);
    ///     assert_eq!(layout.to_string(), "strided<[8, 1], offset: 2>");
    ///     assert_eq!(layout.strides(), [8, 1]);
    /// });
    /// ```
    pub fn strided_layout(self, offset: i64, strides: &[i64]) -> StridedLayoutAttr<'ctx> {
        c::mlirStridedLayoutAttrGet::of(self, offset, strides)
    }
}
