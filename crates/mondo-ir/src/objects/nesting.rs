//! What is known of the depth of a context's types, attributes and affine expressions.

use mondo_sys::{
    MlirAttribute, MondoNesting, mondoNestingAffineExprIsTooDeep, mondoNestingAttributeIsTooDeep,
    mondoNestingClear, mondoNestingCreate, mondoNestingTypeIsTooDeep,
};

use crate::c_object::Owned;
use crate::uniqued_handles::{AffineExpr, Attribute, Location, Type};

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
    /// Forgets what is known, because a structure got its elements.
    pub fn clear(&mut self) {
        // SAFETY: `Owned` keeps the table alive as long as this.
        unsafe { mondoNestingClear(self.0.get()) };
    }

    /// Returns whether the type nests deeper than 3000 levels.
    ///
    /// # Safety
    ///
    /// All calls on one table are about things of one context.
    pub unsafe fn is_too_deep_type(&mut self, type_: Type<'_>) -> bool {
        // SAFETY: a uniqued thing is live as long as its context, which its brand names, and the table has
        // addresses of that context only (this function's contract).
        unsafe { mondoNestingTypeIsTooDeep(self.0.get(), type_.raw()) }
    }

    /// As for a type.
    ///
    /// # Safety
    ///
    /// As for a type.
    pub unsafe fn is_too_deep_attribute(&mut self, attribute: Attribute<'_>) -> bool {
        // SAFETY: as for a type.
        unsafe { mondoNestingAttributeIsTooDeep(self.0.get(), attribute.raw()) }
    }

    /// As for a type.
    ///
    /// # Safety
    ///
    /// As for a type.
    pub unsafe fn is_too_deep_location(&mut self, location: Location<'_>) -> bool {
        let ptr = location.raw().ptr;
        // SAFETY: as for a type; a location is an attribute.
        unsafe { mondoNestingAttributeIsTooDeep(self.0.get(), MlirAttribute { ptr }) }
    }

    /// As for a type.
    ///
    /// # Safety
    ///
    /// As for a type.
    pub unsafe fn is_too_deep_expression(&mut self, expression: AffineExpr<'_>) -> bool {
        // SAFETY: as for a type.
        unsafe { mondoNestingAffineExprIsTooDeep(self.0.get(), expression.raw()) }
    }
}
