//! `_mlirDialectsSparseTensor`: the encoding of sparse tensors; and `_mlirSparseTensorPasses`.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyModule};

use super::making::{attribute_written, cast_like, context_with};
use crate::affine::AffineMap;
use crate::interop::string::collect;
use crate::ir::arguments::{Int, each, integer};
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{self, attribute_in, attribute_kind, attribute_of};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The storage of the coordinates of one level, by the C API's values.
const FORMATS: &[(&str, MlirSparseTensorLevelFormat)] = &[
    ("dense", MLIR_SPARSE_TENSOR_LEVEL_DENSE),
    ("batch", MLIR_SPARSE_TENSOR_LEVEL_BATCH),
    ("n_out_of_m", MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M),
    ("compressed", MLIR_SPARSE_TENSOR_LEVEL_COMPRESSED),
    ("singleton", MLIR_SPARSE_TENSOR_LEVEL_SINGLETON),
    (
        "loose_compressed",
        MLIR_SPARSE_TENSOR_LEVEL_LOOSE_COMPRESSED,
    ),
];

/// A property that a level may have, by the C API's values.
const PROPERTIES: &[(&str, MlirSparseTensorLevelPropertyNondefault)] = &[
    ("non_ordered", MLIR_SPARSE_PROPERTY_NON_ORDERED),
    ("non_unique", MLIR_SPARSE_PROPERTY_NON_UNIQUE),
    ("soa", MLIR_SPARSE_PROPERTY_SOA),
];

/// The classes `LevelFormat` and `LevelProperty`.
static LEVEL_FORMAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static LEVEL_PROPERTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The bits of a level's type: its format, above the properties, and the numbers of `n_out_of_m`.
const FORMAT_BITS: u64 = 0xffff_0000;
const N_SHIFT: u32 = 32;
const M_SHIFT: u32 = 40;
const NUMBER_BITS: u64 = 0xff;

/// The type of a level, if MLIR knows one with these bits; it takes others as they come.
fn level_type(bits: u64) -> PyResult<u64> {
    let format = bits & FORMAT_BITS;
    let is = |known: MlirSparseTensorLevelFormat| format == u64::from(known);
    let known = FORMATS.iter().any(|(_, value)| is(*value));
    let properties = PROPERTIES
        .iter()
        .fold(0, |all, (_, value)| all | u64::from(*value));
    let allowed = match () {
        () if is(MLIR_SPARSE_TENSOR_LEVEL_N_OUT_OF_M) => {
            (NUMBER_BITS << N_SHIFT) | (NUMBER_BITS << M_SHIFT)
        }
        () if is(MLIR_SPARSE_TENSOR_LEVEL_DENSE) || is(MLIR_SPARSE_TENSOR_LEVEL_BATCH) => 0,
        () => properties,
    };
    if known && bits & !FORMAT_BITS & !allowed == 0 {
        return Ok(bits);
    }
    Err(PyValueError::new_err(format!(
        "{bits:#x} is not the type of a level: make one with build_level_type"
    )))
}

/// The encoding of a sparse tensor.
#[pyclass(frozen, subclass, extends = Attribute)]
struct EncodingAttr;

attribute_kind!(
    EncodingAttr,
    mlirAttributeIsASparseTensorEncodingAttr,
    None,
    Some(mlirSparseTensorEncodingAttrGetName)
);

const NO_MAP: MlirAffineMap = MlirAffineMap {
    ptr: std::ptr::null(),
};
const NO_ATTRIBUTE: MlirAttribute = MlirAttribute {
    ptr: std::ptr::null(),
};

/// The map, if there is one.
fn map_of(
    py: Python<'_>,
    context: Py<Context>,
    raw: MlirAffineMap,
) -> PyResult<Option<Py<AffineMap>>> {
    (!raw.ptr.is_null())
        // SAFETY: the map is of this context, and not null.
        .then(|| Py::new(py, unsafe { AffineMap::new(context, raw) }))
        .transpose()
}

#[pymethods]
impl EncodingAttr {
    /// The attribute for such levels; raises `MLIRError` or `ValueError` if there is none. Without
    /// maps, each level is the dimension in its place.
    #[staticmethod]
    #[pyo3(signature = (
        lvl_types, dim_to_lvl, lvl_to_dim, pos_width, crd_width, explicit_val = None,
        implicit_val = None, context = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are what upstream's takes")]
    fn get(
        py: Python<'_>,
        lvl_types: &Bound<'_, PyAny>,
        dim_to_lvl: Option<&Bound<'_, AffineMap>>,
        lvl_to_dim: Option<&Bound<'_, AffineMap>>,
        pos_width: Int<i32>,
        crd_width: Int<i32>,
        explicit_val: Option<&Bound<'_, Attribute>>,
        implicit_val: Option<&Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__sparse_tensor__)?;
        let mut levels: Vec<u64> = Vec::new();
        each(lvl_types, |level| {
            levels.push(level_type(integer(&level)?)?);
            Ok(())
        })?;
        if levels.is_empty() {
            return Err(PyValueError::new_err("there has to be at least one level"));
        }
        let map = |given: Option<&Bound<'_, AffineMap>>| match given {
            Some(map) => map.get().handle_in(py, &context),
            None => Ok(NO_MAP),
        };
        let value = |given: Option<&Bound<'_, Attribute>>| match given {
            Some(value) => value.get().get_in(py, &context),
            None => Ok(NO_ATTRIBUTE),
        };
        let forth = map(dim_to_lvl)?;
        let back = map(lvl_to_dim)?;
        let rank = levels.len() as isize;
        if !forth.ptr.is_null() {
            // SAFETY: the map is live.
            let (dims, results) = unsafe {
                (
                    mlirAffineMapGetNumDims(forth),
                    mlirAffineMapGetNumResults(forth),
                )
            };
            if dims == 0 || results != rank {
                return Err(PyValueError::new_err(format!(
                    "dim_to_lvl has to map at least one dimension to {rank} levels, and maps {dims} \
                     to {results}"
                )));
            }
        }
        let (explicit, implicit) = (value(explicit_val)?, value(implicit_val)?);
        // SAFETY: all are live and of this context, where the dialect is loaded, and there are as
        // many levels as is said. MLIR finds the way back itself.
        let raw = unsafe {
            mlirSparseTensorEncodingAttrGet(
                raw,
                rank,
                levels.as_ptr(),
                forth,
                NO_MAP,
                pos_width.0,
                crd_width.0,
                explicit,
                implicit,
            )
        };
        // The C API checks nothing, and the parser everything.
        // SAFETY: the attribute is live; the last two arguments belong together.
        let text = collect(|callback, data| unsafe { mlirAttributePrint(raw, callback, data) });
        attribute_written(py, &context, &text)?;
        // SAFETY: the attribute is an encoding.
        let inferred = unsafe { mlirSparseTensorEncodingAttrGetLvlToDim(raw) };
        if !back.ptr.is_null() && back.ptr != inferred.ptr {
            return Err(PyValueError::new_err(
                "expected lvl_to_dim to be an inverse of dim_to_lvl",
            ));
        }
        // SAFETY: the attribute was made in this context.
        unsafe { attribute::wrap(py, &context, raw) }
    }

    /// The type of a level, which is a number; `n` and `m` are for `n_out_of_m`.
    #[staticmethod]
    #[pyo3(signature = (lvl_fmt, properties = None, n = Int(0), m = Int(0)),
           text_signature = "(lvl_fmt, properties=[], n=0, m=0)")]
    fn build_level_type(
        lvl_fmt: &Bound<'_, PyAny>,
        properties: Option<&Bound<'_, PyAny>>,
        n: Int<u8>,
        m: Int<u8>,
    ) -> PyResult<u64> {
        let mut bits: u64 = integer(lvl_fmt)?;
        if let Some(properties) = properties {
            each(properties, |property| {
                let value: u64 = property.getattr("value")?.extract()?;
                bits |= value;
                Ok(())
            })?;
        }
        level_type(bits | u64::from(n.0) << N_SHIFT | u64::from(m.0) << M_SHIFT)
    }

    /// The types of the levels.
    #[getter]
    fn lvl_types(slf: &Bound<'_, Self>) -> PyResult<Vec<u64>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live encoding, which has these levels.
        unsafe {
            Ok((0..mlirSparseTensorEncodingGetLvlRank(raw))
                .map(|level| mlirSparseTensorEncodingAttrGetLvlType(raw, level))
                .collect())
        }
    }

    /// The map from the coordinates of the dimensions to those of the levels.
    #[getter]
    fn dim_to_lvl(slf: &Bound<'_, Self>) -> PyResult<Option<Py<AffineMap>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live encoding.
        let map = unsafe { mlirSparseTensorEncodingAttrGetDimToLvl(raw) };
        map_of(slf.py(), context, map)
    }

    /// The map from the coordinates of the levels to those of the dimensions.
    #[getter]
    fn lvl_to_dim(slf: &Bound<'_, Self>) -> PyResult<Option<Py<AffineMap>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live encoding.
        let map = unsafe { mlirSparseTensorEncodingAttrGetLvlToDim(raw) };
        map_of(slf.py(), context, map)
    }

    /// The number of bits that a position is stored in; 0 is as many as an address.
    #[getter]
    fn pos_width(slf: &Bound<'_, Self>) -> PyResult<i32> {
        // SAFETY: the attribute is a live encoding.
        Ok(unsafe { mlirSparseTensorEncodingAttrGetPosWidth(attribute_of(slf)?) })
    }

    /// The number of bits that a coordinate is stored in; 0 is as many as an address.
    #[getter]
    fn crd_width(slf: &Bound<'_, Self>) -> PyResult<i32> {
        // SAFETY: the attribute is a live encoding.
        Ok(unsafe { mlirSparseTensorEncodingAttrGetCrdWidth(attribute_of(slf)?) })
    }

    /// The value that all stored elements have.
    #[getter]
    fn explicit_val(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live encoding; its value is of the same context.
        unsafe {
            let value = mlirSparseTensorEncodingAttrGetExplicitVal(raw);
            (!value.ptr.is_null())
                .then(|| attribute::wrap(slf.py(), &context, value))
                .transpose()
        }
    }

    /// The value of what is not stored.
    #[getter]
    fn implicit_val(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live encoding; its value is of the same context.
        unsafe {
            let value = mlirSparseTensorEncodingAttrGetImplicitVal(raw);
            (!value.ptr.is_null())
                .then(|| attribute::wrap(slf.py(), &context, value))
                .transpose()
        }
    }

    /// The number of elements of a block that are stored, if the last level is `n_out_of_m`.
    #[getter]
    fn structured_n(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the function only looks at bits.
        Ok(unsafe { mlirSparseTensorEncodingAttrGetStructuredN(last_level(slf)?) })
    }

    /// The number of elements of a block, if the last level is `n_out_of_m`.
    #[getter]
    fn structured_m(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the function only looks at bits.
        Ok(unsafe { mlirSparseTensorEncodingAttrGetStructuredM(last_level(slf)?) })
    }

    /// The formats of the levels.
    #[getter]
    fn lvl_formats_enum(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        let py = slf.py();
        let class = LEVEL_FORMAT
            .get(py)
            .ok_or_else(|| PyValueError::new_err("LevelFormat is not set up"))?;
        let levels = Self::lvl_types(slf)?;
        let formats = levels.into_iter().map(|level| level & FORMAT_BITS);
        formats.map(|format| class.call1(py, (format,))).collect()
    }
}

/// The type of the last level, which may be `n_out_of_m`.
fn last_level(slf: &Bound<'_, EncodingAttr>) -> PyResult<u64> {
    let last = EncodingAttr::lvl_types(slf)?.pop();
    last.ok_or_else(|| PyIndexError::new_err("the encoding has no levels"))
}

/// Makes an enumeration whose members print as their names, as upstream's do.
fn enumeration<'py>(
    module: &Bound<'py, PyModule>,
    kind: &str,
    name: &str,
    members: &[(&str, u32)],
    known: &'static PyOnceLock<Py<PyAny>>,
) -> PyResult<()> {
    let py = module.py();
    let class = known.get_or_try_init(py, || {
        let enums = py.import("enum")?;
        let options = PyDict::new(py);
        options.set_item("module", module.name()?)?;
        let class = enums
            .getattr(kind)?
            .call((name, members.to_vec()), Some(&options))?;
        // Upstream's members of a set of flags print as numbers, others by their names.
        let text = match kind {
            "IntFlag" => py.import("builtins")?.getattr("int")?.getattr("__repr__")?,
            _ => enums.getattr("Enum")?.getattr("__str__")?,
        };
        class.setattr("__str__", &text)?;
        class.setattr("__repr__", text)?;
        Ok::<_, PyErr>(class.unbind())
    })?;
    module.setattr(name, class)
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    enumeration(module, "IntFlag", "LevelFormat", FORMATS, &LEVEL_FORMAT)?;
    enumeration(module, "Enum", "LevelProperty", PROPERTIES, &LEVEL_PROPERTY)?;
    let class =
        derived_class::publish::<EncodingAttr>(module, Attribute::layout().class(module.py())?)?;
    cast_like(&class, mlirGetDialectHandle__sparse_tensor__, |context| {
        let dense = u64::from(MLIR_SPARSE_TENSOR_LEVEL_DENSE);
        // SAFETY: the context is live and has the dialect, and there is one level.
        unsafe {
            mlirAttributeGetTypeID(mlirSparseTensorEncodingAttrGet(
                context,
                1,
                [dense].as_ptr(),
                NO_MAP,
                NO_MAP,
                0,
                0,
                NO_ATTRIBUTE,
                NO_ATTRIBUTE,
            ))
        }
    })
}
