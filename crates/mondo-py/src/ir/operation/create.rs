//! The creation of operations.

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use smallvec::SmallVec;

use super::inference;
use super::wrong_argument::line_about;
use crate::interop::string::string_ref;
use crate::ir::attribute::Attribute;
use crate::ir::current;
use crate::ir::error::{self, ErrorCapture};
use crate::ir::insertion_point::{InsertionPoint, Place};
use crate::ir::lists::values::OpResultList;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::{OperationBase, adopt, name, wrap};
use crate::ownership::region::{self, Region};
use crate::ownership::transfer;
use crate::ownership::tree::Tree;
use crate::ownership::value::Value;

/// A list that needs no memory of its own where it is short, as most are.
pub(crate) type Few<T> = SmallVec<[T; 4]>;

/// Something that stands for a value: a value, or an operation with one result.
pub(crate) enum ValueLike<'py> {
    Value(Bound<'py, Value>),
    Operation(Bound<'py, OperationBase>),
}

impl<'py> ValueLike<'py> {
    /// The value or operation that `object` stands for. The error is for the end of a sentence.
    #[inline]
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(value) = object.cast::<Value>() {
            return Ok(Self::Value(value.clone()));
        }
        let operation = if let Ok(operation) = object.cast::<OperationBase>() {
            operation.clone()
        } else if let Ok(results) = object.cast::<OpResultList>() {
            results.get().operation(object.py())
        } else if object.is_none() {
            return Err(PyValueError::new_err("contained a None item"));
        } else {
            return Err(PyValueError::new_err("is not a Value"));
        };
        unique_result(operation.get().get(object.py())?)?;
        Ok(Self::Operation(operation))
    }

    /// The value, which is live at least until the interpreter runs other code, and its tree.
    #[inline]
    fn look(&self, py: Python<'py>) -> PyResult<(MlirValue, Bound<'py, Tree>)> {
        match self {
            Self::Value(value) => value.get().look(py),
            Self::Operation(operation) => {
                let (op, tree) = operation.get().look(py)?;
                Ok((unique_result(op)?, tree))
            }
        }
    }
}

/// The result of a live operation that has exactly one.
pub(crate) fn unique_result(op: MlirOperation) -> PyResult<MlirValue> {
    // SAFETY: the callers pass live operations.
    unsafe {
        let count = mlirOperationGetNumResults(op);
        if count != 1 {
            return Err(PyValueError::new_err(format!(
                "Cannot call .result on operation {} which has {count} results (it is only valid \
                 for operations with a single result)",
                name(op)
            )));
        }
        Ok(mlirOperationGetResult(op, 0))
    }
}

/// Names and attributes.
pub(crate) struct Attributes(Vec<(String, Py<Attribute>)>);

impl Attributes {
    /// Those in a dictionary, for an operation of this name.
    pub(crate) fn of(dict: Option<&Bound<'_, PyDict>>, operation: &str) -> PyResult<Self> {
        let mut attributes = Vec::with_capacity(dict.map_or(0, PyDictMethods::len));
        for (key, value) in dict.into_iter().flatten() {
            let key: String = key.cast::<PyString>().map_err(|error| {
                PyTypeError::new_err(format!(
                    "Invalid attribute key (not a string) when attempting to create the operation \
                     \"{operation}\" ({error})"
                ))
            })?.to_str()?.to_owned();
            let value = value.cast::<Attribute>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "Invalid attribute value for the key \"{key}\" when attempting to create the \
                     operation \"{operation}\" (std::bad_cast){}",
                    line_about(&value)
                ))
            })?;
            attributes.push((key, value.clone().unbind()));
        }
        Ok(Self(attributes))
    }

    pub(crate) fn push(&mut self, name: &str, attribute: Py<Attribute>) {
        self.0.push((name.to_owned(), attribute));
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }
}

/// The regions of a new operation.
pub(crate) enum Regions<'py> {
    /// So many empty ones.
    Empty(usize),
    /// These, which have no operation yet.
    Given(Vec<Bound<'py, Region>>),
}

/// The parts of a new operation.
pub(crate) struct Recipe<'a, 'py> {
    pub(crate) name: &'a str,
    /// None: they are inferred.
    pub(crate) results: Option<Few<Bound<'py, Type>>>,
    pub(crate) operands: Few<ValueLike<'py>>,
    pub(crate) attributes: Attributes,
    pub(crate) successors: Vec<Bound<'py, Block>>,
    pub(crate) regions: Regions<'py>,
    pub(crate) infer: bool,
}

/// The place of a new operation: nowhere for `False`, the current insertion point for `None`.
#[inline]
pub(crate) fn place_of<'py>(
    py: Python<'py>,
    ip: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, InsertionPoint>>> {
    match ip {
        None => Ok(current::insertion_point(py).map(|ip| ip.into_bound(py))),
        Some(ip) if ip.is(PyBool::new(py, false)) => Ok(None),
        Some(ip) => ip.cast::<InsertionPoint>().cloned().map(Some).map_err(|_| {
            PyTypeError::new_err(format!(
                "ip must be an InsertionPoint, False (insert nowhere) or None (the current one), \
                 not {}",
                ip.get_type()
            ))
        }),
    }
}

/// Makes an operation at `location`, and inserts it at `place`.
pub(crate) fn new_op<'py>(
    recipe: Recipe<'_, 'py>,
    location: &Bound<'py, Location>,
    place: Option<&Bound<'py, InsertionPoint>>,
) -> PyResult<Py<OperationBase>> {
    let py = location.py();
    let context = location.get().context_ref();
    let raw_context = context.get().get(py)?;
    // From here to the creation no code of Python's runs: what is live stays so.
    let place = place
        .map(|place| place.get().resolve(py, context))
        .transpose()?;
    if let Some(place) = &place {
        place.tree().refuse_change()?;
    }
    let mut operands = Few::with_capacity(recipe.operands.len());
    let mut uses_others = false;
    for operand in &recipe.operands {
        let (value, tree) = operand.look(py)?;
        if place.as_ref().is_none_or(|place| !place.is_in(&tree)) {
            require_same(context, tree.get().context(), "operand")?;
            uses_others = true;
        }
        operands.push(value);
    }
    let mut results = Few::new();
    for result in recipe.results.iter().flatten() {
        results.push(result.get().get_in(py, context)?);
    }
    let mut successors = Few::with_capacity(recipe.successors.len());
    for successor in &recipe.successors {
        successors.push(successor.get().get_in(py, context)?);
        if let Some(place) = &place {
            uses_others |= !place.is_in(&successor.get().tree(py)?);
        }
    }
    let mut attributes = Few::with_capacity(recipe.attributes.0.len());
    for (name, attribute) in &recipe.attributes.0 {
        let attribute = attribute.get().get_in(py, context)?;
        // SAFETY: the context and the attribute are live, and MLIR copies the name.
        attributes.push(unsafe {
            mlirNamedAttributeGet(mlirIdentifierGet(raw_context, string_ref(name)), attribute)
        });
    }
    let (given, regions) = match &recipe.regions {
        Regions::Empty(count) => (&[][..], *count),
        Regions::Given(given) => (&given[..], given.len()),
    };
    let mut taken = region::check_free(py, given, context)?;
    let location = location.get().get(py)?;
    let mut refused = None;
    let mut create = || {
        if let Regions::Empty(count) = recipe.regions {
            // SAFETY: there is no precondition.
            taken = (0..count).map(|_| unsafe { mlirRegionCreate() }).collect();
        }
        if !recipe.infer {
            let parts = MondoOperationParts {
                name: string_ref(recipe.name),
                location,
                nResults: results.len() as isize,
                results: results.as_ptr(),
                nOperands: operands.len() as isize,
                operands: operands.as_ptr(),
                nAttributes: attributes.len() as isize,
                attributes: attributes.as_ptr(),
                nSuccessors: successors.len() as isize,
                successors: successors.as_ptr(),
                nRegions: taken.len() as isize,
                regions: taken.as_ptr(),
            };
            // SAFETY: everything is live and of one context; the counts are those of the arrays,
            // which MLIR copies, and it owns the regions from here on.
            return unsafe { mondoOperationCreate(&raw const parts) };
        }
        // SAFETY: as above.
        unsafe {
            let all = || {
                mlirDictionaryAttrGet(raw_context, attributes.len() as isize, attributes.as_ptr())
            };
            refused = inference::check(py, recipe.name, location, &operands, all, regions).err();
            if refused.is_some() {
                // Given regions stay Python's.
                if let Regions::Empty(_) = recipe.regions {
                    taken.iter().for_each(|region| mlirRegionDestroy(*region));
                }
                return MlirOperation {
                    ptr: std::ptr::null_mut(),
                };
            }
            let mut state = mlirOperationStateGet(string_ref(recipe.name), location);
            let at = &raw mut state;
            if !operands.is_empty() {
                mlirOperationStateAddOperands(at, operands.len() as isize, operands.as_ptr());
            }
            if !results.is_empty() {
                mlirOperationStateAddResults(at, results.len() as isize, results.as_ptr());
            }
            if !attributes.is_empty() {
                mlirOperationStateAddAttributes(at, attributes.len() as isize, attributes.as_ptr());
            }
            if !successors.is_empty() {
                mlirOperationStateAddSuccessors(at, successors.len() as isize, successors.as_ptr());
            }
            if !taken.is_empty() {
                mlirOperationStateAddOwnedRegions(at, taken.len() as isize, taken.as_ptr());
            }
            mlirOperationStateEnableResultTypeInference(at);
            mlirOperationCreate(at)
        }
    };
    let (op, errors) = if recipe.infer {
        let (op, errors) = ErrorCapture::run(py, context, create)?;
        (op, Some(errors))
    } else {
        // Nothing but inference reports errors, and catching them takes longer than all the rest.
        context.get().refuse_in_handlers()?;
        (create(), None)
    };
    if let Some(error) = refused {
        return Err(error);
    }
    if op.ptr.is_null() {
        region::lost(given);
        let message = "Operation creation failed";
        return Err(match errors {
            Some(errors) => errors.into_error(py, message),
            None => error::plain(py, message),
        });
    }
    finish(py, context, op, given, place, uses_others)
}

/// Gives a new operation its place, and an owner.
#[inline]
fn finish(
    py: Python<'_>,
    context: &Py<Context>,
    op: MlirOperation,
    given: &[Bound<'_, Region>],
    place: Option<Place<'_>>,
    uses_others: bool,
) -> PyResult<Py<OperationBase>> {
    let Some(place) = place else {
        // SAFETY: MLIR made the operation for us, and it has no parent.
        let object = unsafe { adopt(py, context, op, !mondoOperationIsClosed(op))? };
        take_regions(py, op, given, &object, object.get().tree(py)?.as_unbound());
        return Ok(object);
    };
    let target = place.insert(op);
    if uses_others {
        target.get().open();
    }
    // SAFETY: the operation is live, and the place is in `target`.
    let object = unsafe { wrap(py, target.as_unbound(), op)? };
    take_regions(py, op, given, &object, target.as_unbound());
    Ok(object)
}

/// Says that regions which had no operation have become those of a new one in `tree`.
#[inline]
fn take_regions(
    py: Python<'_>,
    op: MlirOperation,
    given: &[Bound<'_, Region>],
    object: &Py<OperationBase>,
    tree: &Py<Tree>,
) {
    if !given.is_empty() {
        region::bind_all(py, given, object);
        drop(transfer::move_operation(py, op, Some(tree)));
    }
}

/// A deep copy of an operation, at `place`.
pub(super) fn clone(
    py: Python<'_>,
    operation: &OperationBase,
    place: Option<&Bound<'_, InsertionPoint>>,
) -> PyResult<Py<OperationBase>> {
    let context = operation.context_of(py)?;
    let place = place
        .map(|place| place.get().resolve(py, &context))
        .transpose()?;
    if let Some(place) = &place {
        place.tree().refuse_change()?;
    }
    let op = operation.get(py)?;
    // SAFETY: the operation is live.
    let copy = unsafe { mlirOperationClone(op) };
    // SAFETY: the copy is live.
    let uses_others = unsafe { !mondoOperationIsClosed(copy) };
    finish(py, &context, copy, &[], place, uses_others)
}

/// The blocks in a list.
pub(crate) fn blocks_of<'py>(
    successors: Option<Vec<Option<Bound<'py, Block>>>>,
) -> PyResult<Vec<Bound<'py, Block>>> {
    successors
        .into_iter()
        .flatten()
        .map(|block| block.ok_or_else(|| PyValueError::new_err("successor block cannot be None")))
        .collect()
}
