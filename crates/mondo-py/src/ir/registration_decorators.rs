//! The part of `_mlir` for dialects written in Python: `globals`, and the decorators that register classes,
//! casters and attribute builders. `interop` has the registries.

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyCFunction, PyDict, PyModule, PyTuple, PyType};

use crate::interop::casters;
use crate::interop::registered_classes;
use crate::interop::submodules;
use crate::ir::attribute::Attribute;
use crate::ir::traceback;
use crate::ir::types::{Type, TypeID};
use crate::ownership::storage_wrapper;

/// Adds the functions and classes of this file to `_mlir`.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    submodules::add_class(module, py.get_type::<Globals>())?;
    module.add("globals", Py::new(py, Globals)?)?;
    let typing = py.import("typing")?.getattr("TypeVar")?;
    for name in ["T", "U"] {
        module.add(name, typing.call1((name,))?)?;
    }
    module.add_function(wrap_pyfunction!(register_dialect, module)?)?;
    module.add_function(wrap_pyfunction!(register_operation, module)?)?;
    module.add_function(wrap_pyfunction!(register_op_adaptor, module)?)?;
    module.add_function(wrap_pyfunction!(register_type_caster, module)?)?;
    module.add_function(wrap_pyfunction!(register_value_caster, module)?)
}

/// The registry of the whole process.
#[pyclass(frozen, subclass, name = "_Globals")]
pub(crate) struct Globals;

#[pymethods]
impl Globals {
    /// The packages in which modules of dialects are looked for.
    #[getter]
    fn get_dialect_search_modules(&self, py: Python<'_>) -> Vec<String> {
        registered_classes::dialect_search_prefixes(py)
    }

    #[setter]
    fn set_dialect_search_modules(&self, py: Python<'_>, modules: Vec<String>) {
        registered_classes::set_dialect_search_prefixes(modules);
        casters::forget_misses(py);
    }

    /// Looks for modules of dialects in one more package.
    fn append_dialect_search_prefix(&self, py: Python<'_>, module_name: String) {
        let mut prefixes = registered_classes::dialect_search_prefixes(py);
        prefixes.push(module_name);
        registered_classes::set_dialect_search_prefixes(prefixes);
        casters::forget_misses(py);
    }

    /// Loads the Python module of a dialect. Returns whether there is one.
    fn _check_dialect_module_loaded(
        &self,
        py: Python<'_>,
        dialect_namespace: &str,
    ) -> PyResult<bool> {
        registered_classes::load_dialect_module(py, dialect_namespace)
    }

    /// Makes a class the one for a dialect.
    #[pyo3(signature = (dialect_namespace, dialect_class, *, replace = false))]
    fn _register_dialect_impl(
        &self,
        dialect_namespace: &str,
        dialect_class: Bound<'_, PyAny>,
        replace: bool,
    ) -> PyResult<()> {
        registered_classes::register_dialect(dialect_namespace, dialect_class.unbind(), replace)
    }

    /// Makes a class the one for operations of a name.
    #[pyo3(signature = (operation_name, operation_class, *, replace = false))]
    fn _register_operation_impl(
        &self,
        operation_name: &str,
        operation_class: Bound<'_, PyType>,
        replace: bool,
    ) -> PyResult<()> {
        registered_classes::register_operation(operation_name, operation_class.unbind(), replace)
    }

    /// Returns whether new operations get locations of the Python code that makes them.
    fn loc_tracebacks_enabled(&self) -> bool {
        traceback::enabled()
    }

    /// Switches on or off that new operations get locations of the Python code that makes them.
    fn set_loc_tracebacks_enabled(&self, enabled: bool) {
        traceback::set_enabled(enabled);
    }

    /// The greatest number of frames of such a location.
    fn loc_tracebacks_frame_limit(&self) -> usize {
        traceback::frame_limit()
    }

    /// Limits the frames of such locations; none takes the limit away.
    #[pyo3(signature = (arg))]
    fn set_loc_tracebacks_frame_limit(&self, arg: Option<i64>) {
        traceback::set_frame_limit(arg);
    }

    /// Takes frames of files whose names begin like this into such locations.
    fn register_traceback_file_inclusion(&self, filename: &str) {
        traceback::include_files(filename);
    }

    /// Leaves frames of files whose names begin like this out of such locations.
    fn register_traceback_file_exclusion(&self, filename: &str) {
        traceback::exclude_files(filename);
    }
}

/// Class decorator that registers the class of a dialect, by its `DIALECT_NAMESPACE`.
#[pyfunction]
fn register_dialect(dialect_class: Bound<'_, PyType>) -> PyResult<Bound<'_, PyType>> {
    let namespace: String = dialect_class.getattr("DIALECT_NAMESPACE")?.extract()?;
    registered_classes::register_dialect(
        &namespace,
        dialect_class.clone().unbind().into_any(),
        false,
    )?;
    Ok(dialect_class)
}

/// A decorator that calls `register` with its argument and returns the argument.
fn decorator<'py>(
    py: Python<'py>,
    register: impl Fn(&Bound<'_, PyAny>) -> PyResult<()> + Send + Sync + 'static,
) -> PyResult<Bound<'py, PyCFunction>> {
    PyCFunction::new_closure(
        py,
        None,
        None,
        move |args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>| {
            let (given,): (Bound<'_, PyAny>,) = args.extract()?;
            register(&given)?;
            Ok::<_, PyErr>(given.unbind())
        },
    )
}

/// Makes a class decorator that registers the class of an operation, by its `OPERATION_NAME`, and
/// puts it into the class of its dialect.
#[pyfunction]
#[pyo3(signature = (dialect_class, *, replace = false))]
fn register_operation<'py>(
    dialect_class: Bound<'py, PyType>,
    replace: bool,
) -> PyResult<Bound<'py, PyCFunction>> {
    let py = dialect_class.py();
    let dialect_class = dialect_class.unbind();
    decorator(py, move |given| {
        let class = given.cast::<PyType>()?;
        let name: String = class.getattr("OPERATION_NAME")?.extract()?;
        registered_classes::register_operation(&name, class.clone().unbind(), replace)?;
        dialect_class.bind(given.py()).setattr(class.name()?, class)
    })
}

/// Makes a class decorator that registers the class of an operation's adaptors, by its `OPERATION_NAME`, and makes it the
/// `Adaptor` of the operation's class.
#[pyfunction]
#[pyo3(signature = (op_class, *, replace = false))]
fn register_op_adaptor<'py>(
    op_class: Bound<'py, PyType>,
    replace: bool,
) -> PyResult<Bound<'py, PyCFunction>> {
    let py = op_class.py();
    let op_class = op_class.unbind();
    decorator(py, move |given| {
        let class = given.cast::<PyType>()?;
        let name: String = class.getattr("OPERATION_NAME")?.extract()?;
        registered_classes::register_op_adaptor(&name, class.clone().unbind(), replace)?;
        op_class.bind(given.py()).setattr("Adaptor", class)
    })
}

fn require_callable(given: &Bound<'_, PyAny>) -> PyResult<()> {
    if given.is_callable() {
        return Ok(());
    }
    Err(PyTypeError::new_err("a caster has to be callable"))
}

/// Makes a decorator that registers what types and attributes of a kind become.
#[pyfunction]
#[pyo3(signature = (typeid, *, replace = false))]
fn register_type_caster<'py>(
    py: Python<'py>,
    typeid: &Bound<'py, TypeID>,
    replace: bool,
) -> PyResult<Bound<'py, PyCFunction>> {
    let typeid = typeid.clone().unbind();
    decorator(py, move |given| {
        require_callable(given)?;
        let typeid = typeid.get().key();
        casters::register_type_caster(typeid, given.clone(), replace)?;
        storage_wrapper::forget::<Type>(given.py(), typeid);
        storage_wrapper::forget::<Attribute>(given.py(), typeid);
        Ok(())
    })
}

/// Makes a decorator that registers what values whose type is of a kind become.
#[pyfunction]
#[pyo3(signature = (typeid, *, replace = false))]
fn register_value_caster<'py>(
    py: Python<'py>,
    typeid: &Bound<'py, TypeID>,
    replace: bool,
) -> PyResult<Bound<'py, PyCFunction>> {
    let typeid = typeid.clone().unbind();
    decorator(py, move |given| {
        require_callable(given)?;
        casters::register_value_caster(typeid.get().key(), given.clone(), replace)
    })
}

/// The functions that make attributes of Python values, by the kind of the attribute.
#[pyclass(frozen, subclass)]
pub(crate) struct AttrBuilder;

#[pymethods]
impl AttrBuilder {
    /// Returns whether there is a function for a kind.
    #[staticmethod]
    fn contains(py: Python<'_>, attribute_kind: &str) -> bool {
        registered_classes::attribute_builder(py, attribute_kind).is_some()
    }

    /// The function for a kind.
    #[staticmethod]
    fn get(py: Python<'_>, attribute_kind: &str) -> PyResult<Py<PyAny>> {
        registered_classes::attribute_builder(py, attribute_kind)
            .ok_or_else(|| PyKeyError::new_err(attribute_kind.to_owned()))
    }

    /// Makes a function the one for a kind.
    #[staticmethod]
    ///
    /// With ``allow_existing``, one that is registered already stays.
    #[pyo3(signature = (attribute_kind, attr_builder, replace = false, allow_existing = false))]
    fn insert(
        attribute_kind: &str,
        attr_builder: Bound<'_, PyAny>,
        replace: bool,
        allow_existing: bool,
    ) -> PyResult<()> {
        if !attr_builder.is_callable() {
            return Err(PyTypeError::new_err(
                "an attribute builder has to be callable",
            ));
        }
        let py = attr_builder.py();
        if allow_existing && registered_classes::attribute_builder(py, attribute_kind).is_some() {
            return Ok(());
        }
        registered_classes::register_attribute_builder(
            py,
            attribute_kind,
            attr_builder.unbind(),
            replace,
        )
    }
}
