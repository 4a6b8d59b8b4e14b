//! The errors about elements that are not there: upstream's text, and then what there is.

use pyo3::PyErr;
use pyo3::exceptions::{PyIndexError, PyKeyError};

/// The exception for an index behind the last of so many elements.
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

/// The exception for a name that none of the attributes of an object has. Python shows the text of a
/// `KeyError` on one line.
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
