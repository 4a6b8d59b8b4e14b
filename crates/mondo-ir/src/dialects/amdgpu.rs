//! `amdgpu`: descriptors of tensors.

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::{Float, Integer, TypeKind};
use crate::uniqued_handles::{Type, TypeId};

dialect! {
    /// The dialect.
    AmdGpu = mlirGetDialectHandle__amdgpu__
}

kinds! { Type:
    /// `!amdgpu.tdm_base<f32>`.
    TdmBase, TdmBaseType;
    /// `!amdgpu.tdm_descriptor`.
    TdmDescriptor, TdmDescriptorType;
    /// `!amdgpu.tdm_gather_base<f32, i32>`.
    TdmGatherBase, TdmGatherBaseType;
    /// The elements of a gather base: an integer or a floating point number.
    Number, NumberType;
}

tests! { Type, TypeKind:
    TdmBase = mlirTypeIsAAMDGPUTDMBaseType;
    TdmDescriptor = mlirTypeIsAAMDGPUTDMDescriptorType;
    TdmGatherBase = mlirTypeIsAAMDGPUTDMGatherBaseType;
}

impl TypeKind for Number {
    const NAME: &'static str = "Number";

    #[inline]
    fn holds(of: Type<'_>) -> bool {
        of.is::<Integer>() || of.is::<Float>()
    }
}

declarations! {
    "Dialect/AMDGPU.h" {
        mlirGetDialectHandle__amdgpu__() -> DialectHandle;
        mlirTypeIsAAMDGPUTDMBaseType(of: Type<'ctx>) -> bool, since "22";
        mlirAMDGPUTDMBaseTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirAMDGPUTDMBaseTypeGetName() -> Text<'static>, since "22";
        mlirAMDGPUTDMBaseTypeGet(
            ctx: Loaded<'ctx, AmdGpu>, element: Type<'ctx>
        ) -> TdmBaseType<'ctx>, since "22";
        mlirTypeIsAAMDGPUTDMDescriptorType(of: Type<'ctx>) -> bool, since "22";
        mlirAMDGPUTDMDescriptorTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirAMDGPUTDMDescriptorTypeGetName() -> Text<'static>, since "22";
        mlirAMDGPUTDMDescriptorTypeGet(
            ctx: Loaded<'ctx, AmdGpu>
        ) -> TdmDescriptorType<'ctx>, since "22";
        mlirTypeIsAAMDGPUTDMGatherBaseType(of: Type<'ctx>) -> bool, since "22";
        mlirAMDGPUTDMGatherBaseTypeGetTypeID() -> TypeId<'static>, since "22";
        mlirAMDGPUTDMGatherBaseTypeGetName() -> Text<'static>, since "22";
    }
}

impl<'ctx> Loaded<'ctx, AmdGpu> {
    /// The type of a tensor descriptor's base (`tdm_gather_base`), for rows that are gathered by their
    /// indices. Returns `None` if MLIR has no such type, and then the context's diagnostic handlers know why.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::amdgpu::AmdGpu};
    /// Context::new().enter(|ctx, _| {
    ///     let amdgpu = ctx.with_dialect::<AmdGpu>();
    ///     let element = ctx.f32().any().cast().unwrap();
    ///     let base = amdgpu.gather_base(element, ctx.i16().any()).unwrap();
    ///     assert_eq!(base.to_string(), "!amdgpu.tdm_gather_base<f32, i16>");
    /// });
    /// ```
    pub fn gather_base(
        self,
        element: NumberType<'ctx>,
        index: Type<'ctx>,
    ) -> Option<TdmGatherBaseType<'ctx>> {
        // MLIR asks other elements for their width without looking.
        self.parsed_type(&format!("!amdgpu.tdm_gather_base<{element}, {index}>"))?
            .downcast()
    }
}
