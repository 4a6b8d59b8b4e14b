//! The methods of `OpView`: its two constructors, its class methods and its getters.

use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyList, PyString, PyType};

use super::classes::OpView;
use super::generic::{self, Parts};
use super::methods;
use super::traits;
use crate::interop::conversion_errors::bad_cast_of;
use crate::ir::arguments::elements;
use crate::ir::context_stack;
use crate::ir::lists::blocks::OpSuccessors;
use crate::ir::location::Location;
use crate::ir::printing::one_line;
use crate::ir::traceback;
use crate::ownership::block::Block;
use crate::ownership::context::Context;
use crate::ownership::operation::{OperationBase, bind, operation_of, view_of};

/// The arguments of the longer form of `__init__`, in order. The type of the first one tells the two forms
/// apart.
const ARGUMENTS: [&str; 11] = [
    "name",
    "opRegionSpec",
    "operandSegmentSpecObj",
    "resultSegmentSpecObj",
    "results",
    "operands",
    "attributes",
    "successors",
    "regions",
    "loc",
    "ip",
];

/// Both forms of `__init__` as one signature; `operation` may be given by position as well.
pub(super) const SIGNATURE: &str = "(name=..., opRegionSpec=..., operandSegmentSpecObj=None, \
    resultSegmentSpecObj=None, results=None, operands=None, attributes=None, successors=None, \
    regions=None, loc=None, ip=None, *, operation=...)";

/// [`ARGUMENTS`] as interned strings. Keyword names are interned by CPython, so that comparing addresses
/// mostly suffices.
static NAMES: PyOnceLock<[Py<PyString>; ARGUMENTS.len()]> = PyOnceLock::new();

/// The keyword arguments of the generated constructors in the order in which those pass them, as indices of
/// [`ARGUMENTS`].
const USUAL_ORDER: [usize; 7] = [6, 4, 5, 7, 8, 9, 10];

/// The index of the argument with the name `key`, the keyword argument with the number `number`. The place
/// that it usually has is looked at first, which spares the search.
#[inline]
fn position(
    names: &[Py<PyString>; ARGUMENTS.len()],
    number: usize,
    key: Borrowed<'_, '_, PyAny>,
) -> PyResult<Option<usize>> {
    let is_at = |index: usize| names[index].as_ptr() == key.as_ptr();
    let usual = USUAL_ORDER.get(number).copied();
    if let Some(index) = usual.filter(|index| is_at(*index)) {
        return Ok(Some(index));
    }
    if let Some(index) = (0..ARGUMENTS.len()).find(|index| is_at(*index)) {
        return Ok(Some(index));
    }
    let key = key.cast::<PyString>()?;
    let key = key.to_str()?;
    Ok(ARGUMENTS.iter().position(|name| *name == key))
}

/// `OpView.__init__(operation)` and `OpView.__init__(name, opRegionSpec, …)`, with the positional and the
/// keyword arguments.
pub(super) fn init<'a, 'py: 'a>(
    this: &Bound<'py, OperationBase>,
    args: impl ExactSizeIterator<Item = Borrowed<'a, 'py, PyAny>>,
    named: impl ExactSizeIterator<Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)>,
) -> PyResult<()> {
    let py = this.py();
    let (alone, named_alone) = (
        (args.len(), named.len()) == (1, 0),
        (args.len(), named.len()) == (0, 1),
    );
    let mut given = [None; ARGUMENTS.len()];
    if args.len() > ARGUMENTS.len() {
        return Err(PyTypeError::new_err(
            "incompatible function arguments: OpView() takes at most 11 arguments",
        ));
    }
    for (slot, argument) in given.iter_mut().zip(args) {
        *slot = Some(argument);
    }
    if alone && let Some(operation) = given[0] {
        return of_operation(this, operation);
    }
    let names = NAMES.get_or_init(py, || {
        ARGUMENTS.map(|name| PyString::intern(py, name).unbind())
    });
    for (number, (key, value)) in named.enumerate() {
        if named_alone && key.cast::<PyString>()?.to_str()? == "operation" {
            return of_operation(this, value);
        }
        match position(names, number, key)?.map(|index| &mut given[index]) {
            Some(slot) if slot.is_none() => *slot = Some(value),
            Some(_) => {
                return Err(PyTypeError::new_err(format!(
                    "OpView() got multiple values for argument '{}'",
                    *key
                )));
            }
            None => {
                return Err(PyTypeError::new_err(format!(
                    "OpView() got an unexpected keyword argument '{}'",
                    *key
                )));
            }
        }
    }
    let given = given.map(|argument| argument.filter(|argument| !argument.is_none()));
    let take = |index: usize| given[index].map(Borrowed::to_owned);
    let missing = |what: &str| {
        PyTypeError::new_err(format!(
            "incompatible function arguments: OpView() is missing its argument '{what}'"
        ))
    };
    let name = given[0].ok_or_else(|| missing("name"))?;
    let name = name.cast::<PyString>()?;
    let name = name.to_str()?;
    let regions_spec = given[1].ok_or_else(|| missing("opRegionSpec"))?;
    let parts = Parts {
        name,
        regions_spec: regions_spec.extract()?,
        operand_segments: given[2].map(Borrowed::extract).transpose()?,
        result_segments: given[3].map(Borrowed::extract).transpose()?,
        results: list(take(4))?,
        operands: list(take(5))?,
        attributes: take(6).map(Bound::cast_into::<PyDict>).transpose()?,
        successors: given[7].map(Borrowed::extract).transpose()?,
        regions: given[8].map(Borrowed::extract).transpose()?,
    };
    let location = take(9).map(Bound::cast_into::<Location>).transpose()?;
    let location = traceback::resolve_location(py, location)?.into_bound(py);
    let ip = take(10);
    let operation = generic::build(parts, &location, ip.as_ref())?;
    bind(py, this.get(), &operation);
    Ok(())
}

/// The shorter form of `__init__`, with an existing operation.
fn of_operation(
    this: &Bound<'_, OperationBase>,
    operation: Borrowed<'_, '_, PyAny>,
) -> PyResult<()> {
    let operation = operation
        .cast::<OperationBase>()
        .map_err(|_| bad_cast_of(&operation, "an operation"))?;
    let operation = operation_of(&operation)?;
    operation.get().get(this.py())?;
    bind(this.py(), this.get(), &operation);
    Ok(())
}

/// Converts an optional sequence to a list.
#[inline]
fn list<'py>(object: Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyList>>> {
    object
        .map(|object| match object.cast_into::<PyList>() {
            Ok(list) => Ok(list),
            Err(error) => {
                let object = error.into_inner();
                PyList::new(
                    object.py(),
                    elements(&object)?.collect::<PyResult<Vec<_>>>()?,
                )
            }
        })
        .transpose()
}

#[pymethods]
impl OpView {
    /// The operation that this is a view of.
    #[getter]
    fn operation(slf: &Bound<'_, Self>) -> PyResult<Py<OperationBase>> {
        operation_of(slf.as_super())
    }

    /// The view itself.
    #[getter(opview)]
    fn itself(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The blocks that control may go to from here.
    #[getter]
    fn successors<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OpSuccessors>> {
        OpSuccessors::new(slf.py(), operation_of(slf.as_super())?)
    }

    /// Marks the object as invalid, for code that knows better than the hooks of the library.
    fn _set_invalid(slf: &Bound<'_, Self>) -> PyResult<()> {
        slf.as_super().get().mark_invalid(slf.py())
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        methods::text(slf.py(), slf.as_super().get())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        one_line(slf, slf.as_super().get())
    }

    /// Builds an operation from what the class says of it (`OPERATION_NAME`, `_ODS_REGIONS`,
    /// `_ODS_OPERAND_SEGMENTS`, `_ODS_RESULT_SEGMENTS`).
    #[classmethod]
    #[pyo3(signature = (results = None, operands = None, attributes = None, successors = None,
                        regions = None, loc = None, ip = None))]
    #[expect(clippy::too_many_arguments, reason = "upstream's")]
    fn build_generic<'py>(
        cls: &Bound<'py, PyType>,
        results: Option<Bound<'py, PyAny>>,
        operands: Option<Bound<'py, PyAny>>,
        attributes: Option<Bound<'py, PyDict>>,
        successors: Option<Vec<Option<Bound<'py, Block>>>>,
        regions: Option<usize>,
        loc: Option<Bound<'py, Location>>,
        ip: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let py = cls.py();
        let name: String = cls.getattr("OPERATION_NAME")?.extract()?;
        let parts = Parts {
            name: &name,
            regions_spec: cls.getattr("_ODS_REGIONS")?.extract()?,
            operand_segments: cls.getattr("_ODS_OPERAND_SEGMENTS")?.extract()?,
            result_segments: cls.getattr("_ODS_RESULT_SEGMENTS")?.extract()?,
            results: list(results)?,
            operands: list(operands)?,
            attributes,
            successors,
            regions,
        };
        let location = traceback::resolve_location(py, loc)?.into_bound(py);
        let operation = generic::build(parts, &location, ip.as_ref())?;
        Ok(operation.into_any())
    }

    /// Returns whether the operations of the class have a trait, which is given as its class.
    #[classmethod]
    #[pyo3(signature = (trait_cls, context = None))]
    fn has_trait(
        cls: &Bound<'_, PyType>,
        trait_cls: &Bound<'_, PyType>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<bool> {
        let name: String = cls.getattr("OPERATION_NAME")?.extract()?;
        let context = context_stack::resolve_context(cls.py(), context)?;
        traits::has_trait(cls.py(), &context, &name, trait_cls)
    }

    /// Parses an operation, which must be of the kind of the class.
    #[classmethod]
    #[pyo3(signature = (source, *, source_name = "", context = None))]
    fn parse(
        cls: &Bound<'_, PyType>,
        source: &Bound<'_, PyAny>,
        source_name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let py = cls.py();
        let operation = methods::parse(py, source, source_name, context)?;
        let found = operation.get().read(py, |op| op.name().to_text())?;
        let wanted: String = cls.getattr("OPERATION_NAME")?.extract()?;
        if wanted != found {
            return Err(crate::ir::error::plain(
                py,
                &format!("Expected a '{wanted}' op, got: '{found}'"),
            ));
        }
        let view = view_of(py, &operation)?;
        if view.bind(py).is_instance(cls)? {
            return Ok(view);
        }
        // Another class than `cls` is registered for the operation's name.
        cls.call_method1("__new__", (cls,))?
            .cast_into::<OperationBase>()
            .map_err(|_| PyValueError::new_err("the class is not derived from OpView"))
            .map(|made| {
                bind(py, made.get(), &operation);
                made.into_any().unbind()
            })
    }
}
