//! What is known of the depth of a context's types, attributes and affine expressions.

use std::marker::PhantomData;

use mondo_sys::{
    MlirAttribute, MlirType, MondoNesting, mondoNestingAffineExprIsTooDeep,
    mondoNestingAttributeIsTooDeep, mondoNestingCreate, mondoNestingTakesElements,
    mondoNestingTypeIsTooDeep,
};

use crate::brand::Brand;
use crate::c_object::Owned;
use crate::uniqued_handles::{AffineExpr, Attribute, Location, Type};
use crate::uniquer::Uniquer;

/// What is known of the depth of one context's things. A check of a thing that has known parts does not go through
/// these again, so that a chain of things takes time in proportion to its length.
#[derive(Debug)]
pub struct Nesting(Owned<MondoNesting>);

// SAFETY: the table is memory of its own, which is used through exclusive borrows.
unsafe impl Send for Nesting {}

impl Default for Nesting {
    fn default() -> Self {
        // SAFETY: the constructor has no precondition, and nothing else owns the new table.
        Self(unsafe { Owned::new(mondoNestingCreate()) })
    }
}

impl Nesting {
    /// The table of what is known, for a context.
    ///
    /// # Safety
    ///
    /// All calls on one table are for one context, which lives at least as long as the table is used.
    pub unsafe fn within<'ctx>(&mut self, _ctx: Uniquer<'ctx>) -> NestingWithin<'_, 'ctx> {
        NestingWithin {
            table: self.0.get(),
            brand: PhantomData,
        }
    }
}

/// What is known of the depth of the things of the context `'ctx`.
#[derive(Debug)]
pub struct NestingWithin<'a, 'ctx> {
    table: MondoNesting,
    brand: PhantomData<(&'a mut Nesting, Brand<'ctx>)>,
}

impl<'ctx> NestingWithin<'_, 'ctx> {
    /// To be asked before a structure gets its elements, which makes it and all types that it is in deeper. Returns `false` if one
    /// of them could become too deep.
    pub fn takes_elements(&mut self, structure: Type<'ctx>, elements: &[Type<'ctx>]) -> bool {
        let raw: Vec<MlirType> = elements.iter().map(|element| element.raw()).collect();
        // SAFETY: as below; the elements are `raw.len()` types of the context.
        unsafe {
            mondoNestingTakesElements(
                self.table,
                structure.raw(),
                raw.len().cast_signed(),
                raw.as_ptr(),
            )
        }
    }

    /// Returns whether a type nests deeper than 3000 levels, or has more than 2^28 parts.
    pub fn is_too_deep_type(&mut self, type_: Type<'ctx>) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names. The table is borrowed from
        // its owner, and has addresses of that context only (`Nesting::within`).
        unsafe { mondoNestingTypeIsTooDeep(self.table, type_.raw()) }
    }

    /// As for a type.
    pub fn is_too_deep_attribute(&mut self, attribute: Attribute<'ctx>) -> bool {
        // SAFETY: as for a type.
        unsafe { mondoNestingAttributeIsTooDeep(self.table, attribute.raw()) }
    }

    /// As for a type.
    pub fn is_too_deep_location(&mut self, location: Location<'ctx>) -> bool {
        let ptr = location.raw().ptr;
        // SAFETY: as for a type; a location is an attribute.
        unsafe { mondoNestingAttributeIsTooDeep(self.table, MlirAttribute { ptr }) }
    }

    /// As for a type.
    pub fn is_too_deep_expression(&mut self, expression: AffineExpr<'ctx>) -> bool {
        // SAFETY: as for a type.
        unsafe { mondoNestingAffineExprIsTooDeep(self.table, expression.raw()) }
    }
}
