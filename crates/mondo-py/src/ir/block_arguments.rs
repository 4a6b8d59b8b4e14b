//! The arguments of a new block: their types and locations.

use mondo_ir::nodes::{Block, Loose};
use pyo3::PyTypeCheck;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::conversion_errors::bad_cast_of;
use crate::interop::two_phase::uninitialised;
use crate::ir::arguments::types_within;
use crate::ir::context_stack;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::{Context, Entered};

/// Casts an element of the list of types or of locations.
fn cast<'py, T: PyTypeCheck>(item: Bound<'py, PyAny>, wanted: &str) -> PyResult<Bound<'py, T>> {
    item.cast_into()
        .map_err(|error| bad_cast_of(&error.into_inner(), wanted))
}

/// The types and locations of a new block's arguments, of which there are equally many.
pub(crate) struct Arguments<'py> {
    types: Vec<Bound<'py, Type>>,
    locations: Vec<Bound<'py, Location>>,
}

impl<'py> Arguments<'py> {
    /// Converts sequences of types and locations. Without locations, each argument gets the current location.
    pub(crate) fn of(
        py: Python<'py>,
        context: &Py<Context>,
        types: &Bound<'py, PyAny>,
        locations: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let types = types
            .try_iter()?
            .map(|item| cast(item?, "a Type"))
            .collect::<PyResult<_>>()?;
        let locations = locations
            .map(|locations| {
                locations
                    .try_iter()?
                    .map(|item| cast(item?, "a Location"))
                    .collect::<PyResult<Vec<_>>>()
            })
            .transpose()?;
        Self::new(py, context, types, locations)
    }

    /// Checks lists of types and locations. Without locations, each argument gets the current location.
    pub(crate) fn new(
        py: Python<'py>,
        context: &Py<Context>,
        types: Vec<Bound<'py, Type>>,
        locations: Option<Vec<Bound<'py, Location>>>,
    ) -> PyResult<Self> {
        for item in &types {
            item.get().require_in(py, context)?;
        }
        let locations = match locations {
            Some(locations) => locations,
            None if types.is_empty() => Vec::new(),
            None => {
                let location = context_stack::resolve_location(py, None)?.into_bound(py);
                vec![location; types.len()]
            }
        };
        for item in &locations {
            item.get().require_in(py, context)?;
        }
        if types.len() != locations.len() {
            return Err(PyValueError::new_err(format!(
                "Expected {} locations, got: {}",
                types.len(),
                locations.len()
            )));
        }
        Ok(Self { types, locations })
    }

    /// Creates the block; the caller owns it.
    pub(crate) fn block<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> PyResult<Loose<Block<'ctx>>> {
        let types = types_within(&self.types, ctx)?;
        let locations = self
            .locations
            .iter()
            .map(|location| location.get().within(ctx));
        let locations = locations.collect::<PyResult<Vec<_>>>()?;
        // `new` has checked that there are as many locations as types, so that this does not fail.
        Block::create(&types, &locations).ok_or_else(uninitialised)
    }
}
