//! Lists of what a map or a set has: places in it, which a slice picks from.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PySlice};

/// The places that a list shows, by their start, number and distance.
#[derive(Clone, Copy)]
pub(super) struct Places {
    start: isize,
    length: isize,
    step: isize,
}

/// What an index or a slice picked.
pub(super) enum Picked {
    One(isize),
    Some(Places),
}

impl Places {
    /// All of `length` places.
    pub(super) fn all(length: isize) -> Self {
        Self {
            start: 0,
            length,
            step: 1,
        }
    }

    pub(super) fn len(self) -> usize {
        self.length.unsigned_abs()
    }

    /// The places, in their order.
    pub(super) fn each(self) -> impl Iterator<Item = isize> {
        (0..self.length).map(move |at| self.start + at * self.step)
    }

    /// What a Python key picks.
    pub(super) fn pick(self, key: &Bound<'_, PyAny>) -> PyResult<Picked> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let range = slice.indices(self.length)?;
            return Ok(Picked::Some(Self {
                start: self.start + range.start * self.step,
                length: range.slicelength as isize,
                // A single place needs no distance, and a large one would overflow.
                step: if range.slicelength > 1 {
                    self.step * range.step
                } else {
                    1
                },
            }));
        }
        let index: isize = key
            .extract()
            .map_err(|_| PyValueError::new_err("expected integer or slice"))?;
        let index = if index < 0 {
            index + self.length
        } else {
            index
        };
        if (0..self.length).contains(&index) {
            Ok(Picked::One(self.start + index * self.step))
        } else {
            Err(PyIndexError::new_err("index out of range"))
        }
    }
}
