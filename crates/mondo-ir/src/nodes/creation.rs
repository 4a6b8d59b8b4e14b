//! New operations.

use mondo_sys::{
    MondoOperationParts, mlirDictionaryAttrGet, mlirIdentifierGet, mlirOperationCreate,
    mlirOperationStateAddAttributes, mlirOperationStateAddOperands,
    mlirOperationStateAddOwnedRegions, mlirOperationStateAddResults,
    mlirOperationStateAddSuccessors, mlirOperationStateEnableResultTypeInference,
    mlirOperationStateGet, mondoOperationCreate,
};

use super::{Block, Loose, Op, Region, Value};
use crate::attributes::DictionaryAttr;
use crate::c_type::CType;
use crate::callback::string_ref;
use crate::uniqued_handles::{Attribute, Identifier, Location, Type};
use crate::uniquer::Uniquer;

/// A name and an attribute, in the form of the C API.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Attached<'ctx> {
    /// The name.
    pub name: Identifier<'ctx>,
    /// The attribute.
    pub attribute: Attribute<'ctx>,
}

impl<'ctx> Attached<'ctx> {
    /// An attribute with a name.
    #[inline]
    pub fn new(ctx: Uniquer<'ctx>, name: &str, attribute: Attribute<'ctx>) -> Self {
        // SAFETY: the context is live, and copies the text.
        let name = unsafe { Identifier::expect(mlirIdentifierGet(ctx.raw(), string_ref(name))) };
        Self { name, attribute }
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// The dictionary of these attributes, each name once.
    pub fn dictionary_of(self, attributes: &[Attached<'ctx>]) -> DictionaryAttr<'ctx> {
        // SAFETY: the context and the attributes are live, and the array is as long as said.
        unsafe {
            let number = attributes.len() as isize;
            let raw = mlirDictionaryAttrGet(self.raw(), number, attributes.as_ptr().cast());
            Attribute::expect(raw)
        }
    }
}

impl CType for Attached<'_> {
    type Raw = mondo_sys::MlirNamedAttribute;

    fn name() -> String {
        "MlirNamedAttribute".to_owned()
    }

    fn to_raw(self) -> Self::Raw {
        mondo_sys::MlirNamedAttribute {
            name: self.name.raw(),
            attribute: self.attribute.raw(),
        }
    }

    unsafe fn of_raw(raw: Self::Raw) -> Self {
        // SAFETY: the caller's.
        unsafe {
            Self {
                name: Identifier::expect(raw.name),
                attribute: Attribute::expect(raw.attribute),
            }
        }
    }
}

/// The parts of a new operation.
#[derive(Debug)]
pub struct Parts<'a, 'ctx> {
    /// The name, as `arith.addi`.
    pub name: &'a str,
    /// The location.
    pub location: Location<'ctx>,
    /// The types of the results.
    pub results: &'a [Type<'ctx>],
    /// The operands.
    pub operands: &'a [Value<'ctx>],
    /// The attributes, each name once.
    pub attributes: &'a [Attached<'ctx>],
    /// The successors.
    pub successors: &'a [Block<'ctx>],
    /// The regions, which the operation owns; they are destroyed if it cannot be made.
    pub regions: Vec<Loose<Region<'ctx>>>,
}

impl<'ctx> Op<'ctx> {
    /// Makes an operation, in no block. None where its name is not known and the context does not allow that.
    #[inline]
    pub fn create(parts: Parts<'_, 'ctx>) -> Option<Loose<Self>> {
        let parts = MondoOperationParts {
            name: string_ref(parts.name),
            location: parts.location.raw(),
            nResults: parts.results.len() as isize,
            results: parts.results.as_ptr().cast(),
            nOperands: parts.operands.len() as isize,
            operands: parts.operands.as_ptr().cast(),
            nAttributes: parts.attributes.len() as isize,
            attributes: parts.attributes.as_ptr().cast(),
            nSuccessors: parts.successors.len() as isize,
            successors: parts.successors.as_ptr().cast(),
            nRegions: parts.regions.len() as isize,
            regions: parts.regions.as_ptr().cast(),
        };
        // SAFETY: all is live and of one context, by the brand; the arrays are as long as said, in the form
        // of the C API, and MLIR copies them.
        unsafe { Op::from_raw(mondoOperationCreate(&raw const parts)).map(|it| Loose::new(it)) }
    }

    /// The same; the types of the results are inferred. None also where they cannot be, which MLIR reports.
    pub fn infer(parts: Parts<'_, 'ctx>) -> Option<Loose<Self>> {
        // SAFETY: as in `create`; adding nothing is left out, since an empty array may be null.
        unsafe {
            let mut state = mlirOperationStateGet(string_ref(parts.name), parts.location.raw());
            let at = &raw mut state;
            if !parts.operands.is_empty() {
                let number = parts.operands.len() as isize;
                mlirOperationStateAddOperands(at, number, parts.operands.as_ptr().cast());
            }
            if !parts.results.is_empty() {
                let number = parts.results.len() as isize;
                mlirOperationStateAddResults(at, number, parts.results.as_ptr().cast());
            }
            if !parts.attributes.is_empty() {
                let number = parts.attributes.len() as isize;
                mlirOperationStateAddAttributes(at, number, parts.attributes.as_ptr().cast());
            }
            if !parts.successors.is_empty() {
                let number = parts.successors.len() as isize;
                mlirOperationStateAddSuccessors(at, number, parts.successors.as_ptr().cast());
            }
            if !parts.regions.is_empty() {
                let number = parts.regions.len() as isize;
                mlirOperationStateAddOwnedRegions(at, number, parts.regions.as_ptr().cast());
            }
            mlirOperationStateEnableResultTypeInference(at);
            Op::from_raw(mlirOperationCreate(at)).map(|it| Loose::new(it))
        }
    }
}
