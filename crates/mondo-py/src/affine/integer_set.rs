//! `IntegerSet`, its constraints, and their list.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::expr::{expressions_in, require_within};
use super::expr_wrap;
use super::slice::{part_list, pick};
use super::value_class::{affine_methods, affine_value};
use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::arguments::{Int, each};
use crate::ir::derived_class::context_for;
use crate::ir::lists::sequence::{Picked, Span};
use crate::ownership::context::Context;

affine_value! {
    /// A set of integers under constraints: it is unique in its context, and lives as long as it.
    IntegerSet(MlirIntegerSet), "set", print: mlirIntegerSetPrint
}

impl IntegerSet {
    fn expressions(&self) -> Vec<MlirAffineExpr> {
        // SAFETY: the set is live, and has the constraints that are asked for.
        unsafe {
            (0..mlirIntegerSetGetNumConstraints(self.raw))
                .map(|at| mlirIntegerSetGetConstraint(self.raw, at))
                .collect()
        }
    }
}

affine_methods! {
    plain IntegerSet(MlirIntegerSet), "set",
    get: handle,
    dump: mlirIntegerSetDump,
    context: mlirIntegerSetGetContext,
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
                return Err(PyValueError::new_err(
                    "Expected the number of constraints to match that of equality flags",
                ));
            }
            if flags.is_empty() {
                return Err(PyValueError::new_err(
                    "Expected non-empty list of constraints",
                ));
            }
            let (context, raw) = context_for(py, context)?;
            let exprs = expressions_in(exprs, &context, "attempting to create an IntegerSet")?;
            require_within(&exprs, num_dims.0, num_symbols.0)?;
            if exprs.len() != flags.len() {
                return Err(PyValueError::new_err(
                    "Expected the number of constraints to match that of equality flags",
                ));
            }
            // SAFETY: the expressions are live and of this context, use no more dimensions and
            // symbols than is said, and there are as many as flags.
            let raw = unsafe {
                mlirIntegerSetGet(
                    raw,
                    num_dims.0,
                    num_symbols.0,
                    exprs.len() as isize,
                    exprs.as_ptr(),
                    flags.as_ptr(),
                )
            };
            Ok(Self { raw, context })
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
            require_within(&[], num_dims.0, num_symbols.0)?;
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live.
            let raw = unsafe { mlirIntegerSetEmptyGet(raw, num_dims.0, num_symbols.0) };
            Ok(Self { raw, context })
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
            let raw = self.handle(py)?;
            // SAFETY: the set is live.
            let (dims, symbols) = unsafe {
                (
                    mlirIntegerSetGetNumDims(raw),
                    mlirIntegerSetGetNumSymbols(raw),
                )
            };
            let check = |given: usize, wanted: isize, what: &str, of: &str| {
                if given as isize == wanted {
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
                &self.context,
                "attempting to create an IntegerSet by replacing dimensions",
            )?;
            let for_symbols = expressions_in(
                symbol_exprs,
                &self.context,
                "attempting to create an IntegerSet by replacing symbols",
            )?;
            check(for_dims.len(), dims, "dimension", "dimensions")?;
            check(for_symbols.len(), symbols, "symbol", "symbols")?;
            let (dims, symbols) = (num_result_dims.0, num_result_symbols.0);
            require_within(&[], dims, symbols)?;
            // SAFETY: all are live and of one context, and there are as many expressions as the set
            // has dimensions and symbols. Whether the new set has enough is checked before anybody
            // uses it.
            let raw = unsafe {
                mlirIntegerSetReplaceGet(raw, for_dims.as_ptr(), for_symbols.as_ptr(), dims, symbols)
            };
            let set = Self {
                raw,
                context: self.context.clone_ref(py),
            };
            require_within(&set.expressions(), dims, symbols)?;
            Ok(set)
        }

        /// True if it is the empty set in MLIR's own form: the one constraint `1 == 0`.
        #[getter]
        fn is_canonical_empty(&self, py: Python<'_>) -> PyResult<bool> {
            // SAFETY: the set is live.
            Ok(unsafe { mlirIntegerSetIsCanonicalEmpty(self.handle(py)?) })
        }

        /// The number of constraints that are equations.
        #[getter]
        fn n_equalities(&self, py: Python<'_>) -> PyResult<isize> {
            // SAFETY: the set is live.
            Ok(unsafe { mlirIntegerSetGetNumEqualities(self.handle(py)?) })
        }

        /// The number of constraints of the form `expression >= 0`.
        #[getter]
        fn n_inequalities(&self, py: Python<'_>) -> PyResult<isize> {
            // SAFETY: the set is live.
            Ok(unsafe { mlirIntegerSetGetNumInequalities(self.handle(py)?) })
        }

        /// The constraints, as a sequence.
        #[getter]
        fn constraints(slf: &Bound<'_, Self>) -> PyResult<IntegerSetConstraintList> {
            // SAFETY: the set is live.
            let length = unsafe { mlirIntegerSetGetNumConstraints(slf.get().handle(slf.py())?) };
            Ok(IntegerSetConstraintList {
                of: slf.clone().unbind(),
                span: Span::all(length),
            })
        }
    }
}

/// A constraint of a set.
#[pyclass(frozen, subclass)]
pub(crate) struct IntegerSetConstraint {
    set: Py<IntegerSet>,
    place: isize,
}

#[pymethods]
impl IntegerSetConstraint {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.set)
    }

    /// The expression that is to be zero, or not negative.
    #[getter]
    fn expr(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let set = self.set.get();
        // SAFETY: the set is live, and has this constraint.
        unsafe {
            let raw = mlirIntegerSetGetConstraint(set.handle(py)?, self.place);
            expr_wrap::wrap(py, &set.context, raw)
        }
    }

    /// True if the expression is to be zero.
    #[getter]
    fn is_eq(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the set is live, and has this constraint.
        Ok(unsafe { mlirIntegerSetIsConstraintEq(self.set.get().handle(py)?, self.place) })
    }
}

part_list! {
    /// The constraints of a set.
    IntegerSetConstraintList of IntegerSet
}

impl IntegerSetConstraintList {
    fn at(&self, py: Python<'_>, place: isize) -> PyResult<Py<PyAny>> {
        let set = self.of.clone_ref(py);
        Ok(Py::new(py, IntegerSetConstraint { set, place })?.into_any())
    }
}
