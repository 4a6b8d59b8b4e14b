//! `FloatType` and the classes of the formats.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::derived_class::{self, context_for, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// A floating point type.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct FloatType;

type_kind!(FloatType, mlirTypeIsAFloat, None, None);

#[pymethods]
impl FloatType {
    /// The number of bits of the numbers.
    #[getter]
    fn width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the type is a live floating point type.
        Ok(unsafe { mlirFloatTypeGetWidth(type_of(slf)?) })
    }
}

/// Defines the class of each format, and publishes all of them.
macro_rules! formats {
    ($($(#[$since:meta])? $class:ident: $get:ident, $is:ident, $type_id:ident, $name:ident, $doc:literal;)+) => {
        $(
            $(#[$since])?
            #[doc = $doc]
            #[pyclass(frozen, subclass, extends = FloatType)]
            struct $class;

            $(#[$since])?
            type_kind!($class, $is, Some($type_id), Some($name));

            $(#[$since])?
            #[pymethods]
            impl $class {
                /// The type.
                #[staticmethod]
                #[pyo3(signature = (context = None))]
                fn get(
                    py: Python<'_>,
                    context: Option<Bound<'_, Context>>,
                ) -> PyResult<Py<PyAny>> {
                    let (context, raw) = context_for(py, context)?;
                    // SAFETY: the context is live.
                    unsafe { types::wrap(py, &context, $get(raw)) }
                }
            }
        )+

        pub(super) fn install<'py>(
            ir: &Bound<'py, PyModule>,
            parent: &Bound<'py, PyType>,
        ) -> PyResult<()> {
            let float = derived_class::publish::<FloatType>(ir, parent)?;
            $($(#[$since])? derived_class::publish::<$class>(ir, &float)?;)+
            Ok(())
        }
    };
}

formats! {
    #[cfg(not(llvm_before = "22"))]
    Float4E2M1FNType: mlirFloat4E2M1FNTypeGet, mlirTypeIsAFloat4E2M1FN,
        mlirFloat4E2M1FNTypeGetTypeID, mlirFloat4E2M1FNTypeGetName,
        "Four bits: two of exponent, one of mantissa; finite.";
    #[cfg(not(llvm_before = "22"))]
    Float6E2M3FNType: mlirFloat6E2M3FNTypeGet, mlirTypeIsAFloat6E2M3FN,
        mlirFloat6E2M3FNTypeGetTypeID, mlirFloat6E2M3FNTypeGetName,
        "Six bits: two of exponent, three of mantissa; finite.";
    #[cfg(not(llvm_before = "22"))]
    Float6E3M2FNType: mlirFloat6E3M2FNTypeGet, mlirTypeIsAFloat6E3M2FN,
        mlirFloat6E3M2FNTypeGetTypeID, mlirFloat6E3M2FNTypeGetName,
        "Six bits: three of exponent, two of mantissa; finite.";
    Float8E4M3FNType: mlirFloat8E4M3FNTypeGet, mlirTypeIsAFloat8E4M3FN,
        mlirFloat8E4M3FNTypeGetTypeID, mlirFloat8E4M3FNTypeGetName,
        "Eight bits: four of exponent, three of mantissa; no infinities.";
    Float8E5M2Type: mlirFloat8E5M2TypeGet, mlirTypeIsAFloat8E5M2,
        mlirFloat8E5M2TypeGetTypeID, mlirFloat8E5M2TypeGetName,
        "Eight bits: five of exponent, two of mantissa; as IEEE 754 has them.";
    Float8E4M3Type: mlirFloat8E4M3TypeGet, mlirTypeIsAFloat8E4M3,
        mlirFloat8E4M3TypeGetTypeID, mlirFloat8E4M3TypeGetName,
        "Eight bits: four of exponent, three of mantissa; as IEEE 754 has them.";
    Float8E4M3FNUZType: mlirFloat8E4M3FNUZTypeGet, mlirTypeIsAFloat8E4M3FNUZ,
        mlirFloat8E4M3FNUZTypeGetTypeID, mlirFloat8E4M3FNUZTypeGetName,
        "Eight bits: four of exponent, three of mantissa; no infinities, one zero.";
    Float8E4M3B11FNUZType: mlirFloat8E4M3B11FNUZTypeGet, mlirTypeIsAFloat8E4M3B11FNUZ,
        mlirFloat8E4M3B11FNUZTypeGetTypeID, mlirFloat8E4M3B11FNUZTypeGetName,
        "Eight bits: four of exponent with a bias of 11, three of mantissa; no infinities, one zero.";
    Float8E5M2FNUZType: mlirFloat8E5M2FNUZTypeGet, mlirTypeIsAFloat8E5M2FNUZ,
        mlirFloat8E5M2FNUZTypeGetTypeID, mlirFloat8E5M2FNUZTypeGetName,
        "Eight bits: five of exponent, two of mantissa; no infinities, one zero.";
    #[cfg(not(llvm_before = "22"))]
    Float8E3M4Type: mlirFloat8E3M4TypeGet, mlirTypeIsAFloat8E3M4,
        mlirFloat8E3M4TypeGetTypeID, mlirFloat8E3M4TypeGetName,
        "Eight bits: three of exponent, four of mantissa; as IEEE 754 has them.";
    #[cfg(not(llvm_before = "22"))]
    Float8E8M0FNUType: mlirFloat8E8M0FNUTypeGet, mlirTypeIsAFloat8E8M0FNU,
        mlirFloat8E8M0FNUTypeGetTypeID, mlirFloat8E8M0FNUTypeGetName,
        "Eight bits, all of them exponent.";
    BF16Type: mlirBF16TypeGet, mlirTypeIsABF16,
        mlirBFloat16TypeGetTypeID, mlirBF16TypeGetName,
        "Sixteen bits: eight of exponent, seven of mantissa.";
    F16Type: mlirF16TypeGet, mlirTypeIsAF16,
        mlirFloat16TypeGetTypeID, mlirF16TypeGetName,
        "Half precision.";
    FloatTF32Type: mlirTF32TypeGet, mlirTypeIsATF32,
        mlirFloatTF32TypeGetTypeID, mlirTF32TypeGetName,
        "Nineteen bits: eight of exponent, ten of mantissa.";
    F32Type: mlirF32TypeGet, mlirTypeIsAF32,
        mlirFloat32TypeGetTypeID, mlirF32TypeGetName,
        "Single precision.";
    F64Type: mlirF64TypeGet, mlirTypeIsAF64,
        mlirFloat64TypeGetTypeID, mlirF64TypeGetName,
        "Double precision.";
}
