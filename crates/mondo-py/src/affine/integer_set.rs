//! `IntegerSet`, its constraints, and their list.

use mondo_ir::declarations as c;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::expr::{bounded, expressions_in, require_counts, unfit, within_all};
use super::slice::{part_list, pick};
use super::value_class::{affine_methods, affine_value};
use crate::ir::arguments::{Int, each};
use crate::ir::context_stack;
use crate::ir::derived_class::enter;
use crate::ir::lists::sequence::{Picked, Span};
use crate::ownership::context::{Context, Entered, Wrap};
use crate::ownership::uniqued_ref::UniquedRef;

affine_value! {
    /// A set of integers under constraints: it is unique in its context, and lives as long as it.
    IntegerSet, "integer set"
}

/// The exception for expressions without a flag, or the other way round.
fn not_as_many_flags() -> PyErr {
    PyValueError::new_err("Expected the number of constraints to match that of equality flags")
}

affine_methods! {
    plain IntegerSet, "MlirIntegerSet", "set",
    dims: mlirIntegerSetGetNumDims,
    inputs: mlirIntegerSetGetNumInputs,
    symbols: mlirIntegerSetGetNumSymbols,
    {
        /// The set of what makes each expression zero, or not negative where its flag is false.
        #[staticmethod]
        #[pyo3(signature = (num_dims, num_symbols, exprs, eq_flags, context = None))]
        fn get(
            py: Python<'_>,
            num_dims: Int<isize>,
            num_symbols: Int<isize>,
            exprs: &Bound<'_, PyAny>,
            eq_flags: &Bound<'_, PyAny>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let mut flags: Vec<bool> = Vec::new();
            each(eq_flags, |flag| {
                flags.push(flag.extract()?);
                Ok(())
            })?;
            if exprs.len()? != flags.len() {
                return Err(not_as_many_flags());
            }
            if flags.is_empty() {
                return Err(PyValueError::new_err(
                    "Expected non-empty list of constraints",
                ));
            }
            let context = context_stack::resolve_context(py, context)?;
            let exprs = expressions_in(exprs, &context, "attempting to create an IntegerSet")?;
            Context::enter(py, &context, |ctx| {
                let exprs = within_all(&exprs, ctx)?;
                let exprs = bounded(&exprs, num_dims.0, num_symbols.0)?;
                let set = ctx.set_of(exprs, &flags).ok_or_else(not_as_many_flags)?;
                Ok(Self::of(ctx, set))
            })
        }

        /// The set with nothing in it.
        #[staticmethod]
        #[pyo3(signature = (num_dims, num_symbols, context = None))]
        fn get_empty(
            py: Python<'_>,
            num_dims: Int<isize>,
            num_symbols: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let (dims, symbols) = require_counts(num_dims.0, num_symbols.0)?;
            enter(py, context, |ctx| Ok(Self::of(ctx, ctx.empty_set(dims, symbols))))
        }

        /// The set with other expressions for its dimensions and symbols.
        fn get_replaced(
            &self,
            py: Python<'_>,
            dim_exprs: &Bound<'_, PyAny>,
            symbol_exprs: &Bound<'_, PyAny>,
            num_result_dims: Int<isize>,
            num_result_symbols: Int<isize>,
        ) -> PyResult<Self> {
            let (dims, symbols) = self.uniqued.read(py, |set| (set.dimensions(), set.symbols()))?;
            let check = |given: usize, wanted: usize, what: &str, of: &str| {
                if given == wanted {
                    return Ok(());
                }
                Err(PyValueError::new_err(format!(
                    "Expected the number of {what} replacement expressions to match that of {of}"
                )))
            };
            check(dim_exprs.len()?, dims, "dimension", "dimensions")?;
            check(symbol_exprs.len()?, symbols, "symbol", "symbols")?;
            let for_dims = expressions_in(
                dim_exprs,
                self.uniqued.context(),
                "attempting to create an IntegerSet by replacing dimensions",
            )?;
            let for_symbols = expressions_in(
                symbol_exprs,
                self.uniqued.context(),
                "attempting to create an IntegerSet by replacing symbols",
            )?;
            check(for_dims.len(), dims, "dimension", "dimensions")?;
            check(for_symbols.len(), symbols, "symbol", "symbols")?;
            let (dims, symbols) = require_counts(num_result_dims.0, num_result_symbols.0)?;
            self.uniqued.with(py, |ctx, set| {
                let (for_dims, for_symbols) = (within_all(&for_dims, ctx)?, within_all(&for_symbols, ctx)?);
                let set = set
                    .replace(&for_dims, &for_symbols, dims, symbols)
                    .ok_or_else(not_as_many_flags)?
                    .map_err(|reason| unfit(reason, dims, symbols))?;
                Ok(Self::of(ctx, set))
            })
        }

        /// True if it is the empty set in MLIR's own form: the one constraint `1 == 0`.
        #[getter]
        fn is_canonical_empty(&self, py: Python<'_>) -> PyResult<bool> {
            self.uniqued.read(py, |set| c::mlirIntegerSetIsCanonicalEmpty(set))
        }

        /// The number of constraints that are equations.
        #[getter]
        fn n_equalities(&self, py: Python<'_>) -> PyResult<isize> {
            self.uniqued.read(py, |set| c::mlirIntegerSetGetNumEqualities(set))
        }

        /// The number of constraints of the form `expression >= 0`.
        #[getter]
        fn n_inequalities(&self, py: Python<'_>) -> PyResult<isize> {
            self.uniqued.read(py, |set| c::mlirIntegerSetGetNumInequalities(set))
        }

        /// The constraints, as a sequence.
        #[getter]
        fn constraints(slf: &Bound<'_, Self>) -> PyResult<IntegerSetConstraintList> {
            let set = &slf.get().uniqued;
            let length = set.read(slf.py(), |set| c::mlirIntegerSetGetNumConstraints(set))?;
            Ok(IntegerSetConstraintList {
                of: slf.clone().unbind(),
                span: Span::all(length),
            })
        }
    }
}

/// The exception for a place that has no constraint.
#[cold]
fn gone() -> PyErr {
    PyIndexError::new_err("the set has no such constraint")
}

/// A constraint of a set.
#[pyclass(frozen, subclass)]
pub(crate) struct IntegerSetConstraint {
    set: Py<IntegerSet>,
    place: usize,
}

#[pymethods]
impl IntegerSetConstraint {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.set)
    }

    /// The expression that is to be zero, or not negative.
    #[getter]
    fn expr(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.set.get().uniqued.with(py, |ctx, set| {
            let constraint = set.constraint(self.place);
            ctx.wrap(constraint.ok_or_else(gone)?.0)
        })
    }

    /// True if the expression is to be zero.
    #[getter]
    fn is_eq(&self, py: Python<'_>) -> PyResult<bool> {
        let constraint = self
            .set
            .get()
            .uniqued
            .read(py, |set| set.constraint(self.place).map(|row| row.1))?;
        constraint.ok_or_else(gone)
    }
}

part_list! {
    /// The constraints of a set.
    IntegerSetConstraintList of IntegerSet
}

impl IntegerSetConstraintList {
    fn at(&self, py: Python<'_>, place: isize) -> PyResult<Py<PyAny>> {
        let set = self.of.clone_ref(py);
        Ok(Py::new(
            py,
            IntegerSetConstraint {
                set,
                place: place.unsigned_abs(),
            },
        )?
        .into_any())
    }
}
