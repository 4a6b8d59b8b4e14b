//! `InferTypeOpInterface`, `InferShapedTypeOpInterface`: the inference of an operation's
//! results.

use std::ffi::c_void;
use std::ptr;

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList, PyTuple};

use crate::interop::late::Late;
use crate::interop::string::{string_ref, to_string};
use crate::ir::attribute::Attribute;
use crate::ir::current;
use crate::ir::location::Location;
use crate::ir::operation::inference;
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::region::Region;
use crate::ownership::value::Value;
use crate::ownership::wrapper::Wrapper;

/// The operation or class that an interface was made for.
struct Subject {
    /// None where it was made for a class.
    operation: Option<Py<OperationBase>>,
    name: String,
}

impl Subject {
    fn new(
        object: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
        interface: MlirTypeID,
        class: &str,
    ) -> PyResult<Self> {
        let py = object.py();
        let (subject, implements) = if let Ok(operation) = object.cast::<OperationBase>() {
            let operation = operation::operation_of(operation)?;
            let raw = operation.get().get(py)?;
            // SAFETY: the operation is live, and so is its name.
            unsafe {
                let name = to_string(mlirIdentifierStr(mlirOperationGetName(raw)));
                let subject = Self {
                    operation: Some(operation),
                    name,
                };
                (subject, mlirOperationImplementsInterface(raw, interface))
            }
        } else {
            let name: String = object.getattr("OPERATION_NAME")?.extract().map_err(|_| {
                PyTypeError::new_err("Op interface does not refer to an operation or OpView class")
            })?;
            let context = current::resolve_context(py, context)?;
            let raw = context.get().get(py)?;
            // SAFETY: the context is live, and the name is only read.
            let implements = unsafe {
                mlirOperationImplementsInterfaceStatic(string_ref(&name), raw, interface)
            };
            let subject = Self {
                operation: None,
                name,
            };
            (subject, implements)
        };
        if implements {
            return Ok(subject);
        }
        Err(PyValueError::new_err(format!(
            "the operation does not implement {class}"
        )))
    }

    fn operation(&self, py: Python<'_>) -> PyResult<Py<OperationBase>> {
        self.operation
            .as_ref()
            .map(|operation| operation.clone_ref(py))
            .ok_or_else(|| PyTypeError::new_err("Cannot get an operation from a static interface"))
    }

    fn opview(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.operation {
            Some(operation) => operation::view_of(py, operation),
            None => Err(PyTypeError::new_err(
                "Cannot get an opview from a static interface",
            )),
        }
    }
}

/// The parts of an operation whose results are inferred.
struct Parts {
    context: Py<Context>,
    raw_context: MlirContext,
    location: MlirLocation,
    operands: Vec<MlirValue>,
    attributes: MlirAttribute,
    regions: Vec<MlirRegion>,
}

impl Parts {
    fn new(
        py: Python<'_>,
        operands: Option<&Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, Attribute>>,
        properties: Option<&Bound<'_, PyAny>>,
        regions: Option<Vec<Bound<'_, Region>>>,
        context: Option<Bound<'_, Context>>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        let raw_context = context.get().get(py)?;
        let location = current::resolve_location(py, loc)?;
        let location = location.get().get_in(py, &context)?;
        if properties.is_some() {
            return Err(PyTypeError::new_err(
                "properties have no form in Python; give them as attributes",
            ));
        }
        let attributes = match attributes {
            Some(attributes) => attributes.get().get_in(py, &context)?,
            None => MlirAttribute { ptr: ptr::null() },
        };
        // SAFETY: the attribute is live where it is not null.
        if !attributes.ptr.is_null() && !unsafe { mlirAttributeIsADictionary(attributes) } {
            return Err(PyTypeError::new_err("attributes must be a DictAttr"));
        }
        let regions = regions
            .unwrap_or_default()
            .iter()
            .map(|region| region.get().get(py))
            .collect::<PyResult<_>>()?;
        Ok(Self {
            operands: operands_of(operands, &context)?,
            context,
            raw_context,
            location,
            attributes,
            regions,
        })
    }
}

/// Flattens a list of values, of sequences of values and of `None`.
fn operands_of(
    given: Option<&Bound<'_, PyAny>>,
    context: &Py<Context>,
) -> PyResult<Vec<MlirValue>> {
    let mut found = Vec::new();
    let Some(given) = given else {
        return Ok(found);
    };
    let py = given.py();
    for (index, item) in given.try_iter()?.enumerate() {
        let item = item?;
        let wrong = || {
            PyValueError::new_err(format!(
                "Operand {index} must be a Value or Sequence of Values ({})",
                item.get_type()
            ))
        };
        if item.is_none() {
            continue;
        }
        if let Ok(value) = item.cast::<Value>() {
            found.push(value.get().get_in(py, context)?);
            continue;
        }
        for value in item.try_iter().map_err(|_| wrong())? {
            let value = value?;
            let value = value.cast::<Value>().map_err(|_| wrong())?;
            found.push(value.get().get_in(py, context)?);
        }
    }
    Ok(found)
}

/// Defines the methods that both interfaces have, and those that are given.
macro_rules! interface_methods {
    ($class:ident, $type_id:ident, { $($more:item)* }) => {
        #[pymethods]
        impl $class {
            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                visit.call(self.subject.known().and_then(|subject| subject.operation.as_ref()))
            }

            /// For an operation, or for a class of operations; raises `ValueError` if they do not have it.
            #[new]
            #[pyo3(signature = (*_args, **_kwargs), text_signature = "(object, context=None)")]
            fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
                Self {
                    subject: Late::empty(),
                }
            }

            #[pyo3(signature = (object, context = None))]
            fn __init__(
                &self,
                object: &Bound<'_, PyAny>,
                context: Option<Bound<'_, Context>>,
            ) -> PyResult<()> {
                // SAFETY: there is no precondition.
                let interface = unsafe { $type_id() };
                let subject = Subject::new(object, context, interface, stringify!($class))?;
                self.subject.set(subject)
            }

            /// The operation that it was made for.
            #[getter]
            fn operation(&self, py: Python<'_>) -> PyResult<Py<OperationBase>> {
                self.subject.get()?.operation(py)
            }

            /// The operation that it was made for, as the class that fits it best.
            #[getter]
            fn opview(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.subject.get()?.opview(py)
            }

            $($more)*
        }
    };
}

/// Knows the types of an operation's results from what it is made of.
#[pyclass(frozen, subclass)]
pub(crate) struct InferTypeOpInterface {
    subject: Late<Subject>,
}

interface_methods!(InferTypeOpInterface, mlirInferTypeOpInterfaceTypeID, {
    /// The types of the results; raises `ValueError` if there are none that fit.
    #[pyo3(name = "inferReturnTypes", signature = (operands = None, attributes = None,
        properties = None, regions = None, context = None, loc = None))]
    #[expect(clippy::too_many_arguments, reason = "upstream's")]
    fn infer_return_types(
        &self,
        py: Python<'_>,
        operands: Option<&Bound<'_, PyAny>>,
        attributes: Option<&Bound<'_, Attribute>>,
        properties: Option<&Bound<'_, PyAny>>,
        regions: Option<Vec<Bound<'_, Region>>>,
        context: Option<Bound<'_, Context>>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        unsafe extern "C" fn append(count: isize, types: *mut MlirType, found: *mut c_void) {
            // SAFETY: `found` is the vector below, and there are as many types as MLIR says.
            unsafe {
                let found = &mut *found.cast::<Vec<MlirType>>();
                for index in 0..count.max(0) {
                    found.push(*types.offset(index));
                }
            }
        }
        let mut parts = Parts::new(py, operands, attributes, properties, regions, context, loc)?;
        let name = &self.subject.get()?.name;
        let (attributes, regions) = (|| parts.attributes, parts.regions.len());
        let mut found: Vec<MlirType> = Vec::new();
        // SAFETY: everything is live and of the one context, and the counts are those of the arrays,
        // whose lengths fit `isize`.
        let inferred = unsafe {
            inference::check(
                py,
                name,
                parts.location,
                &parts.operands,
                attributes,
                regions,
            )?;
            mlirInferTypeOpInterfaceInferReturnTypes(
                string_ref(name),
                parts.raw_context,
                parts.location,
                parts.operands.len() as isize,
                parts.operands.as_mut_ptr(),
                parts.attributes,
                ptr::null_mut(),
                parts.regions.len() as isize,
                parts.regions.as_mut_ptr(),
                Some(append),
                (&raw mut found).cast(),
            )
        };
        if inferred.value == 0 {
            return Err(PyValueError::new_err("Failed to infer result types"));
        }
        // Upstream's are of the base class, whatever their kind.
        let base = Type::layout().class(py)?;
        found
            .into_iter()
            .map(|raw| {
                // SAFETY: MLIR made the types in this context.
                let found = unsafe { types::wrap(py, &parts.context, raw)? };
                base.call1((found,)).map(Bound::unbind)
            })
            .collect()
    }
});

/// The parts of a shaped type.
#[pyclass(frozen, subclass)]
pub(crate) struct ShapedTypeComponents {
    element_type: Option<Py<PyAny>>,
    /// None without a rank.
    shape: Option<Py<PyList>>,
}

#[pymethods]
impl ShapedTypeComponents {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.element_type)?;
        visit.call(&self.shape)
    }

    /// `get(element_type)`, `get(shape, element_type)`, `get(shape, element_type, attribute)`.
    #[staticmethod]
    #[pyo3(signature = (*args, shape = None, element_type = None, attribute = None))]
    fn get(
        args: &Bound<'_, PyTuple>,
        shape: Option<Bound<'_, PyList>>,
        element_type: Option<Bound<'_, Type>>,
        attribute: Option<Bound<'_, Attribute>>,
    ) -> PyResult<Self> {
        let (mut shape, mut element_type, mut attribute) = (shape, element_type, attribute);
        let mut given: Vec<_> = args.iter().collect();
        let ranked = shape.is_some() || given.first().is_some_and(Bound::is_instance_of::<PyList>);
        let wrong = || {
            PyTypeError::new_err(
                "get() takes an element type, or a shape, an element type and perhaps an attribute",
            )
        };
        given.reverse();
        if ranked && shape.is_none() {
            let first = given.pop().ok_or_else(wrong)?;
            shape = Some(first.cast_into::<PyList>().map_err(|_| wrong())?);
        }
        if element_type.is_none() {
            let next = given.pop().ok_or_else(wrong)?;
            element_type = Some(next.cast_into::<Type>().map_err(|_| wrong())?);
        }
        if let Some(next) = given.pop().filter(|_| ranked && attribute.is_none()) {
            attribute = Some(next.cast_into::<Attribute>().map_err(|_| wrong())?);
        }
        if !given.is_empty() || (attribute.is_some() && !ranked) {
            return Err(wrong());
        }
        Ok(Self {
            element_type: element_type.map(|it| it.into_any().unbind()),
            shape: shape.map(Bound::unbind),
        })
    }

    /// The type of the elements.
    #[getter]
    fn element_type(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.element_type.as_ref().map(|it| it.clone_ref(py))
    }

    /// True if the number of dimensions is known.
    #[getter]
    fn has_rank(&self) -> bool {
        self.shape.is_some()
    }

    /// The number of dimensions, or `None`.
    #[getter]
    fn rank(&self, py: Python<'_>) -> Option<usize> {
        self.shape.as_ref().map(|shape| shape.bind(py).len())
    }

    /// The sizes of the dimensions, or `None` without a rank.
    #[getter]
    fn shape(&self, py: Python<'_>) -> Option<Py<PyList>> {
        self.shape.as_ref().map(|shape| shape.clone_ref(py))
    }
}

/// Knows the shapes of an operation's results from what it is made of.
#[pyclass(frozen, subclass)]
pub(crate) struct InferShapedTypeOpInterface {
    subject: Late<Subject>,
}

/// The components that MLIR infers for one result.
struct Components {
    shape: Option<Vec<i64>>,
    element_type: MlirType,
}

interface_methods!(
    InferShapedTypeOpInterface,
    mlirInferShapedTypeOpInterfaceTypeID,
    {
        /// The parts of the results' types; raises `ValueError` if there are none that fit.
        #[pyo3(name = "inferReturnTypeComponents", signature = (operands = None, attributes = None,
        regions = None, properties = None, context = None, loc = None))]
        #[expect(clippy::too_many_arguments, reason = "upstream's")]
        fn infer_return_type_components(
            &self,
            py: Python<'_>,
            operands: Option<&Bound<'_, PyAny>>,
            attributes: Option<&Bound<'_, Attribute>>,
            regions: Option<Vec<Bound<'_, Region>>>,
            properties: Option<&Bound<'_, PyAny>>,
            context: Option<Bound<'_, Context>>,
            loc: Option<Bound<'_, Location>>,
        ) -> PyResult<Vec<ShapedTypeComponents>> {
            unsafe extern "C" fn append(
                has_rank: bool,
                rank: isize,
                shape: *const i64,
                element_type: MlirType,
                _attribute: MlirAttribute,
                found: *mut c_void,
            ) {
                // SAFETY: `found` is the vector below, and there are as many sizes as MLIR says.
                unsafe {
                    let found = &mut *found.cast::<Vec<Components>>();
                    let shape = has_rank
                        .then(|| (0..rank.max(0)).map(|index| *shape.offset(index)).collect());
                    found.push(Components {
                        shape,
                        element_type,
                    });
                }
            }
            let mut parts =
                Parts::new(py, operands, attributes, properties, regions, context, loc)?;
            let mut found: Vec<Components> = Vec::new();
            // SAFETY: everything is live and of the one context, and the counts are those of the arrays,
            // whose lengths fit `isize`.
            let inferred = unsafe {
                mlirInferShapedTypeOpInterfaceInferReturnTypes(
                    string_ref(&self.subject.get()?.name),
                    parts.raw_context,
                    parts.location,
                    parts.operands.len() as isize,
                    parts.operands.as_mut_ptr(),
                    parts.attributes,
                    ptr::null_mut(),
                    parts.regions.len() as isize,
                    parts.regions.as_mut_ptr(),
                    Some(append),
                    (&raw mut found).cast(),
                )
            };
            if inferred.value == 0 {
                return Err(PyValueError::new_err(
                    "Failed to infer result shape type components",
                ));
            }
            let components = found.into_iter().map(|one| {
                let element_type = if one.element_type.ptr.is_null() {
                    None
                } else {
                    // SAFETY: MLIR made the type in this context.
                    Some(unsafe { types::wrap(py, &parts.context, one.element_type) }?)
                };
                let shape = one
                    .shape
                    .map(|shape| PyList::new(py, shape).map(Bound::unbind))
                    .transpose()?;
                Ok(ShapedTypeComponents {
                    element_type,
                    shape,
                })
            });
            components.collect()
        }
    }
);
