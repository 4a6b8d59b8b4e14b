//! `OpView.build_generic`, which the generated constructors of views call: flattens operands and results by
//! their segments, and creates the operation.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySequence};

use super::create::{Attributes, Few, Recipe, Regions, ValueLike, blocks_of, new_op, place_of};
use super::wrong_argument::line_about;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;

/// The parameters of a new operation: those that its class has as constants (name, regions, segments), and
/// the caller's.
pub(crate) struct Parts<'a, 'py> {
    pub(crate) name: &'a str,
    /// The least number of regions, and whether it is also the greatest.
    pub(crate) regions_spec: (usize, bool),
    pub(crate) operand_segments: Option<Vec<i32>>,
    pub(crate) result_segments: Option<Vec<i32>>,
    pub(crate) results: Option<Bound<'py, PyList>>,
    pub(crate) operands: Option<Bound<'py, PyList>>,
    pub(crate) attributes: Option<Bound<'py, PyDict>>,
    pub(crate) successors: Option<Vec<Option<Bound<'py, Block>>>>,
    pub(crate) regions: Option<usize>,
}

/// Builds the operation.
pub(crate) fn build<'py>(
    parts: Parts<'_, 'py>,
    location: &Bound<'py, Location>,
    ip: Option<&Bound<'py, PyAny>>,
) -> PyResult<Py<OperationBase>> {
    let py = location.py();
    let name = parts.name;
    let regions = count_regions(name, parts.regions_spec, parts.regions)?;
    let mut result_sizes = Vec::new();
    let results = match &parts.results {
        None => None,
        Some(given) => Some(unpack(
            &Kind {
                operation: name,
                one: "Result",
                what: "Type",
                group: "result",
            },
            given,
            parts.result_segments.as_deref(),
            &mut result_sizes,
            type_of,
        )?),
    };
    let mut operand_sizes = Vec::new();
    let operands = match &parts.operands {
        None => Few::new(),
        Some(given) => unpack(
            &Kind {
                operation: name,
                one: "Operand",
                what: "Value",
                group: "operand",
            },
            given,
            parts.operand_segments.as_deref(),
            &mut operand_sizes,
            ValueLike::of,
        )?,
    };
    let mut attributes = Attributes::of(parts.attributes.as_ref(), name)?;
    for (key, sizes) in [
        ("resultSegmentSizes", &result_sizes),
        ("operandSegmentSizes", &operand_sizes),
    ] {
        if result_sizes.is_empty() && operand_sizes.is_empty() {
            break;
        }
        if attributes.has("resultSegmentSizes") && key == "resultSegmentSizes"
            || attributes.has("operandSegmentSizes")
        {
            return Err(PyValueError::new_err(
                "Manually setting a 'resultSegmentSizes' or 'operandSegmentSizes' attribute is \
                 unsupported. Use Operation.create for such low-level access.",
            ));
        }
        if sizes.is_empty() {
            continue;
        }
        let context = location.get().context_ref();
        let attribute = Context::enter(py, context, |ctx| ctx.wrap(ctx.i32_array(sizes)))?;
        attributes.push(key, attribute.extract(py)?);
    }
    let recipe = Recipe {
        name,
        infer: results.is_none(),
        results,
        operands,
        attributes,
        successors: blocks_of(parts.successors)?,
        regions: Regions::Empty(regions),
    };
    new_op(recipe, location, place_of(py, ip)?.as_ref())
}

/// Converts the type of a result.
fn type_of<'py>(item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Type>> {
    if item.is_none() {
        return Err(PyTypeError::new_err("contained a None item"));
    }
    item.cast::<Type>().cloned().map_err(PyErr::from)
}

fn count_regions(
    name: &str,
    (least, exact): (usize, bool),
    given: Option<usize>,
) -> PyResult<usize> {
    let count = given.unwrap_or(least);
    let bound = if count < least {
        "minimum"
    } else if exact && count > least {
        "maximum"
    } else {
        return Ok(count);
    };
    Err(PyValueError::new_err(format!(
        "Operation \"{name}\" requires a {bound} of {least} regions but was built with \
         regions={count}"
    )))
}

/// The nouns in messages about operands or results.
struct Kind<'a> {
    operation: &'a str,
    one: &'a str,
    what: &'a str,
    group: &'a str,
}

/// The exception for the item at an index. It is a function of its own because [`unpack`] is compiled twice.
#[cold]
fn explain(
    kind: &Kind<'_>,
    index: usize,
    item: &Bound<'_, PyAny>,
    expected: String,
    error: PyErr,
) -> PyErr {
    let (one, operation) = (kind.one, kind.operation);
    let mut why = error.value(item.py()).to_string();
    if why.starts_with("incompatible function arguments") {
        // Upstream casts types in C++, whose error this text is; the line behind it shows the object that was
        // given.
        "std::bad_cast".clone_into(&mut why);
    }
    PyValueError::new_err(format!(
        "{one} {index} of operation \"{operation}\" must be a {expected} ({why}){}",
        line_about(item)
    ))
}

/// Flattens a list of items. By its segment, an item may be optional or a list itself; `sizes` gets the
/// number of elements of each item.
fn unpack<'py, T>(
    kind: &Kind<'_>,
    given: &Bound<'py, PyList>,
    segments: Option<&[i32]>,
    sizes: &mut Vec<i32>,
    convert: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Few<T>> {
    let Kind {
        operation,
        one,
        what,
        group,
    } = kind;
    let Some(segments) = segments else {
        // A loop takes fewer instructions than `collect`, which asks each step for an error.
        let mut out = Few::with_capacity(given.len());
        for (index, item) in given.iter().enumerate() {
            let converted = convert(&item);
            out.push(
                converted
                    .map_err(|error| explain(kind, index, &item, (*what).to_owned(), error))?,
            );
        }
        return Ok(out);
    };
    if segments.len() != given.len() {
        return Err(PyValueError::new_err(format!(
            "Operation \"{operation}\" requires {} {group} segments but was provided {}",
            segments.len(),
            given.len()
        )));
    }
    let mut out = Few::new();
    for (index, (item, segment)) in given.iter().zip(segments).enumerate() {
        let before = out.len();
        match segment {
            0 | 1 if !item.is_none() => {
                out.push(
                    convert(&item)
                        .map_err(|error| explain(kind, index, &item, (*what).to_owned(), error))?,
                );
            }
            1 => {
                return Err(PyValueError::new_err(format!(
                    "{one} {index} of operation \"{operation}\" must be a {what} (was None and \
                     {group} is not optional){}",
                    line_about(&item)
                )));
            }
            0 => {}
            -1 if item.is_none() => {}
            -1 => {
                let items = item
                    .cast::<PySequence>()
                    .map_err(PyErr::from)
                    .and_then(|items| {
                        items
                            .try_iter()?
                            .map(|item| convert(&item?))
                            .collect::<PyResult<Vec<T>>>()
                    });
                out.extend(items.map_err(|error| {
                    explain(kind, index, &item, format!("Sequence of {what}s"), error)
                })?);
            }
            _ => return Err(PyValueError::new_err("Unexpected segment spec")),
        }
        sizes.push(
            i32::try_from(out.len() - before).map_err(|_| {
                PyValueError::new_err(format!("{one} {index} has too many elements"))
            })?,
        );
    }
    Ok(out)
}
