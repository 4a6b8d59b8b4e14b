//! Conversions of arguments that a Python function accepts in several forms: integers, and sequences of
//! integers, types or attributes. Errors have upstream's text.

use std::any::type_name;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyIterator, PyList, PyString, PyTuple};
use smallvec::SmallVec;

use crate::interop::callback::{is_exception, unless_interrupted};
use crate::ir::attribute::Attribute;
use crate::ir::types::Type;
use crate::ownership::context::Entered;

/// The maximum number of characters of an object's `repr` in a message.
const SHOWN: usize = 80;

/// An object and its type, for a message.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let class = object.get_type();
    let class = class
        .name()
        .map_or_else(|_| "?".into(), |name| name.to_string());
    match object.repr().map(|text| text.to_string()) {
        Ok(text) if text.chars().count() <= SHOWN => format!("{text}, of type {class}"),
        _ => format!("an object of type {class}"),
    }
}

/// An integer argument: an `int`, or an object that converts to one without loss. A number outside of the
/// range of `T` is a `TypeError`, as an argument of a wrong class is.
pub(crate) struct Int<T>(pub(crate) T);

impl<'py, T> FromPyObject<'_, 'py> for Int<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        integer(&object).map(Self)
    }
}

/// Converts an object to an integer.
pub(crate) fn integer<'py, T>(object: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let unfit: PyErr = match object.extract() {
        Ok(value) => return Ok(value),
        Err(error) => Into::<PyErr>::into(error),
    };
    converted(object, unfit)
}

/// Converts an object without a usable `__index__` by its `__int__`. It is a function of its own to keep
/// [`integer`] small, which is called often.
#[cold]
fn converted<'py, T>(object: &Bound<'py, PyAny>, unfit: PyErr) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let py = object.py();
    if !is_exception(py, &unfit) {
        return Err(unfit);
    }
    // `IntegerAttr` and other attributes have an `__int__`. That of floating-point numbers loses the
    // fraction, and strings would be parsed.
    if !object.is_instance_of::<PyFloat>()
        && let Ok(convert) = object.getattr("__int__")
    {
        let value = convert.call0().and_then(|value| {
            let value: PyResult<T> = value.extract().map_err(Into::into);
            value
        });
        match value {
            Err(error) if is_exception(py, &error) => {}
            other => return other,
        }
    }
    let range = if object.is_instance_of::<PyInt>() {
        range::<T>()
    } else {
        String::new()
    };
    Err(PyTypeError::new_err(format!(
        "incompatible function arguments: expected an int{range}, not {}",
        object.repr()?
    )))
}

/// The range of an integer type of Rust, for a message.
fn range<T>() -> String {
    let bits = 8 * size_of::<T>();
    match type_name::<T>().starts_with('u') {
        true => format!(" from 0 to {}", u128::MAX >> (128 - bits)),
        false => {
            let greatest = i128::MAX >> (128 - bits);
            format!(" from {} to {greatest}", -greatest - 1)
        }
    }
}

/// An iterator over a sequence. It is a function of its own because each caller has a copy of [`each`].
#[cold]
pub(crate) fn iterate<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let why = if sequence.is_instance_of::<PyString>() || sequence.is_instance_of::<PyBytes>() {
        format!(", not the single {}", sequence.repr()?)
    } else {
        return elements(sequence);
    };
    Err(no_sequence(&why))
}

/// An iterator over any iterable object.
#[cold]
pub(crate) fn elements<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let py = object.py();
    let no_sequence = |error: &PyErr| no_sequence(&format!(" ({})", error.value(py)));
    object
        .try_iter()
        .map_err(|error| unless_interrupted(py, error, no_sequence))
}

fn no_sequence(why: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "incompatible function arguments: expected a sequence{why}"
    ))
}

/// Calls `take` with each element of a sequence or of another iterable object.
pub(crate) fn each<'py>(
    sequence: &Bound<'py, PyAny>,
    mut take: impl FnMut(Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(list) = sequence.cast::<PyList>() {
        return list.iter().try_for_each(take);
    }
    if let Ok(tuple) = sequence.cast::<PyTuple>() {
        return tuple.iter().try_for_each(take);
    }
    let elements = iterate(sequence)?;
    for element in elements {
        take(element?)?;
    }
    Ok(())
}

/// The number of elements to make room for: what a sequence says of its length may be wrong, and is believed up to a limit.
pub(crate) fn likely_length(sequence: &Bound<'_, PyAny>) -> usize {
    const MOST: usize = 1 << 12;
    sequence.len().map_or(0, |length| length.min(MOST))
}

/// The number of integers that fit into [`Ints`] without an allocation.
const INLINE: usize = 6;

/// A sequence of integers, for instance a shape. A short one is stored without an allocation.
pub(crate) struct Ints {
    first: [i64; INLINE],
    length: usize,
    /// All integers, if there are more than [`INLINE`].
    many: Vec<i64>,
}

impl Ints {
    #[inline]
    pub(crate) fn as_slice(&self) -> &[i64] {
        if self.many.is_empty() {
            &self.first[..self.length]
        } else {
            &self.many
        }
    }

    fn push(&mut self, number: i64) {
        if self.length < INLINE {
            self.first[self.length] = number;
        } else {
            if self.many.is_empty() {
                self.many.extend_from_slice(&self.first);
            }
            self.many.push(number);
        }
        self.length += 1;
    }
}

impl<'py> FromPyObject<'_, 'py> for Ints {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let mut ints = Self {
            first: [0; INLINE],
            length: 0,
            many: Vec::new(),
        };
        each(&object, |element| {
            ints.push(integer(&element)?);
            Ok(())
        })?;
        Ok(ints)
    }
}

/// The wrappers of types in a sequence.
pub(crate) fn type_objects<'py>(
    sequence: &Bound<'py, PyAny>,
) -> PyResult<SmallVec<[Bound<'py, Type>; 4]>> {
    let mut types = SmallVec::with_capacity(likely_length(sequence));
    each(sequence, |element| {
        let element = element.cast::<Type>().map_err(|_| {
            let at = types.len();
            PyTypeError::new_err(format!(
                "incompatible function arguments: element {at} of the types must be a Type, and is {}",
                shown(&element)
            ))
        })?;
        types.push(element.clone());
        Ok(())
    })?;
    Ok(types)
}

/// The wrappers of attributes in a sequence; `wrong` makes the exception for an element that is no attribute.
pub(crate) fn attribute_objects<'py>(
    sequence: &Bound<'py, PyAny>,
    wrong: impl Fn(&Bound<'_, PyAny>) -> PyErr,
) -> PyResult<SmallVec<[Bound<'py, Attribute>; 4]>> {
    let mut attributes = SmallVec::with_capacity(likely_length(sequence));
    each(sequence, |element| {
        let attribute = element.cast_into::<Attribute>();
        attributes.push(attribute.map_err(|error| wrong(&error.into_inner()))?);
        Ok(())
    })?;
    Ok(attributes)
}

/// The handles of attributes, in the context that was entered.
pub(crate) fn attributes_within<'ctx>(
    attributes: &[Bound<'_, Attribute>],
    ctx: Entered<'_, 'ctx>,
) -> PyResult<SmallVec<[mondo_ir::Attribute<'ctx>; 4]>> {
    attributes
        .iter()
        .map(|attribute| attribute.get().within(ctx))
        .collect()
}

/// The handles of types, in the context that was entered.
pub(crate) fn types_within<'ctx>(
    types: &[Bound<'_, Type>],
    ctx: Entered<'_, 'ctx>,
) -> PyResult<SmallVec<[mondo_ir::Type<'ctx>; 4]>> {
    types.iter().map(|ty| ty.get().within(ctx)).collect()
}

/// The handle of an optional attribute, in the context that was entered.
pub(crate) fn maybe_within<'ctx>(
    attribute: Option<&Bound<'_, Attribute>>,
    ctx: Entered<'_, 'ctx>,
) -> PyResult<Option<mondo_ir::Attribute<'ctx>>> {
    attribute
        .map(|attribute| attribute.get().within(ctx))
        .transpose()
}

/// The most dimensions or symbols that a number asks for: each takes memory and a place in the text.
const MOST_PLACES: isize = 65535;

/// Checks a number of dimensions, symbols or results.
pub(crate) fn places(what: &str, number: isize) -> PyResult<u32> {
    match u32::try_from(number) {
        Ok(places) if number <= MOST_PLACES => Ok(places),
        _ => Err(PyValueError::new_err(format!(
            "{what} must be from 0 to {MOST_PLACES}, not {number}"
        ))),
    }
}

/// Checks an index: MLIR has 32 bits for it, without a sign.
pub(crate) fn count(what: &str, number: isize) -> PyResult<isize> {
    if u32::try_from(number).is_ok() {
        Ok(number)
    } else {
        Err(PyValueError::new_err(format!(
            "{what} must be from 0 to {}, not {number}",
            u32::MAX
        )))
    }
}
