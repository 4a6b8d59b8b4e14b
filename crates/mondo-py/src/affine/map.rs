//! `AffineMap`, and the list of its results.

use mondo_ir::affine::is_permutation;
use mondo_ir::declarations as c;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::expr::{
    AffineExpr, bounded, expressions_in, not_one, require_counts, unfit, within_all,
};
use super::slice::{part_list, pick};
use super::value_class::{affine_methods, affine_value};
use crate::ir::arguments::{Int, Ints, each, integer, places};
use crate::ir::context_stack;
use crate::ir::derived_class::enter;
use crate::ir::lists::sequence::{Picked, Span};
use crate::ownership::context::{Context, Entered, Wrap, require_same};
use crate::ownership::uniqued_ref::UniquedRef;

affine_value! {
    /// An affine map: it is unique in its context, and lives as long as it.
    AffineMap, "affine map"
}

impl AffineMap {
    /// The map with some results of this one; `places` gets their number.
    fn sub_map(
        &self,
        py: Python<'_>,
        places: impl FnOnce(usize) -> PyResult<Vec<usize>>,
    ) -> PyResult<Self> {
        self.uniqued.with(py, |ctx, map| {
            let places = places(map.count())?;
            let map = map.sub_map(&places).ok_or_else(no_such_result)?;
            Ok(Self::of(ctx, map))
        })
    }
}

/// The number of results to take, if there are more.
fn fewer_than(wanted: isize, length: usize) -> PyResult<usize> {
    usize::try_from(wanted)
        .ok()
        .filter(|wanted| *wanted < length)
        .ok_or_else(|| PyValueError::new_err("number of results out of bounds"))
}

/// The exception for a place that has no result.
fn no_such_result() -> PyErr {
    PyValueError::new_err("result position out of bounds")
}

affine_methods! {
    plain AffineMap, "MlirAffineMap", "map",
    dims: mlirAffineMapGetNumDims,
    inputs: mlirAffineMapGetNumInputs,
    symbols: mlirAffineMapGetNumSymbols,
    {
        /// The maps without the symbols that none of them uses.
        #[staticmethod]
        #[pyo3(signature = (affine_maps, context = None, /))]
        fn compress_unused_symbols(
            py: Python<'_>,
            affine_maps: &Bound<'_, PyAny>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Vec<Self>> {
            let context = context_stack::resolve_context(py, context)?;
            let mut maps = Vec::new();
            each(affine_maps, |map| {
                let map = map
                    .cast_into::<Self>()
                    .map_err(|error| {
                        not_one(&error.into_inner(), "attempting to create an AffineMap")
                    })?;
                require_same(&context, map.get().uniqued.context(), "affine map")?;
                maps.push(map);
                Ok(())
            })?;
            Context::enter(py, &context, |ctx| {
                let maps = maps.iter().map(|map| map.get().within(ctx));
                let maps = maps.collect::<PyResult<Vec<_>>>()?;
                let compressed =
                    mondo_ir::AffineMap::compress_unused_symbols(&maps).ok_or_else(|| {
                        PyValueError::new_err("all maps must have the same number of symbols")
                    })?;
                Ok(compressed.into_iter().map(|map| Self::of(ctx, map)).collect())
            })
        }

        /// The map with these results.
        #[staticmethod]
        #[pyo3(signature = (dim_count, symbol_count, exprs, context = None))]
        fn get(
            py: Python<'_>,
            dim_count: Int<isize>,
            symbol_count: Int<isize>,
            exprs: &Bound<'_, PyAny>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let context = context_stack::resolve_context(py, context)?;
            let exprs = expressions_in(exprs, &context, "attempting to create an AffineMap")?;
            Context::enter(py, &context, |ctx| {
                let exprs = within_all(&exprs, ctx)?;
                let exprs = bounded(&exprs, dim_count.0, symbol_count.0)?;
                Ok(Self::of(ctx, ctx.map_of(exprs)))
            })
        }

        /// The map without inputs whose result is a number.
        #[staticmethod]
        #[pyo3(signature = (value, context = None))]
        fn get_constant(
            py: Python<'_>,
            value: Int<i64>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            enter(py, context, |ctx| Ok(Self::of(ctx, c::mlirAffineMapConstantGet(*ctx, value.0))))
        }

        /// The map without inputs and results.
        #[staticmethod]
        #[pyo3(signature = (context = None))]
        fn get_empty(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Self> {
            enter(py, context, |ctx| Ok(Self::of(ctx, c::mlirAffineMapEmptyGet(*ctx))))
        }

        /// The map whose results are its dimensions.
        #[staticmethod]
        #[pyo3(signature = (n_dims, context = None))]
        fn get_identity(
            py: Python<'_>,
            n_dims: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let n_dims = places("the number of dimensions", n_dims.0)?;
            enter(py, context, |ctx| Ok(Self::of(ctx, ctx.identity_map(n_dims))))
        }

        /// The map whose results are its last dimensions.
        #[staticmethod]
        #[pyo3(signature = (n_dims, n_results, context = None))]
        fn get_minor_identity(
            py: Python<'_>,
            n_dims: Int<isize>,
            n_results: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let n_dims = places("the number of dimensions", n_dims.0)?;
            let n_results = places("the number of results", n_results.0)?;
            let beyond = || {
                PyValueError::new_err(format!(
                    "a minor identity of {n_dims} dimensions cannot have {n_results} results"
                ))
            };
            if n_results > n_dims {
                return Err(beyond());
            }
            enter(py, context, |ctx| {
                let map = ctx.minor_identity_map(n_dims, n_results).ok_or_else(beyond)?;
                Ok(Self::of(ctx, map))
            })
        }

        /// The map that puts its dimensions into another order.
        #[staticmethod]
        #[pyo3(signature = (permutation, context = None))]
        fn get_permutation(
            py: Python<'_>,
            permutation: &Bound<'_, PyAny>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let mut places: Vec<u32> = Vec::new();
            each(permutation, |place| {
                places.push(integer(&place)?);
                Ok(())
            })?;
            let invalid = || {
                PyRuntimeError::new_err("Invalid permutation when attempting to create an AffineMap")
            };
            if !is_permutation(&places) {
                return Err(invalid());
            }
            enter(py, context, |ctx| {
                let map = ctx.permutation_map(&places).ok_or_else(invalid)?;
                Ok(Self::of(ctx, map))
            })
        }

        /// The map with the results at some places.
        fn get_submap(&self, py: Python<'_>, result_positions: Ints) -> PyResult<Self> {
            self.sub_map(py, |length| {
                let place = |place: &i64| {
                    let place = usize::try_from(*place).ok();
                    place.filter(|place| *place < length).ok_or_else(no_such_result)
                };
                result_positions.as_slice().iter().map(place).collect()
            })
        }

        /// The map with the first results.
        fn get_major_submap(&self, py: Python<'_>, n_results: Int<isize>) -> PyResult<Self> {
            self.sub_map(py, |length| Ok((0..fewer_than(n_results.0, length)?).collect()))
        }

        /// The map with the last results.
        fn get_minor_submap(&self, py: Python<'_>, n_results: Int<isize>) -> PyResult<Self> {
            self.sub_map(py, |length| {
                Ok((length - fewer_than(n_results.0, length)?..length).collect())
            })
        }

        /// The map with one expression for another.
        fn replace(
            &self,
            py: Python<'_>,
            expr: &Bound<'_, AffineExpr>,
            replacement: &Bound<'_, AffineExpr>,
            n_result_dims: Int<isize>,
            n_result_syms: Int<isize>,
        ) -> PyResult<Self> {
            let (dims, symbols) = require_counts(n_result_dims.0, n_result_syms.0)?;
            self.uniqued.with(py, |ctx, map| {
                let (from, to) = (expr.get().within(ctx)?, replacement.get().within(ctx)?);
                let map = map
                    .replace(from, to, dims, symbols)
                    .map_err(|reason| unfit(reason, dims, symbols))?;
                Ok(Self::of(ctx, map))
            })
        }

        /// True if the results are all dimensions, each once, in any order.
        #[getter]
        fn is_permutation(&self, py: Python<'_>) -> PyResult<bool> {
            self.uniqued.read(py, |map| c::mlirAffineMapIsPermutation(map))
        }

        /// True if the results are some of the dimensions, none of them twice.
        #[getter]
        fn is_projected_permutation(&self, py: Python<'_>) -> PyResult<bool> {
            self.uniqued.read(py, |map| c::mlirAffineMapIsProjectedPermutation(map))
        }

        /// The expressions that the map computes, as a sequence.
        #[getter]
        fn results(slf: &Bound<'_, Self>) -> PyResult<AffineExprList> {
            let map = &slf.get().uniqued;
            let length = map.read(slf.py(), |map| c::mlirAffineMapGetNumResults(map))?;
            Ok(AffineExprList {
                of: slf.clone().unbind(),
                span: Span::all(length),
            })
        }
    }
}

part_list! {
    /// The results of a map.
    AffineExprList of AffineMap
}

impl AffineExprList {
    fn at(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of.get().uniqued.with(py, |ctx, map| {
            let result = map.result(index.unsigned_abs());
            ctx.wrap(result.ok_or_else(|| PyIndexError::new_err("the map has no such result"))?)
        })
    }
}
