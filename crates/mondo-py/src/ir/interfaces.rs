//! The classes `InferTypeOpInterface` and `InferShapedTypeOpInterface`, which infer the types or shapes of an
//! operation's results.

use mondo_ir::attributes::Dictionary;
use mondo_ir::nodes::{self, Inference, Inferred};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList, PyTuple};

use crate::interop::callback::unless_interrupted;
use crate::interop::two_phase::Late;
use crate::ir::arguments::elements;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::enter;
use crate::ir::error;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::{Context, Entered};
use crate::ownership::node_access::NodeObject;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::region::Region;
use crate::ownership::value::Value;
use crate::ownership::wrapper::Wrapper;

/// The operation or class that an interface was made for.
struct Subject {
    /// The operation; None if the interface was made for a class.
    operation: Option<Py<OperationBase>>,
    name: String,
}

impl Subject {
    fn new(
        object: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
        interface: Inference,
        class: &str,
    ) -> PyResult<Self> {
        let py = object.py();
        let (subject, implements) = if let Ok(operation) = object.cast::<OperationBase>() {
            let operation = operation::operation_of(operation)?;
            let (name, implements) = operation
                .get()
                .read(py, |op| (op.name().to_text(), interface.is_of(op)))?;
            let subject = Self {
                operation: Some(operation),
                name,
            };
            (subject, implements)
        } else {
            let name: String = object.getattr("OPERATION_NAME")?.extract().map_err(|_| {
                PyTypeError::new_err("Op interface does not refer to an operation or OpView class")
            })?;
            let implements = enter(py, context, |ctx| Ok(interface.is_of_name(*ctx, &name)))?;
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
struct Parts<'a, 'py> {
    context: Py<Context>,
    location: Py<Location>,
    operands: Vec<Bound<'py, Value>>,
    attributes: Option<&'a Bound<'py, Attribute>>,
    regions: Vec<Bound<'py, Region>>,
}

impl<'a, 'py> Parts<'a, 'py> {
    fn new(
        py: Python<'py>,
        operands: Option<&Bound<'py, PyAny>>,
        attributes: Option<&'a Bound<'py, Attribute>>,
        properties: Option<&Bound<'py, PyAny>>,
        regions: Option<Vec<Bound<'py, Region>>>,
        context: Option<Bound<'py, Context>>,
        loc: Option<Bound<'py, Location>>,
    ) -> PyResult<Self> {
        let context = context_stack::resolve_context(py, context)?;
        context.get().get(py)?;
        let location = context_stack::resolve_location(py, loc)?;
        location.get().require_in(py, &context)?;
        if properties.is_some() {
            return Err(PyTypeError::new_err(
                "properties cannot be given in Python; give them in `attributes`",
            ));
        }
        if let Some(attributes) = attributes {
            attributes.get().require_in(py, &context)?;
            if !attributes
                .get()
                .read(py, |attribute| attribute.is::<Dictionary>())?
            {
                return Err(PyTypeError::new_err("attributes must be a DictAttr"));
            }
        }
        let regions = regions.unwrap_or_default();
        for region in &regions {
            region.get().get(py)?;
        }
        Ok(Self {
            operands: operands_of(operands, &context)?,
            context,
            location,
            attributes,
            regions,
        })
    }

    /// Runs `infer` with the handles of the parts, in their context.
    fn with<R>(
        &self,
        py: Python<'_>,
        name: &str,
        infer: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, Inferred<'_, 'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        Context::enter(py, &self.context, |ctx| {
            let operands = self
                .operands
                .iter()
                .map(|operand| operand.get().within(ctx));
            let operands = operands.collect::<PyResult<Vec<_>>>()?;
            let regions = self.regions.iter().map(|region| region.get().within(ctx));
            let regions = regions.collect::<PyResult<Vec<nodes::Region<'_>>>>()?;
            let attributes = match self.attributes {
                Some(attributes) => attributes.get().within(ctx)?.downcast(),
                None => None,
            };
            let parts = Inferred {
                name,
                location: self.location.get().within(ctx)?,
                operands: &operands,
                attributes,
                regions: &regions,
            };
            infer(ctx, parts)
        })
    }
}

/// Flattens a list of values, of sequences of values and of `None`.
fn operands_of<'py>(
    given: Option<&Bound<'py, PyAny>>,
    context: &Py<Context>,
) -> PyResult<Vec<Bound<'py, Value>>> {
    let mut found = Vec::new();
    let Some(given) = given else {
        return Ok(found);
    };
    let mut add = |value: &Bound<'py, Value>| {
        value.get().node_in(value.py(), context)?;
        found.push(value.clone());
        PyResult::Ok(())
    };
    for (index, item) in elements(given)?.enumerate() {
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
            add(value)?;
            continue;
        }
        let py = item.py();
        let elements = item.try_iter();
        for value in elements.map_err(|error| unless_interrupted(py, error, |_| wrong()))? {
            let value = value?;
            add(value.cast::<Value>().map_err(|_| wrong())?)?;
        }
    }
    Ok(found)
}

/// Defines the methods that both interfaces have, and those that are given.
macro_rules! interface_methods {
    ($class:ident, $interface:expr, { $($more:item)* }) => {
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
                let subject = Subject::new(object, context, $interface, stringify!($class))?;
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

/// The exception for operands or attributes that violate an operation's invariants, so that MLIR's inference
/// must not read them. `verifier` is the verifier's message.
#[cold]
fn unfit(py: Python<'_>, verifier: &str) -> PyErr {
    error::plain(py, &format!("Operation creation failed: {verifier}"))
}

/// Knows the types of an operation's results from what it is made of.
#[pyclass(frozen, subclass)]
pub(crate) struct InferTypeOpInterface {
    subject: Late<Subject>,
}

interface_methods!(InferTypeOpInterface, Inference::Types, {
    /// The types of the results; raises `ValueError` if there are none that fit.
    #[pyo3(name = "inferReturnTypes", signature = (operands = None, attributes = None,
        properties = None, regions = None, context = None, loc = None))]
    #[expect(clippy::too_many_arguments, reason = "upstream's")]
    fn infer_return_types<'py>(
        &self,
        py: Python<'py>,
        operands: Option<&Bound<'py, PyAny>>,
        attributes: Option<&Bound<'py, Attribute>>,
        properties: Option<&Bound<'py, PyAny>>,
        regions: Option<Vec<Bound<'py, Region>>>,
        context: Option<Bound<'py, Context>>,
        loc: Option<Bound<'py, Location>>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let parts = Parts::new(py, operands, attributes, properties, regions, context, loc)?;
        parts.with(py, &self.subject.get()?.name, |ctx, parts| {
            let types = parts.types(*ctx).map_err(|message| unfit(py, &message))?;
            let failed = || PyValueError::new_err("Failed to infer result types");
            let types = types.ok_or_else(failed)?.into_iter();
            // Upstream returns objects of the base class `Type`, whatever their kind.
            let base = Type::layout().class(py)?;
            types
                .map(|ty| base.call1((ctx.wrap(ty)?,)).map(Bound::unbind))
                .collect()
        })
    }
});

/// The parts of a shaped type.
#[pyclass(frozen, subclass)]
pub(crate) struct ShapedTypeComponents {
    element_type: Option<Py<PyAny>>,
    /// The shape; None if the rank is unknown.
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
                "get(): incompatible function arguments: it takes an element type, or a shape, an element type and perhaps an attribute",
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
            element_type: element_type.map(|element_type| element_type.into_any().unbind()),
            shape: shape.map(Bound::unbind),
        })
    }

    /// The type of the elements.
    #[getter]
    fn element_type(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.element_type
            .as_ref()
            .map(|element_type| element_type.clone_ref(py))
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

interface_methods!(InferShapedTypeOpInterface, Inference::Shapes, {
    /// The parts of the results' types; raises `ValueError` if there are none that fit.
    #[pyo3(name = "inferReturnTypeComponents", signature = (operands = None, attributes = None,
        regions = None, properties = None, context = None, loc = None))]
    #[expect(clippy::too_many_arguments, reason = "upstream's")]
    fn infer_return_type_components<'py>(
        &self,
        py: Python<'py>,
        operands: Option<&Bound<'py, PyAny>>,
        attributes: Option<&Bound<'py, Attribute>>,
        regions: Option<Vec<Bound<'py, Region>>>,
        properties: Option<&Bound<'py, PyAny>>,
        context: Option<Bound<'py, Context>>,
        loc: Option<Bound<'py, Location>>,
    ) -> PyResult<Vec<ShapedTypeComponents>> {
        let parts = Parts::new(py, operands, attributes, properties, regions, context, loc)?;
        parts.with(py, &self.subject.get()?.name, |ctx, parts| {
            let failed = || PyValueError::new_err("Failed to infer result shape type components");
            let components = parts.shapes(*ctx).map_err(|message| unfit(py, &message))?;
            let components = components.ok_or_else(failed)?.into_iter();
            let components = components.map(|one| {
                let element_type = one
                    .element_type
                    .map(|element_type| ctx.wrap(element_type))
                    .transpose()?;
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
        })
    }
});
