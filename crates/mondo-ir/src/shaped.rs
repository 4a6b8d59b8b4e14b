//! Types with elements, their shapes and layouts. A size is MLIR's own number here, which for a dynamic one is
//! `mlirShapedTypeGetDynamicSize`.

use mondo_sys::mlirMemRefTypeGetStridesAndOffset;

use crate::declarations as c;
use crate::interned::{Attribute, LayoutAttr, Location, StridedLayoutAttr, Type};
use crate::types::{
    Float, Index, Integer, IsShaped, MemRefType, RankedTensorType, ShapedType, VectorType,
};
use crate::uniquer::Uniquer;

impl<'ctx, K: IsShaped> Type<'ctx, K> {
    /// The same, as a shaped type.
    pub fn shaped(self) -> ShapedType<'ctx> {
        self.with_kind()
    }

    /// The type of the elements.
    pub fn element(self) -> Type<'ctx> {
        c::mlirShapedTypeGetElementType(self.shaped())
    }

    /// The size in each dimension, None where it is dynamic; none at all if there is no rank.
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
        // SAFETY: the type has a rank, which the dimension is below.
        Some(unsafe { c::mlirShapedTypeGetDimSize(self.of, dimension) })
    }

    /// True if the size in a dimension is not known.
    pub fn is_dynamic(self, dimension: isize) -> Option<bool> {
        let dimension = self.below(dimension)?;
        // SAFETY: as above.
        Some(unsafe { c::mlirShapedTypeIsDynamicDim(self.of, dimension) })
    }

    /// True if the size in a dimension is known.
    pub fn is_static(self, dimension: isize) -> Option<bool> {
        let dimension = self.below(dimension)?;
        // SAFETY: as above.
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
        let rank = sizes.len() as isize;
        // SAFETY: the array is as long as said.
        unsafe { c::mlirRankedTensorTypeGetChecked(at, rank, sizes.as_ptr(), element, encoding) }
    }

    /// The type without an encoding, if it is plain that MLIR allows it; `checked` is slower.
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
    /// The type, or a diagnostic at the location; none where there are not as many flags as sizes.
    pub fn checked(
        at: Location<'ctx>,
        sizes: &[i64],
        scalable: Option<&[bool]>,
        element: Type<'ctx>,
    ) -> Option<Self> {
        let rank = sizes.len() as isize;
        match scalable {
            // SAFETY: the array is as long as said.
            None => unsafe { c::mlirVectorTypeGetChecked(at, rank, sizes.as_ptr(), element) },
            Some(flags) if flags.len() != sizes.len() => None,
            // SAFETY: both arrays are as long as said.
            Some(flags) => unsafe {
                let (sizes, flags) = (sizes.as_ptr(), flags.as_ptr());
                c::mlirVectorTypeGetScalableChecked(at, rank, sizes, flags, element)
            },
        }
    }

    /// For each dimension whether it is scalable.
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
        let rank = sizes.len() as isize;
        // SAFETY: the array is as long as said.
        unsafe { c::mlirMemRefTypeGetChecked(at, element, rank, sizes.as_ptr(), layout, space) }
    }

    /// The strides and the offset, if the layout is made of such.
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
        // SAFETY: each index is below the count.
        let stride = |index| unsafe { c::mlirStridedLayoutAttrGetStride(self, index) };
        (0..c::mlirStridedLayoutAttrGetNumStrides(self))
            .map(stride)
            .collect()
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// The layout of an offset and strides.
    pub fn strided_layout(self, offset: i64, strides: &[i64]) -> StridedLayoutAttr<'ctx> {
        let count = strides.len() as isize;
        // SAFETY: the array is as long as said.
        unsafe { c::mlirStridedLayoutAttrGet(self, offset, count, strides.as_ptr()) }
    }
}
