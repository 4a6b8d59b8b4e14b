//! The creation and cloning of operations: collecting their parts, creating them, inserting them and giving
//! them a tree.

use mondo_ir::declarations as c;
use mondo_ir::nodes::{self, Attached, Loose, NewRegions, NotMade, Op, Parts, refusal};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use smallvec::SmallVec;

use super::edit::too_deep;
use super::wrong_argument::line_about;
use crate::interop::conversion_errors::bad_cast;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::error::{self, ErrorCapture};
use crate::ir::insertion_point::{InsertionPoint, Place};
use crate::ir::lists::values::OpResultList;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, Entered};
use crate::ownership::conversions::Newcomer;
use crate::ownership::node_access::InTree;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::region::{self, Region};
use crate::ownership::transfer;
use crate::ownership::tree::Tree;
use crate::ownership::value::Value;

/// A list that allocates only for more than four entries, which few operations have.
pub(crate) type Few<T> = SmallVec<[T; 4]>;

/// An argument that is accepted as a value: a value, or an operation with exactly one result.
pub(crate) enum ValueLike<'py> {
    Value(Bound<'py, Value>),
    Operation(Bound<'py, OperationBase>),
}

impl<'py> ValueLike<'py> {
    /// Converts an argument. The text of the error is a part of a sentence, which the caller completes.
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
        let result = |op: Op<'_>| unique_result(op).map(drop);
        operation.get().read(object.py(), result)??;
        Ok(Self::Operation(operation))
    }

    /// The value's handle, in the context that was entered, and its tree. If that is the tree `known`, the
    /// check of its context is saved.
    #[inline]
    fn look<'ctx>(
        &self,
        py: Python<'py>,
        ctx: Entered<'_, 'ctx>,
        known: Option<InTree<'_, 'ctx>>,
    ) -> PyResult<(nodes::Value<'ctx>, Bound<'py, Tree>)> {
        match self {
            Self::Value(value) => value.get().look_within(py, ctx, known, "operand"),
            Self::Operation(operation) => {
                let (op, tree) = operation.get().look_within(py, ctx, known, "operand")?;
                Ok((unique_result(op)?, tree))
            }
        }
    }
}

/// The result of an operation that has exactly one.
#[inline]
pub(crate) fn unique_result(op: Op<'_>) -> PyResult<nodes::Value<'_>> {
    let mut results = op.results();
    match (results.next(), results.next()) {
        (Some(result), None) => Ok(result),
        _ => Err(not_unique(op)),
    }
}

#[cold]
#[inline(never)]
fn not_unique(op: Op<'_>) -> PyErr {
    PyValueError::new_err(format!(
        "Cannot call .result on operation {} which has {} results (it is only valid for operations \
         with a single result)",
        op.name().to_text(),
        op.results().count()
    ))
}

/// The named attributes of a new operation.
pub(crate) struct Attributes(Vec<(String, Py<Attribute>)>);

impl Attributes {
    /// Converts a dictionary. `operation` is the name of the new operation, for messages.
    pub(crate) fn of(dict: Option<&Bound<'_, PyDict>>, operation: &str) -> PyResult<Self> {
        let Some(dict) = dict.filter(|dict| !dict.is_empty()) else {
            return Ok(Self(Vec::new()));
        };
        let mut attributes = Vec::with_capacity(dict.len());
        for (key, value) in dict {
            let key: String = key.cast::<PyString>().map_err(|error| {
                PyTypeError::new_err(format!(
                    "Invalid attribute key (not a string) when attempting to create the operation \
                     \"{operation}\" ({error})"
                ))
            })?.to_str()?.to_owned();
            let value = value.cast::<Attribute>().map_err(|_| {
                // Upstream's tests expect this text.
                let invalid = match value.is_none() {
                    true => "Found an invalid (`None`?) attribute value",
                    false => "Invalid attribute value",
                };
                PyTypeError::new_err(format!(
                    "{invalid} for the key \"{key}\" when attempting to create the operation \
                     \"{operation}\" (std::bad_cast){}",
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
    /// This number of empty regions.
    Empty(usize),
    /// Existing regions without an operation.
    Given(Vec<Bound<'py, Region>>),
}

/// The parts of a new operation.
pub(crate) struct Recipe<'a, 'py> {
    pub(crate) name: &'a str,
    /// The types of the results; None to infer them.
    pub(crate) results: Option<Few<Bound<'py, Type>>>,
    pub(crate) operands: Few<ValueLike<'py>>,
    pub(crate) attributes: Attributes,
    pub(crate) successors: Vec<Bound<'py, Block>>,
    pub(crate) regions: Regions<'py>,
    pub(crate) infer: bool,
}

/// The insertion point of a new operation: none for `False`, the current one for `None`.
#[inline]
pub(crate) fn place_of<'py>(
    py: Python<'py>,
    ip: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, InsertionPoint>>> {
    match ip {
        None => Ok(context_stack::insertion_point(py).map(|ip| ip.into_bound(py))),
        Some(ip) if ip.is(PyBool::new(py, false)) => Ok(None),
        Some(ip) => ip.cast::<InsertionPoint>().cloned().map(Some).map_err(|_| {
            let class = ip.get_type();
            let expected =
                "ip must be an InsertionPoint, False (insert nowhere) or None (the current one)";
            bad_cast(py, &format!("{expected}, not {class}"))
        }),
    }
}

/// Creates an operation with the location `location`, and inserts it at `place`.
pub(crate) fn new_op<'py>(
    recipe: Recipe<'_, 'py>,
    location: &Bound<'py, Location>,
    place: Option<&Bound<'py, InsertionPoint>>,
) -> PyResult<Py<OperationBase>> {
    let py = location.py();
    let context = location.get().context_ref();
    Context::enter(py, context, |ctx| {
        create_in(py, ctx, &recipe, location, place)
    })
}

/// Creates an operation in the context of its location. No Python code runs between resolving the place and
/// creating the operation, so that all handles stay valid.
#[inline]
fn create_in<'py, 'ctx>(
    py: Python<'py>,
    ctx: Entered<'_, 'ctx>,
    recipe: &Recipe<'_, 'py>,
    location: &Bound<'py, Location>,
    place: Option<&Bound<'py, InsertionPoint>>,
) -> PyResult<Py<OperationBase>> {
    let place = place
        .map(|place| place.get().resolve(py, ctx))
        .transpose()?;
    let at = match &place {
        Some(place) => Some(place.at(ctx)?),
        None => None,
    };
    let mut operands = Few::with_capacity(recipe.operands.len());
    let mut uses_others = false;
    for operand in &recipe.operands {
        let (value, tree) = operand.look(py, ctx, at)?;
        if at.is_none_or(|at| !tree.is(at.tree())) {
            tree.get().refuse_user(at.map(|at| at.tree().get()))?;
            uses_others = true;
        }
        operands.push(value);
    }
    let mut results = Few::new();
    for result in recipe.results.iter().flatten() {
        results.push(result.get().within(ctx)?);
    }
    let mut successors = Few::with_capacity(recipe.successors.len());
    for successor in &recipe.successors {
        let (block, tree) = successor.get().look_within(py, ctx, at, "block")?;
        successors.push(block);
        if at.is_none_or(|at| !tree.is(at.tree())) {
            tree.get().refuse_user(at.map(|at| at.tree().get()))?;
            uses_others |= at.is_some();
        }
    }
    let mut attributes = Few::with_capacity(recipe.attributes.0.len());
    for (name, attribute) in &recipe.attributes.0 {
        attributes.push(Attached::new(*ctx, name, attribute.get().within(ctx)?));
    }
    let (given, regions) = match &recipe.regions {
        Regions::Empty(count) => (&[][..], NewRegions::Empty(*count)),
        Regions::Given(given) => (
            &given[..],
            NewRegions::Given(region::take_free(ctx, given)?),
        ),
    };
    if !regions.is_empty() {
        let around = place.as_ref().and_then(|place| place.spot.around());
        if regions.are_too_deep_in(around) {
            return Err(too_deep());
        }
    }
    if let Some(place) = &place {
        let given = match &regions {
            NewRegions::Empty(_) => &[][..],
            NewRegions::Given(regions) => regions,
        };
        let tree = place.tree.get();
        tree.refuse_insertion(place.spot.around(), Newcomer::Made(given))?;
    }
    let parts = Parts {
        name: recipe.name,
        location: location.get().within(ctx)?,
        results: &results,
        operands: &operands,
        attributes: &attributes,
        successors: &successors,
        regions,
    };
    let (op, errors) = if recipe.infer {
        let (op, errors) = ErrorCapture::run(py, ctx.object(), || Op::infer(*ctx, parts))?;
        (op, Some(errors))
    } else {
        // Only inference reports errors; capturing them takes longer than the rest of this function, so that
        // it is saved here.
        ctx.object().get().refuse_in_handlers()?;
        (Op::create(parts), None)
    };
    let op = match op {
        Ok(op) => op,
        Err(why) => return Err(not_made(py, recipe.name, why, given, errors)),
    };
    finish(ctx, op, given, place, uses_others)
}

/// The exception for an operation that could not be created. If MLIR had taken over the given regions, it has
/// destroyed them; otherwise they stay with their wrappers.
#[cold]
#[inline(never)]
fn not_made(
    py: Python<'_>,
    name: &str,
    why: NotMade<'_>,
    given: &[Bound<'_, Region>],
    errors: Option<ErrorCapture<'_>>,
) -> PyErr {
    let message = "Operation creation failed";
    match (why, errors) {
        (NotMade::Failed, errors) => {
            region::lost(given);
            match errors {
                Some(errors) => errors.into_error(py, message),
                None => error::plain(py, message),
            }
        }
        (NotMade::Refused(attached), _) => {
            let name_of_it = c::mlirIdentifierStr(attached.name).to_text();
            let refusal = refusal(name, &name_of_it, attached.attribute);
            error::plain(py, &format!("{message}: {refusal}"))
        }
        (NotMade::Regions(count), _) => {
            PyValueError::new_err(format!("{message}: `{name}` cannot have {count} regions"))
        }
        (NotMade::Unfit(verifier), _) => error::plain(py, &format!("{message}: {verifier}")),
    }
}

/// Inserts a new operation at its place, or gives it a tree of its own, and returns its wrapper.
#[inline]
fn finish<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<Op<'ctx>>,
    given: &[Bound<'_, Region>],
    place: Option<Place<'_, 'ctx>>,
    uses_others: bool,
) -> PyResult<Py<OperationBase>> {
    let (py, node) = (ctx.py(), op.node());
    let Some(place) = place else {
        let object = operation::adopt(ctx, op, !node.is_closed())?;
        take_regions(
            py,
            node,
            given,
            &object,
            object.get().tree(py)?.as_unbound(),
        );
        return Ok(object);
    };
    let at = place.at(ctx)?;
    place.spot.insert(op);
    at.tree().get().inserted(node);
    if uses_others {
        at.tree().get().open();
    }
    let object = at.operation(node)?;
    take_regions(py, node, given, &object, at.tree());
    Ok(object)
}

/// Moves the wrappers of regions, which the new operation `op` has taken over, to its tree.
#[inline]
fn take_regions(
    py: Python<'_>,
    op: Op<'_>,
    given: &[Bound<'_, Region>],
    object: &Py<OperationBase>,
    tree: &Py<Tree>,
) {
    if !given.is_empty() {
        region::bind_all(py, given, object);
        drop(transfer::operation_to(py, op, Some(tree)));
    }
}

/// A deep copy of an operation, at `place`.
pub(super) fn clone<'py>(
    py: Python<'py>,
    operation: &OperationBase,
    place: Option<&Bound<'py, InsertionPoint>>,
) -> PyResult<Py<OperationBase>> {
    let context = operation.context_of(py)?;
    Context::enter(py, &context, |ctx| {
        let place = place
            .map(|place| place.get().resolve(py, ctx))
            .transpose()?;
        let original = operation.within(ctx)?;
        let tree = place.as_ref().map(|place| place.tree.get());
        if let Some(place) = &place {
            let tree = place.tree.get();
            tree.refuse_insertion(place.spot.around(), Newcomer::Copy)?;
        }
        if !original.is_closed() {
            operation.tree(py)?.get().refuse_user(tree)?;
        }
        if let Some(place) = &place {
            place.spot.check_depth(original)?;
        }
        let copy = original.duplicate();
        let uses_others = !copy.node().is_closed();
        finish(ctx, copy, &[], place, uses_others)
    })
}

/// The blocks in a list.
pub(crate) fn blocks_of<'py>(
    successors: Option<Vec<Option<Bound<'py, Block>>>>,
) -> PyResult<Vec<Bound<'py, Block>>> {
    let Some(successors) = successors else {
        return Ok(Vec::new());
    };
    successors
        .into_iter()
        .map(|block| block.ok_or_else(|| PyValueError::new_err("successor block cannot be None")))
        .collect()
}
