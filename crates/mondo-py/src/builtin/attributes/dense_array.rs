//! `DenseBoolArrayAttr`, `DenseI8ArrayAttr`, and the other classes of dense arrays: numbers of one type,
//! without a shape.

use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::attributes::{BoolArray, F32Array, F64Array, I8Array, I16Array, I32Array, I64Array};
use mondo_ir::declarations as c;
use pyo3::exceptions::PyIndexError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList, PyModule, PyType};

use super::array_elements;
use crate::interop::callback::unless_interrupted;
use crate::interop::casters;
use crate::interop::operators::{operand, refused};
use crate::interop::submodules::add_class;
use crate::ir::arguments::{Int, each, integer, likely_length};
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::{self, Kind, attribute_kind, read_attribute};
use crate::ownership::context::Context;

/// The truth value of an object, as the C API's `int`.
fn truth(object: &Bound<'_, PyAny>) -> PyResult<i32> {
    object.is_truthy().map(i32::from)
}

/// Converts a number to single precision.
fn single(object: &Bound<'_, PyAny>) -> PyResult<f32> {
    let number: f64 = object.extract()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding is what the caller asks for"
    )]
    Ok(number as f32)
}

/// Converts a number to double precision.
fn double(object: &Bound<'_, PyAny>) -> PyResult<f64> {
    object.extract()
}

/// Defines the class and the iterator for each type of elements, and the function that publishes all of them.
macro_rules! arrays {
    ($($class:ident, $iterator:ident: $element:ty, $stored:ty, $convert:expr, $get:ident, $kind:ident,
       $doc:literal;)+) => {
        $(
            #[doc = $doc]
            #[pyclass(frozen, sequence, subclass, extends = Attribute)]
            struct $class;

            attribute_kind!($class: $kind);

            impl $class {
                /// Appends the elements of a sequence to `values`.
                fn extend(
                    values: &mut Vec<$stored>,
                    sequence: &Bound<'_, PyAny>,
                ) -> PyResult<()> {
                    each(sequence, |value| {
                        values.push($convert(&value)?);
                        Ok(())
                    })
                }

                fn make(
                    py: Python<'_>,
                    context: &Py<Context>,
                    values: &[$stored],
                ) -> PyResult<Py<PyAny>> {
                    Context::enter(py, context, |ctx| ctx.wrap(ctx.$get(values)))
                }
            }

            #[pymethods]
            impl $class {
                /// The array of some values.
                #[staticmethod]
                #[pyo3(signature = (values, context = None))]
                fn get(
                    py: Python<'_>,
                    values: &Bound<'_, PyAny>,
                    context: Option<Bound<'_, Context>>,
                ) -> PyResult<Py<PyAny>> {
                    let context = context_stack::resolve_context(py, context)?;
                    let mut elements = Vec::with_capacity(likely_length(values));
                    Self::extend(&mut elements, values).map_err(|error| incompatible(py, error))?;
                    Self::make(py, &context, &elements)
                }

                fn __getitem__(
                    slf: &Bound<'_, Self>,
                    index: &Bound<'_, PyAny>,
                ) -> PyResult<$element> {
                    let index: Int<isize> = operand(slf, "__getitem__", index)?;
                    let element = read_attribute(slf, |array| {
                        let index = match index.0 {
                            index if index < 0 => index + array.count() as isize,
                            index => index,
                        };
                        usize::try_from(index).ok().and_then(|index| array.at(index))
                    })?;
                    element.ok_or_else(|| PyIndexError::new_err("DenseArray index out of range"))
                }

                fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
                    read_attribute(slf, |attribute| attribute.count())
                }

                fn __iter__(slf: &Bound<'_, Self>) -> $iterator {
                    $iterator {
                        array: slf.clone().unbind(),
                        next: AtomicUsize::new(0),
                    }
                }

                /// The array with more values behind its own.
                fn __add__(
                    slf: &Bound<'_, Self>,
                    extras: &Bound<'_, PyAny>,
                ) -> PyResult<Py<PyAny>> {
                    let context = slf.as_any().cast::<Attribute>()?.get().context_of(slf.py())?;
                    let values = read_attribute(slf, |attribute| attribute.values())?;
                    let mut elements: Vec<$stored> = values.into_iter().map(Into::into).collect();
                    Self::extend(&mut elements, extras).map_err(|error| {
                        if extras.is_instance_of::<PyList>() {
                            array_elements::not_an_element(slf.py(), &error)
                        } else {
                            refused(slf, "__add__", extras, error)
                        }
                    })?;
                    Self::make(slf.py(), &context, &elements)
                }
            }

            /// Goes through an array.
            #[pyclass(frozen, subclass)]
            struct $iterator {
                array: Py<$class>,
                next: AtomicUsize,
            }

            #[pymethods]
            impl $iterator {
                fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                    visit.call(&self.array)
                }

                fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                    slf
                }

                fn __next__(&self, py: Python<'_>) -> PyResult<Option<$element>> {
                    let at = self.next.load(Ordering::Relaxed);
                    let element = read_attribute(self.array.bind(py), |array| array.at(at))?;
                    if element.is_some() {
                        self.next.store(at + 1, Ordering::Relaxed);
                    }
                    Ok(element)
                }
            }
        )+

        pub(super) fn install<'py>(
            ir: &Bound<'py, PyModule>,
            parent: &Bound<'py, PyType>,
        ) -> PyResult<()> {
            let mut choices: Vec<(casters::Test, Py<PyType>)> = Vec::new();
            $(
                let class = derived_class::publish::<$class>(ir, parent)?;
                choices.push(($class::TEST, class.unbind()));
                add_class(ir, ir.py().get_type::<$iterator>())?;
            )+
            casters::add_choice(ir.py(), c::mlirDenseArrayAttrGetTypeID().key(), choices);
            Ok(())
        }
    };
}

arrays! {
    DenseBoolArrayAttr, DenseBoolArrayIterator: bool, i32, truth, bool_array, BoolArray, "An array of truth values.";
    DenseI8ArrayAttr, DenseI8ArrayIterator: i8, i8, integer, i8_array, I8Array, "An array of 8-bit integers.";
    DenseI16ArrayAttr, DenseI16ArrayIterator: i16, i16, integer, i16_array, I16Array, "An array of 16-bit integers.";
    DenseI32ArrayAttr, DenseI32ArrayIterator: i32, i32, integer, i32_array, I32Array, "An array of 32-bit integers.";
    DenseI64ArrayAttr, DenseI64ArrayIterator: i64, i64, integer, i64_array, I64Array, "An array of 64-bit integers.";
    DenseF32ArrayAttr, DenseF32ArrayIterator: f32, f32, single, f32_array, F32Array,
        "An array of numbers in single precision.";
    DenseF64ArrayAttr, DenseF64ArrayIterator: f64, f64, double, f64_array, F64Array,
        "An array of numbers in double precision.";
}

/// The exception for values that do not fit the type; its text begins as upstream's.
fn incompatible(py: Python<'_>, error: PyErr) -> PyErr {
    unless_interrupted(py, error, |error| {
        PyTypeError::new_err(format!(
            "get(): incompatible function arguments: {}",
            error.value(py)
        ))
    })
}
