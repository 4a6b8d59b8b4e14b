//! The exceptions for missing elements of lists and maps: upstream's text, followed by the indices or names
//! that exist.

use pyo3::PyErr;
use pyo3::exceptions::{PyIndexError, PyKeyError};

/// The exception for an index into a list of `count` elements that is out of range.
#[cold]
#[inline(never)]
pub(crate) fn out_of_range(text: &str, count: usize) -> PyErr {
    let indices = match count {
        0 => "there is no element".to_owned(),
        1 => "the only element has the index 0".to_owned(),
        _ => format!(
            "there are {count} elements, with the indices 0 to {}",
            count - 1
        ),
    };
    PyIndexError::new_err(format!("{text}\n{indices}"))
}

/// The exception for an attribute's name that an object does not have. The text has one line, because Python
/// shows the `repr` of a `KeyError`'s text.
#[cold]
#[inline(never)]
pub(crate) fn no_attribute(doing: &str, name: &str, of: &str, names: &[String]) -> PyErr {
    let names = match names {
        [] => "no attribute at all".to_owned(),
        _ => format!("but '{}'", names.join("', '")),
    };
    PyKeyError::new_err(format!(
        "attempt to {doing} a non-existent attribute: {of} has no '{name}', {names}"
    ))
}
