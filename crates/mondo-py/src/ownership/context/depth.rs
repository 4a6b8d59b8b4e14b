//! The depth of types, attributes, locations and affine expressions. MLIR prints, compares and replaces what is in them
//! by recursion, so that one that is too deep gets no wrapper.

use std::sync::PoisonError;

use mondo_ir::objects::Nesting;
use mondo_ir::{AffineExpr, Attribute, Location, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Context, Entered};

/// The exception for something that nests too deep.
#[cold]
#[inline(never)]
pub(crate) fn too_deep(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} nests deeper than 3000 levels"))
}

impl Context {
    fn with_nesting<R>(&self, work: impl FnOnce(&mut Nesting) -> R) -> R {
        work(&mut self.nesting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<'ctx> Entered<'_, 'ctx> {
    fn with_nesting<R>(self, work: impl FnOnce(&mut Nesting) -> R) -> R {
        self.object().get().with_nesting(work)
    }

    /// Returns whether a type nests deeper than MLIR can follow.
    pub(crate) fn is_too_deep_type(self, type_: Type<'ctx>) -> bool {
        // SAFETY: the type is of this context, by its brand, whose table this is.
        self.with_nesting(|nesting| unsafe { nesting.is_too_deep_type(type_) })
    }

    /// Returns whether an attribute nests deeper than MLIR can follow.
    pub(crate) fn is_too_deep_attribute(self, attribute: Attribute<'ctx>) -> bool {
        // SAFETY: as for a type.
        self.with_nesting(|nesting| unsafe { nesting.is_too_deep_attribute(attribute) })
    }

    /// The location; fails if it nests deeper than MLIR can follow.
    pub(crate) fn checked_location(self, location: Location<'ctx>) -> PyResult<Location<'ctx>> {
        // SAFETY: as for a type.
        match self.with_nesting(|nesting| unsafe { nesting.is_too_deep_location(location) }) {
            true => Err(too_deep("location")),
            false => Ok(location),
        }
    }

    /// Fails if an affine expression nests deeper than MLIR can follow.
    pub(crate) fn check_expression(self, expression: AffineExpr<'ctx>) -> PyResult<()> {
        // SAFETY: as for a type.
        match self.with_nesting(|nesting| unsafe { nesting.is_too_deep_expression(expression) }) {
            true => Err(too_deep("affine expression")),
            false => Ok(()),
        }
    }

    /// Forgets the depths that were found, because a structure got its elements.
    pub(crate) fn forget_depths(self) {
        self.with_nesting(Nesting::clear);
    }
}
