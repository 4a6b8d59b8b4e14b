//! `AffineMap`, and the list of its results.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::expr::{AffineExpr, expressions_in, not_one, require_within};
use super::expr_wrap;
use super::slice::{part_list, pick};
use super::value_class::{affine_methods, affine_value};
use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::arguments::{Int, Ints, count, each, integer};
use crate::ir::derived_class::context_for;
use crate::ir::lists::sequence::{Picked, Span};
use crate::ownership::context::{Context, require_same};

affine_value! {
    /// An affine map: it is unique in its context, and lives as long as it.
    AffineMap(MlirAffineMap), "map", print: mlirAffineMapPrint
}

impl AffineMap {
    /// The same, for something that is to be of `context`.
    pub(crate) fn handle_in(
        &self,
        py: Python<'_>,
        context: &Py<Context>,
    ) -> PyResult<MlirAffineMap> {
        require_same(context, &self.context, "affine map")?;
        self.handle(py)
    }

    fn results_of(&self) -> Vec<MlirAffineExpr> {
        // SAFETY: the map is live, and has the results that are asked for.
        unsafe {
            (0..mlirAffineMapGetNumResults(self.raw))
                .map(|at| mlirAffineMapGetResult(self.raw, at))
                .collect()
        }
    }

    /// The map with some results of this one.
    fn sub_map(&self, py: Python<'_>, places: &mut [isize]) -> PyResult<Self> {
        let raw = self.handle(py)?;
        // SAFETY: the map is live, and callers pass places of results.
        let raw =
            unsafe { mlirAffineMapGetSubMap(raw, places.len() as isize, places.as_mut_ptr()) };
        Ok(Self {
            raw,
            context: self.context.clone_ref(py),
        })
    }

    /// The number of results of the map, if it has more than `wanted`.
    fn more_results_than(&self, wanted: isize) -> PyResult<isize> {
        // SAFETY: the map is live.
        let length = unsafe { mlirAffineMapGetNumResults(self.raw) };
        if (0..length).contains(&wanted) {
            Ok(length)
        } else {
            Err(PyValueError::new_err("number of results out of bounds"))
        }
    }
}

affine_methods! {
    plain AffineMap(MlirAffineMap), "map",
    get: handle,
    dump: mlirAffineMapDump,
    context: mlirAffineMapGetContext,
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
            let (context, _) = context_for(py, context)?;
            let mut maps = Vec::new();
            each(affine_maps, |map| {
                let map = map
                    .cast::<Self>()
                    .map_err(|_| not_one(&map, "attempting to create an AffineMap"))?;
                maps.push(map.get().handle_in(py, &context)?);
                Ok(())
            })?;
            // SAFETY: the maps are live.
            let symbols = |map: &MlirAffineMap| unsafe { mlirAffineMapGetNumSymbols(*map) };
            if maps
                .windows(2)
                .any(|two| symbols(&two[0]) != symbols(&two[1]))
            {
                return Err(PyValueError::new_err(
                    "all maps must have the same number of symbols",
                ));
            }
            let mut compressed = maps.clone();
            if !maps.is_empty() {
                unsafe extern "C" fn put(maps: *mut std::ffi::c_void, at: isize, map: MlirAffineMap) {
                    // SAFETY: `maps` is the vector above, which has a place for each map.
                    unsafe { maps.cast::<MlirAffineMap>().offset(at).write(map) };
                }
                // SAFETY: the maps are live and have the same symbols; there is room for the results.
                unsafe {
                    mlirAffineMapCompressUnusedSymbols(
                        maps.as_mut_ptr(),
                        maps.len() as isize,
                        compressed.as_mut_ptr().cast(),
                        Some(put),
                    );
                }
            }
            Ok(compressed
                .into_iter()
                .map(|raw| Self {
                    raw,
                    context: context.clone_ref(py),
                })
                .collect())
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
            let (context, raw) = context_for(py, context)?;
            let mut exprs = expressions_in(exprs, &context, "attempting to create an AffineMap")?;
            require_within(&exprs, dim_count.0, symbol_count.0)?;
            // SAFETY: the expressions are live and of this context, and use no more dimensions and
            // symbols than is said.
            let raw = unsafe {
                mlirAffineMapGet(
                    raw,
                    dim_count.0,
                    symbol_count.0,
                    exprs.len() as isize,
                    exprs.as_mut_ptr(),
                )
            };
            Ok(Self { raw, context })
        }

        /// The map without inputs whose result is a number.
        #[staticmethod]
        #[pyo3(signature = (value, context = None))]
        fn get_constant(
            py: Python<'_>,
            value: Int<i64>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live.
            let raw = unsafe { mlirAffineMapConstantGet(raw, value.0) };
            Ok(Self { raw, context })
        }

        /// The map without inputs and results.
        #[staticmethod]
        #[pyo3(signature = (context = None))]
        fn get_empty(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Self> {
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live.
            let raw = unsafe { mlirAffineMapEmptyGet(raw) };
            Ok(Self { raw, context })
        }

        /// The map whose results are its dimensions.
        #[staticmethod]
        #[pyo3(signature = (n_dims, context = None))]
        fn get_identity(
            py: Python<'_>,
            n_dims: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Self> {
            let n_dims = count("the number of dimensions", n_dims.0)?;
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live.
            let raw = unsafe { mlirAffineMapMultiDimIdentityGet(raw, n_dims) };
            Ok(Self { raw, context })
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
            let n_dims = count("the number of dimensions", n_dims.0)?;
            let n_results = count("the number of results", n_results.0)?;
            if n_results > n_dims {
                return Err(PyValueError::new_err(format!(
                    "a minor identity of {n_dims} dimensions cannot have {n_results} results"
                )));
            }
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live, and there are enough dimensions.
            let raw = unsafe { mlirAffineMapMinorIdentityGet(raw, n_dims, n_results) };
            Ok(Self { raw, context })
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
            let mut sorted = places.clone();
            sorted.sort_unstable();
            if places.is_empty() || sorted.iter().zip(0..).any(|(place, at)| *place != at) {
                return Err(PyRuntimeError::new_err(
                    "Invalid permutation when attempting to create an AffineMap",
                ));
            }
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live, and the places are a permutation.
            let raw =
                unsafe { mlirAffineMapPermutationGet(raw, places.len() as isize, places.as_mut_ptr()) };
            Ok(Self { raw, context })
        }

        /// The map with the results at some places.
        fn get_submap(&self, py: Python<'_>, result_positions: Ints) -> PyResult<Self> {
            // SAFETY: the map is live.
            let length = unsafe { mlirAffineMapGetNumResults(self.handle(py)?) };
            let mut places: Vec<isize> = Vec::new();
            for &place in result_positions.as_slice() {
                let place = isize::try_from(place)
                    .ok()
                    .filter(|place| (0..length).contains(place))
                    .ok_or_else(|| PyValueError::new_err("result position out of bounds"))?;
                places.push(place);
            }
            self.sub_map(py, &mut places)
        }

        /// The map with the first results.
        fn get_major_submap(&self, py: Python<'_>, n_results: Int<isize>) -> PyResult<Self> {
            self.more_results_than(n_results.0)?;
            let mut places: Vec<isize> = (0..n_results.0).collect();
            self.sub_map(py, &mut places)
        }

        /// The map with the last results.
        fn get_minor_submap(&self, py: Python<'_>, n_results: Int<isize>) -> PyResult<Self> {
            let length = self.more_results_than(n_results.0)?;
            let mut places: Vec<isize> = (length - n_results.0..length).collect();
            self.sub_map(py, &mut places)
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
            let (dims, symbols) = (n_result_dims.0, n_result_syms.0);
            require_within(&[], dims, symbols)?;
            let from = expr.get().get_in(py, &self.context)?;
            let to = replacement.get().get_in(py, &self.context)?;
            // SAFETY: all are live and of one context. Whether the new map has enough dimensions and
            // symbols is checked before anybody uses it.
            let raw = unsafe { mlirAffineMapReplace(self.handle(py)?, from, to, dims, symbols) };
            let map = Self {
                raw,
                context: self.context.clone_ref(py),
            };
            require_within(&map.results_of(), dims, symbols)?;
            Ok(map)
        }

        /// True if the results are all dimensions, each once, in any order.
        #[getter]
        fn is_permutation(&self, py: Python<'_>) -> PyResult<bool> {
            // SAFETY: the map is live.
            Ok(unsafe { mlirAffineMapIsPermutation(self.handle(py)?) })
        }

        /// True if the results are some of the dimensions, none of them twice.
        #[getter]
        fn is_projected_permutation(&self, py: Python<'_>) -> PyResult<bool> {
            // SAFETY: the map is live.
            Ok(unsafe { mlirAffineMapIsProjectedPermutation(self.handle(py)?) })
        }

        /// The expressions that the map computes, as a sequence.
        #[getter]
        fn results(slf: &Bound<'_, Self>) -> PyResult<AffineExprList> {
            // SAFETY: the map is live.
            let length = unsafe { mlirAffineMapGetNumResults(slf.get().handle(slf.py())?) };
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
        let map = self.of.get();
        // SAFETY: the map is live, and has this result.
        unsafe {
            expr_wrap::wrap(
                py,
                &map.context,
                mlirAffineMapGetResult(map.handle(py)?, index),
            )
        }
    }
}
