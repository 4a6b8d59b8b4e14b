//! `gpu`: the token of asynchronous operations, and compiled modules.

use super::{DialectHandle, Loaded, dialect};
use crate::attributes::AttributeKind;
use crate::c_type::CType as _;
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::{Attribute, DictionaryAttr, Type, TypeId};

dialect! {
    /// The dialect.
    Gpu = mlirGetDialectHandle__gpu__
}

kinds! { Type:
    /// `!gpu.async.token`.
    AsyncToken, AsyncTokenType;
}

kinds! { Attribute:
    /// `#gpu.object<#nvvm.target, "…">`.
    Object, ObjectAttr;
    /// `#gpu.kernel_table<[…]>`.
    KernelTable, KernelTableAttr;
}

tests! { Type, TypeKind:
    AsyncToken = mlirTypeIsAGPUAsyncTokenType;
}

tests! { Attribute, AttributeKind:
    Object = mlirAttributeIsAGPUObjectAttr;
}

impl AttributeKind for KernelTable {
    const NAME: &'static str = "KernelTable";

    /// The C API has no test of it.
    fn holds(of: Attribute<'_>) -> bool {
        of.to_text().starts_with(KERNEL_TABLE)
    }
}

const KERNEL_TABLE: &str = "#gpu.kernel_table";

declarations! {
    "Dialect/GPU.h" {
        mlirGetDialectHandle__gpu__() -> DialectHandle;
        mlirTypeIsAGPUAsyncTokenType(of: Type<'ctx>) -> bool;
        mlirGPUAsyncTokenTypeGetName() -> Text<'static>, since "22";
        mlirGPUAsyncTokenTypeGet(ctx: Loaded<'ctx, Gpu>) -> AsyncTokenType<'ctx>;
        mlirAttributeIsAGPUObjectAttr(of: Attribute<'ctx>) -> bool;
        mlirGPUObjectAttrGetName() -> Text<'static>, since "22";
        mlirGPUObjectAttrGetWithKernels(
            ctx: Loaded<'ctx, Gpu>, target: Attribute<'ctx>, format: u32, object: Text<'_>,
            properties: Option<DictionaryAttr<'ctx>>, kernels: Option<KernelTableAttr<'ctx>>
        ) -> ObjectAttr<'ctx>, since "22",
            needs "The format is a `Format`, and MLIR reads an object with the target and the kernels.";
        mlirGPUObjectAttrGetTarget(of: ObjectAttr<'ctx>) -> Attribute<'ctx>;
        mlirGPUObjectAttrGetFormat(of: ObjectAttr<'ctx>) -> u32;
        mlirGPUObjectAttrGetObject(of: ObjectAttr<'ctx>) -> Text<'ctx>;
        mlirGPUObjectAttrGetProperties(of: ObjectAttr<'ctx>) -> Option<Attribute<'ctx>>;
        mlirGPUObjectAttrGetKernels(of: ObjectAttr<'ctx>) -> Option<Attribute<'ctx>>, since "22";
    }
}

/// The format of an object's bytes.
///
/// ```
/// # use mondo_ir::dialects::gpu::Format;
/// assert_eq!(Format::new(4), Some(Format::FATBIN));
/// assert_eq!(Format::new(5), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format(u32);

impl Format {
    /// The one of fat binaries, the last.
    pub const FATBIN: Self = Self(4);

    /// The format that MLIR knows by a number.
    pub fn new(number: u32) -> Option<Self> {
        (1..=Self::FATBIN.0)
            .contains(&number)
            .then_some(Self(number))
    }
}

impl<'ctx> Loaded<'ctx, Gpu> {
    /// The attribute for an object that was made for `target`. Returns `None` if MLIR reads no such attribute,
    /// and then the context's diagnostic handlers know why: the C API takes whatever it is given.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::gpu::{Format, Gpu, mlirGPUObjectAttrGetObject, mlirGPUObjectAttrGetTarget}};
    /// Context::new().enter(|ctx, _| {
    ///     let gpu = ctx.with_dialect::<Gpu>();
    ///     let target = ctx.parse_attribute("#nvvm.target").unwrap();
    ///     let object = gpu.object(target, Format::FATBIN, b"bytes", None, None).unwrap();
    ///     assert_eq!(mlirGPUObjectAttrGetTarget(object), target);
    ///     assert_eq!(mlirGPUObjectAttrGetObject(object).bytes(), b"bytes");
    ///     assert_eq!(object.type_id(), gpu.object_type_id());
    ///     // What is not a target makes no object.
    ///     assert!(gpu.object(ctx.unit().any(), Format::FATBIN, b"", None, None).is_none());
    /// });
    /// ```
    pub fn object(
        self,
        target: Attribute<'ctx>,
        format: Format,
        object: &[u8],
        properties: Option<DictionaryAttr<'ctx>>,
        kernels: Option<KernelTableAttr<'ctx>>,
    ) -> Option<ObjectAttr<'ctx>> {
        let table = kernels.map_or_else(String::new, |kernels| {
            let text = kernels.to_text();
            let table = text.strip_prefix(KERNEL_TABLE).unwrap_or_default();
            format!(", kernels = {table}")
        });
        self.parsed_attribute(&format!("#gpu.object<{target}{table}, \"\">"))?;
        // SAFETY: MLIR has read an object with these, and the format is one that it knows; the bytes are
        // copied.
        Some(unsafe {
            let object = object.into();
            mlirGPUObjectAttrGetWithKernels(self, target, format.0, object, properties, kernels)
        })
    }

    /// The identity of [`Object`], which the C API has no function for.
    pub fn object_type_id(self) -> TypeId<'ctx> {
        // SAFETY: the context is live for the brand, and keeps its kinds. The text is only read.
        let kind = unsafe {
            TypeId::from_raw(mondo_sys::mondoAttributeKindTypeID(
                self.to_raw(),
                Text::from("gpu.object").to_raw(),
            ))
        };
        kind.expect("the dialect, which is loaded, has this kind")
    }
}
