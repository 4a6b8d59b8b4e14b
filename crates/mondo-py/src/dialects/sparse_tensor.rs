//! `_mlirDialectsSparseTensor`: the encoding of sparse tensors; and `_mlirSparseTensorPasses`.

use mondo_ir::declarations::mlirAttributeGetTypeID;
use mondo_ir::dialects::sparse_tensor as c;
use mondo_ir::dialects::sparse_tensor::LevelType;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyModule};

use super::type_publication::{cast_like, refused};
use crate::affine::AffineMap;
use crate::ir::arguments::{Int, each, integer, maybe_within};
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::{self, attribute_kind, checked, read_attribute, with_attribute};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The enumerations `LevelFormat` and `LevelProperty`.
static LEVEL_FORMAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static LEVEL_PROPERTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Converts bits to the type of a level; fails if MLIR has no such type.
fn level_type(bits: u64) -> PyResult<LevelType> {
    LevelType::from_bits(bits).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{bits:#x} is not the type of a level: make one with build_level_type"
        ))
    })
}

/// The encoding of a sparse tensor.
#[pyclass(frozen, subclass, extends = Attribute)]
struct EncodingAttr;

attribute_kind!(EncodingAttr: c::Encoding, name: c::mlirSparseTensorEncodingAttrGetName);

/// The wrapper of an optional parameter of an encoding.
macro_rules! part {
    ($slf:ident, $get:path) => {
        with_attribute($slf, |ctx, of| {
            $get(of).map(|part| ctx.wrap(part)).transpose()
        })
    };
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
        let context = context_stack::resolve_context(py, context)?;
        let mut levels: Vec<LevelType> = Vec::new();
        each(lvl_types, |level| {
            levels.push(level_type(integer(&level)?)?);
            Ok(())
        })?;
        if levels.is_empty() {
            return Err(PyValueError::new_err("there has to be at least one level"));
        }
        Context::enter(py, &context, |ctx| {
            let sparse = ctx.with_dialect();
            let map = |given: Option<&Bound<'_, AffineMap>>| {
                given.map(|map| map.get().within(ctx)).transpose()
            };
            let forth = map(dim_to_lvl)?;
            let back = map(lvl_to_dim)?;
            if let Some(forth) = forth {
                c::check_map(forth, levels.len()).map_err(|cause| refused(&cause))?;
            }
            let parameters = c::Parameters {
                dim_to_lvl: forth,
                pos_width: pos_width.0,
                crd_width: crd_width.0,
                explicit: maybe_within(explicit_val, ctx)?,
                implicit: maybe_within(implicit_val, ctx)?,
            };
            let attribute = checked(ctx, "Invalid attribute", || {
                sparse.encoding(&levels, parameters)
            })?;
            if back.is_some() && back != c::mlirSparseTensorEncodingAttrGetLvlToDim(attribute) {
                return Err(PyValueError::new_err(
                    "expected lvl_to_dim to be an inverse of dim_to_lvl",
                ));
            }
            ctx.wrap(attribute)
        })
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
        level_type(bits | LevelType::structure_bits(n.0, m.0)).map(LevelType::bits)
    }

    /// The types of the levels.
    #[getter]
    fn lvl_types(slf: &Bound<'_, Self>) -> PyResult<Vec<u64>> {
        let levels = read_attribute(slf, |attribute| attribute.levels())?;
        Ok(levels.into_iter().map(LevelType::bits).collect())
    }

    /// The map from the coordinates of the dimensions to those of the levels.
    #[getter]
    fn dim_to_lvl(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part!(slf, c::mlirSparseTensorEncodingAttrGetDimToLvl)
    }

    /// The map from the coordinates of the levels to those of the dimensions.
    #[getter]
    fn lvl_to_dim(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part!(slf, c::mlirSparseTensorEncodingAttrGetLvlToDim)
    }

    /// The number of bits that a position is stored in; 0 is as many as an address.
    #[getter]
    fn pos_width(slf: &Bound<'_, Self>) -> PyResult<i32> {
        read_attribute(slf, |attribute| {
            c::mlirSparseTensorEncodingAttrGetPosWidth(attribute)
        })
    }

    /// The number of bits that a coordinate is stored in; 0 is as many as an address.
    #[getter]
    fn crd_width(slf: &Bound<'_, Self>) -> PyResult<i32> {
        read_attribute(slf, |attribute| {
            c::mlirSparseTensorEncodingAttrGetCrdWidth(attribute)
        })
    }

    /// The value that all stored elements have.
    #[getter]
    fn explicit_val(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part!(slf, c::mlirSparseTensorEncodingAttrGetExplicitVal)
    }

    /// The value of what is not stored.
    #[getter]
    fn implicit_val(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        part!(slf, c::mlirSparseTensorEncodingAttrGetImplicitVal)
    }

    /// The number of elements of a block that are stored, if the last level is `n_out_of_m`.
    #[getter]
    fn structured_n(slf: &Bound<'_, Self>) -> PyResult<u32> {
        last_level(slf).map(|level| c::mlirSparseTensorEncodingAttrGetStructuredN(level))
    }

    /// The number of elements of a block, if the last level is `n_out_of_m`.
    #[getter]
    fn structured_m(slf: &Bound<'_, Self>) -> PyResult<u32> {
        last_level(slf).map(|level| c::mlirSparseTensorEncodingAttrGetStructuredM(level))
    }

    /// The formats of the levels.
    #[getter]
    fn lvl_formats_enum(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        let py = slf.py();
        let class = LEVEL_FORMAT
            .get(py)
            .ok_or_else(|| PyValueError::new_err("LevelFormat is not set up"))?;
        let levels = read_attribute(slf, |attribute| attribute.levels())?;
        let formats = levels.into_iter().map(LevelType::format_bits);
        formats.map(|format| class.call1(py, (format,))).collect()
    }
}

/// The type of the last level, the only one that may be `n_out_of_m`.
fn last_level(slf: &Bound<'_, EncodingAttr>) -> PyResult<LevelType> {
    let last = read_attribute(slf, |attribute| attribute.levels())?.pop();
    last.ok_or_else(|| PyIndexError::new_err("the encoding has no levels"))
}

/// Makes an enumeration whose members print as upstream's.
fn enumeration<'py>(
    module: &Bound<'py, PyModule>,
    kind: &str,
    (name, doc): (&str, &str),
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
        // Upstream's members of an `IntFlag` print as numbers, those of other enumerations by their names.
        let text = match kind {
            "IntFlag" => py.import("builtins")?.getattr("int")?.getattr("__repr__")?,
            _ => enums.getattr("Enum")?.getattr("__str__")?,
        };
        class.setattr("__doc__", doc)?;
        class.setattr("__str__", &text)?;
        class.setattr("__repr__", text)?;
        Ok::<_, PyErr>(class.unbind())
    })?;
    module.setattr(name, class)
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    enumeration(
        module,
        "IntFlag",
        (
            "LevelFormat",
            "The form in which a level stores its coordinates.",
        ),
        c::FORMATS,
        &LEVEL_FORMAT,
    )?;
    enumeration(
        module,
        "Enum",
        (
            "LevelProperty",
            "A property of a level that is not the default.",
        ),
        c::PROPERTIES,
        &LEVEL_PROPERTY,
    )?;
    let class =
        derived_class::publish::<EncodingAttr>(module, Attribute::layout().class(module.py())?)?;
    cast_like(&class, |ctx| {
        let sparse = ctx.with_dialect::<c::SparseTensor>();
        let example = sparse.encoding(&[LevelType::DENSE], c::Parameters::default());
        mlirAttributeGetTypeID(example.expect("a level may be dense").any())
    })
}
