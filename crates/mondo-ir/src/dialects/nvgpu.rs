//! `nvgpu`: descriptors of tensors.

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{MemRefType, Type};

dialect! {
    /// The dialect.
    NvGpu = mlirGetDialectHandle__nvgpu__
}

kinds! { Type:
    /// `!nvgpu.tensormap.descriptor<tensor = memref<…>, …>`.
    TensorMapDescriptor, TensorMapDescriptorType;
}

tests! { Type, TypeKind:
    TensorMapDescriptor = mlirTypeIsANVGPUTensorMapDescriptorType;
}

declarations! {
    "Dialect/NVGPU.h" {
        mlirGetDialectHandle__nvgpu__() -> DialectHandle;
        mlirTypeIsANVGPUTensorMapDescriptorType(of: Type<'ctx>) -> bool;
        mlirNVGPUTensorMapDescriptorTypeGetName() -> Text<'static>, since "22";
        mlirNVGPUTensorMapDescriptorTypeGet(
            ctx: Loaded<'ctx, NvGpu>, tensor: MemRefType<'ctx>, swizzle: i32, promotion: i32,
            fill: i32, interleave: i32
        ) -> TensorMapDescriptorType<'ctx>,
            needs "The numbers are members of the dialect's enumerations.";
    }
}

/// The modes of the unit that copies tensors: members of the dialect's enumerations, of which MLIR
/// takes any number for one.
///
/// ```
/// # use mondo_ir::{Context, dialects::nvgpu::{NvGpu, TensorMapOptions}};
/// Context::new().enter(|ctx, _| {
///     let nvgpu = ctx.with_dialect::<NvGpu>();
///     let memref = ctx.memref(&[Some(8), Some(8)], ctx.f32(), None).unwrap();
///     let options = TensorMapOptions::new(1, 0, 0, 0).unwrap();
///     let descriptor = nvgpu.tensor_map_descriptor(memref, options);
///     assert!(descriptor.to_string().contains("swizzle = swizzle_32b"));
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TensorMapOptions {
    swizzle: i32,
    promotion: i32,
    fill: i32,
    interleave: i32,
}

/// A number that is not a member of an enumeration.
///
/// ```
/// # use mondo_ir::dialects::nvgpu::{NoMember, TensorMapOptions};
/// let refused = TensorMapOptions::new(9, 0, 0, 0);
/// assert_eq!(refused, Err(NoMember { what: "swizzle", value: 9, last: 3 }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMember {
    /// The parameter's name in MLIR.
    pub what: &'static str,
    /// The number.
    pub value: i32,
    /// The enumeration's last number; the first is 0.
    pub last: i32,
}

fn member(what: &'static str, value: i32, last: i32) -> Result<i32, NoMember> {
    if (0..=last).contains(&value) {
        return Ok(value);
    }
    Err(NoMember { what, value, last })
}

impl TensorMapOptions {
    /// The options with these numbers.
    ///
    /// # Errors
    /// The first number that is not a member of its enumeration.
    pub fn new(swizzle: i32, promotion: i32, fill: i32, interleave: i32) -> Result<Self, NoMember> {
        Ok(Self {
            swizzle: member("swizzle", swizzle, 3)?,
            promotion: member("l2promo", promotion, 3)?,
            fill: member("oob_fill", fill, 1)?,
            interleave: member("interleave", interleave, 2)?,
        })
    }
}

impl<'ctx> Loaded<'ctx, NvGpu> {
    /// The descriptor of tensors that are such memrefs.
    pub fn tensor_map_descriptor(
        self,
        tensor: MemRefType<'ctx>,
        options: TensorMapOptions,
    ) -> TensorMapDescriptorType<'ctx> {
        let TensorMapOptions {
            swizzle,
            promotion,
            fill,
            interleave,
        } = options;
        // SAFETY: `TensorMapOptions::new` has checked the numbers.
        unsafe {
            mlirNVGPUTensorMapDescriptorTypeGet(self, tensor, swizzle, promotion, fill, interleave)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_an_enumeration_is_refused() {
        assert!(TensorMapOptions::new(3, 3, 1, 2).is_ok());
        let refused = TensorMapOptions::new(0, 0, 2, 3).expect_err("there are two ways to fill");
        assert_eq!(
            (refused.what, refused.value, refused.last),
            ("oob_fill", 2, 1)
        );
        assert!(TensorMapOptions::new(-1, 0, 0, 0).is_err());
    }
}
