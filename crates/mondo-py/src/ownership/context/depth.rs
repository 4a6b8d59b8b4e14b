//! The depth of types, attributes, locations and affine expressions. MLIR prints, compares and replaces what is in them
//! by recursion, so that one that is too deep gets no wrapper.

use std::sync::PoisonError;

use mondo_ir::dialects::llvm::StructType;
use mondo_ir::objects::NestingWithin;
use mondo_ir::{AffineExpr, Attribute, Location, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Context, Entered};

/// The exception for something that nests too deep.
#[cold]
#[inline(never)]
pub(crate) fn too_deep(what: &str) -> PyErr {
    PyValueError::new_err(format!(
        "the {what} nests deeper than 3000 levels, or has more than 2^28 parts"
    ))
}

impl<'ctx> Entered<'_, 'ctx> {
    fn with_nesting<R>(self, work: impl FnOnce(NestingWithin<'_, 'ctx>) -> R) -> R {
        let context: &Context = self.object().get();
        let mut nesting = context
            .nesting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the table is a field of the wrapper of the context whose brand this is.
        work(unsafe { nesting.within(*self) })
    }

    /// Returns whether a type nests deeper than MLIR can follow.
    pub(crate) fn is_too_deep_type(self, type_: Type<'ctx>) -> bool {
        self.with_nesting(|mut nesting| nesting.is_too_deep_type(type_))
    }

    /// Returns whether an attribute nests deeper than MLIR can follow.
    pub(crate) fn is_too_deep_attribute(self, attribute: Attribute<'ctx>) -> bool {
        self.with_nesting(|mut nesting| nesting.is_too_deep_attribute(attribute))
    }

    /// The location; fails if it nests deeper than MLIR can follow.
    pub(crate) fn checked_location(self, location: Location<'ctx>) -> PyResult<Location<'ctx>> {
        match self.with_nesting(|mut nesting| nesting.is_too_deep_location(location)) {
            true => Err(too_deep("location")),
            false => Ok(location),
        }
    }

    /// Fails if an affine expression nests deeper than MLIR can follow.
    pub(crate) fn check_expression(self, expression: AffineExpr<'ctx>) -> PyResult<()> {
        match self.with_nesting(|mut nesting| nesting.is_too_deep_expression(expression)) {
            true => Err(too_deep("affine expression")),
            false => Ok(()),
        }
    }

    /// Gives a structure its elements; false where it has others already. Fails if it, or a type that it is in, would nest
    /// too deep.
    pub(crate) fn set_body(
        self,
        structure: StructType<'ctx>,
        elements: &[Type<'ctx>],
        packed: bool,
    ) -> PyResult<bool> {
        self.with_nesting(|nesting| structure.set_body_within(nesting, elements, packed))
            .ok_or_else(|| too_deep("structure"))
    }
}
