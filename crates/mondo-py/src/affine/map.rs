//! `AffineMap`.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use super::expr::{AffineExpr, expressions_in, not_one, require_within};
use super::expr_wrap;
use super::slice::{Picked, Places};
use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::arguments::{Int, Ints, count, each, integer};
use crate::ir::derived_class::context_for;
use crate::ownership::context::{Context, require_same};

/// An affine map: it is unique in its context, and lives as long as it.
#[pyclass(frozen)]
pub(crate) struct AffineMap {
    raw: MlirAffineMap,
    context: Py<Context>,
}

// SAFETY: maps are immutable, and the context outlives them.
unsafe impl Send for AffineMap {}
// SAFETY: as above.
unsafe impl Sync for AffineMap {}

impl AffineMap {
    /// # Safety
    ///
    /// `raw` is a map of `context`, and not null.
    pub(crate) unsafe fn new(context: Py<Context>, raw: MlirAffineMap) -> Self {
        Self { raw, context }
    }

    /// The map, for a call into the C API.
    pub(crate) fn handle(&self, py: Python<'_>) -> PyResult<MlirAffineMap> {
        self.context.get().get(py)?;
        Ok(self.raw)
    }

    /// The same, for something that is to be of `context`.
    pub(crate) fn handle_in(
        &self,
        py: Python<'_>,
        context: &Py<Context>,
    ) -> PyResult<MlirAffineMap> {
        require_same(context, &self.context, "affine map")?;
        self.handle(py)
    }

    /// The context that it lives in.
    pub(crate) fn context_of(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.handle(py)?;
        // SAFETY: the map is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAffineMapPrint(raw, callback, data);
        }))
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

    /// How many results the map has, if it has more than `wanted`.
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

#[pymethods]
impl AffineMap {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        self.raw.ptr as usize >> 4
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("AffineMap({})", self.text(py)?))
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// Prints the map to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the map is live.
        unsafe { mlirAffineMapDump(self.handle(py)?) };
        Ok(())
    }

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
        // SAFETY: the expressions are live and of this context, and use no more dimensions and symbols
        // than is said.
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

    #[getter]
    fn is_permutation(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the map is live.
        Ok(unsafe { mlirAffineMapIsPermutation(self.handle(py)?) })
    }

    #[getter]
    fn is_projected_permutation(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the map is live.
        Ok(unsafe { mlirAffineMapIsProjectedPermutation(self.handle(py)?) })
    }

    #[getter]
    fn n_dims(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the map is live.
        Ok(unsafe { mlirAffineMapGetNumDims(self.handle(py)?) })
    }

    #[getter]
    fn n_inputs(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the map is live.
        Ok(unsafe { mlirAffineMapGetNumInputs(self.handle(py)?) })
    }

    #[getter]
    fn n_symbols(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the map is live.
        Ok(unsafe { mlirAffineMapGetNumSymbols(self.handle(py)?) })
    }

    #[getter]
    fn results(slf: &Bound<'_, Self>) -> PyResult<AffineExprList> {
        // SAFETY: the map is live.
        let length = unsafe { mlirAffineMapGetNumResults(slf.get().handle(slf.py())?) };
        Ok(AffineExprList {
            map: slf.clone().unbind(),
            places: Places::all(length),
        })
    }

    /// A capsule with the `MlirAffineMap`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.AffineMap", self.handle(py)?.ptr)
    }

    /// The object for the `MlirAffineMap` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let raw = MlirAffineMap {
            ptr: capsule::unwrap(capsule, "ir.AffineMap")?,
        };
        // SAFETY: whoever made the capsule put a live map into it, and maps know their context.
        let context = unsafe { Context::of(capsule.py(), mlirAffineMapGetContext(raw))? };
        Ok(Self { raw, context })
    }
}

/// The results of a map.
#[pyclass(frozen, sequence)]
pub(crate) struct AffineExprList {
    map: Py<AffineMap>,
    places: Places,
}

impl AffineExprList {
    fn at(&self, py: Python<'_>, place: isize) -> PyResult<Py<PyAny>> {
        let map = self.map.get();
        // SAFETY: the map is live, and has this result.
        unsafe {
            expr_wrap::wrap(
                py,
                &map.context,
                mlirAffineMapGetResult(map.handle(py)?, place),
            )
        }
    }

    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.places.each().map(|place| self.at(py, place)).collect()
    }
}

#[pymethods]
impl AffineExprList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.map)
    }

    fn __len__(&self) -> usize {
        self.places.len()
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match self.places.pick(key)? {
            Picked::One(place) => self.at(py, place),
            Picked::Some(places) => {
                let map = self.map.clone_ref(py);
                Ok(Py::new(py, Self { map, places })?.into_any())
            }
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.all(py)?)?.try_iter()?.into_any())
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        let mut all = self.all(py)?;
        all.extend(other.get().all(py)?);
        Ok(all)
    }
}
