//! The common part of the list classes of `ir`: a slice of an underlying list, which can be indexed and
//! sliced again.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator, PyList, PyModule, PySlice};

use crate::interop::callback::unless_interrupted;
use crate::interop::missing_elements::out_of_range;
use crate::ownership::tree::Tree;

/// The indices of the underlying list that a slice has.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    start: isize,
    length: isize,
    step: isize,
}

/// The element or the slice that a key of `__getitem__` selects.
pub(crate) enum Picked {
    /// The element at this index of the underlying list.
    One(isize),
    Some(Span),
}

impl Span {
    /// All indices of a list.
    pub(crate) fn all(length: isize) -> Self {
        Self {
            start: 0,
            length,
            step: 1,
        }
    }

    pub(crate) fn len(self) -> usize {
        self.length.unsigned_abs()
    }

    fn nth(self, index: isize) -> isize {
        self.start + index * self.step
    }

    /// The indices in the underlying list.
    pub(crate) fn indices(self) -> impl Iterator<Item = isize> {
        (0..self.length).map(move |index| self.nth(index))
    }

    /// The index in the underlying list for one in the slice; a negative one counts from the end.
    #[inline]
    pub(crate) fn index(self, index: isize) -> PyResult<isize> {
        let index = if index < 0 {
            index.wrapping_add(self.length)
        } else {
            index
        };
        if !(0..self.length).contains(&index) {
            return Err(out_of_range("index out of range", self.len()));
        }
        Ok(self.nth(index))
    }

    /// The element or the slice that a key selects.
    #[inline]
    pub(crate) fn pick(self, key: &Bound<'_, PyAny>) -> PyResult<Picked> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let range = slice.indices(self.length)?;
            return Ok(Picked::Some(Self {
                start: self.nth(range.start),
                length: range.slicelength as isize,
                // A slice of at most one element may have any step, so that the product may overflow.
                step: self.step.wrapping_mul(range.step),
            }));
        }
        let index: isize = key.extract().map_err(|error| {
            unless_interrupted(key.py(), error, |_| {
                PyValueError::new_err("expected integer or slice")
            })
        })?;
        self.index(index).map(Picked::One)
    }

    /// An iterator over the elements, which are all read now.
    pub(crate) fn iter<'py>(
        self,
        py: Python<'py>,
        element: impl Fn(isize) -> PyResult<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyIterator>> {
        let all = self.indices().map(element).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, all)?.try_iter()
    }

    /// The elements of another list followed by those of the slice, as a list.
    pub(crate) fn add_to<'py>(
        self,
        others: &Bound<'py, PyIterator>,
        element: impl Fn(isize) -> PyResult<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut all = Vec::new();
        for item in others {
            all.push(item?.unbind());
        }
        for index in self.indices() {
            all.push(element(index)?);
        }
        PyList::new(others.py(), all)
    }

    /// The elements of the slice followed by those of another list, as a list.
    pub(crate) fn add<'py>(
        self,
        others: &Bound<'py, PyIterator>,
        element: impl Fn(isize) -> PyResult<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut all = self.indices().map(element).collect::<PyResult<Vec<_>>>()?;
        for item in others {
            all.push(item?.unbind());
        }
        PyList::new(others.py(), all)
    }
}

/// Sets `__nb_signature__` of list classes, in which generators of stubs find the class of the elements.
pub(crate) fn describe(ir: &Bound<'_, PyModule>, lists: &[(&str, &str)]) -> PyResult<()> {
    let module = ir.name()?;
    lists.iter().try_for_each(|(list, element)| {
        let text = format!("class {list}(collections.abc.Sequence[{module}.{element}])");
        ir.getattr(*list)?.setattr("__nb_signature__", text)
    })
}

/// The exception for an index that was in range when it was checked, and is no more after other Python code
/// has run.
pub(crate) fn removed(what: &str) -> PyErr {
    PyIndexError::new_err(format!("the {what} has been removed"))
}

/// Marks two trees as open, one of which uses a value or block of the other.
pub(crate) fn open_both(tree: &Bound<'_, Tree>, other: &Bound<'_, Tree>) {
    if !tree.is(other) {
        tree.get().open();
        other.get().open();
    }
}

/// Defines the class of a list: a slice of the parts of an operation or a block. `count` is a function that
/// returns how many parts there are.
macro_rules! list_class {
    ($(#[$doc:meta])* $class:ident of $owner:ty, $count:expr) => {
        $(#[$doc])*
        #[pyclass(frozen, sequence, subclass)]
        pub(crate) struct $class {
            of: Py<$owner>,
            span: Span,
        }

        impl_transient!($class { of } { span: Span::all(0) });

        impl $class {
            pub(crate) fn new<'py>(py: Python<'py>, of: Py<$owner>) -> PyResult<Bound<'py, Self>> {
                let span = Span::all(of.get().read(py, |subject| $count(subject))?);
                wrapper::new(py, Self { of, span })
            }
        }
    };
}
pub(crate) use list_class;

/// Defines the methods that each list has. The class has `element(&self, py, index)`, which returns an
/// element by its index in the underlying list. With `iterated`, the macro also defines an `__iter__` over
/// the elements at the time of the call.
macro_rules! list_methods {
    (iterated $class:ty { $($more:item)* }) => {
        crate::ir::lists::sequence::list_methods!($class {
            fn __iter__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
                self.span.iter(py, |index| self.element(py, index))
            }

            $($more)*
        });
    };
    ($class:ty { $($more:item)* }) => {
        #[pymethods]
        impl $class {
            fn __traverse__(
                &self,
                visit: pyo3::gc::PyVisit<'_>,
            ) -> Result<(), pyo3::gc::PyTraverseError> {
                visit.call(&self.of)
            }

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                // Fails if the node that has the list was destroyed.
                self.of.get().get(py)?;
                Ok(self.span.len())
            }

            fn __getitem__(
                &self,
                py: Python<'_>,
                key: &Bound<'_, pyo3::PyAny>,
            ) -> PyResult<Py<pyo3::PyAny>> {
                match self.span.pick(key)? {
                    crate::ir::lists::sequence::Picked::One(index) => self.element(py, index),
                    crate::ir::lists::sequence::Picked::Some(span) => {
                        let of = self.of.clone_ref(py);
                        Ok(crate::ownership::wrapper::new(py, Self { of, span })?.into_any().unbind())
                    }
                }
            }

            /// The index of the first element that is equal to `value`, as of a list.
            #[pyo3(signature = (value, start = 0, stop = isize::MAX, /))]
            fn index(
                &self,
                value: &Bound<'_, pyo3::PyAny>,
                start: isize,
                stop: isize,
            ) -> PyResult<usize> {
                let none = pyo3::types::PyList::empty(value.py()).try_iter()?;
                let all = self.span.add(&none, |index| self.element(value.py(), index))?;
                all.call_method1("index", (value, start, stop))?.extract()
            }

            /// The number of elements that are equal to `value`.
            #[pyo3(signature = (value, /))]
            fn count(&self, value: &Bound<'_, pyo3::PyAny>) -> PyResult<usize> {
                let none = pyo3::types::PyList::empty(value.py()).try_iter()?;
                let all = self.span.add(&none, |index| self.element(value.py(), index))?;
                all.call_method1("count", (value,))?.extract()
            }

            fn __add__<'py>(
                slf: &Bound<'py, Self>,
                other: &Bound<'py, pyo3::PyAny>,
            ) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                let list = slf.get();
                let others = crate::ir::arguments::iterate(other).map_err(|error| {
                    crate::interop::operators::refused(slf, "__add__", other, error)
                })?;
                list.span.add(&others, |index| list.element(other.py(), index))
            }

            fn __radd__<'py>(
                slf: &Bound<'py, Self>,
                other: &Bound<'py, pyo3::PyAny>,
            ) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                let list = slf.get();
                let others = crate::ir::arguments::iterate(other).map_err(|error| {
                    crate::interop::operators::refused(slf, "__radd__", other, error)
                })?;
                list.span.add_to(&others, |index| list.element(other.py(), index))
            }

            $($more)*
        }
    };
}
pub(crate) use list_methods;
