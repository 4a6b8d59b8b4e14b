//! `FloatType`, and a class for each floating-point format.

use mondo_ir::declarations as c;
use mondo_ir::types::Float;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::derived_class::{self, enter, read_type, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A floating point type.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct FloatType;

type_kind!(FloatType: Float);

#[pymethods]
impl FloatType {
    /// The number of bits of the numbers.
    #[getter]
    fn width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_type(slf, |ty| c::mlirFloatTypeGetWidth(ty))
    }
}

/// Defines the class of each format, and the function that publishes all of them.
macro_rules! formats {
    ($($(#[$since:meta])? $class:ident: $kind:ident, $get:ident, $type_id:ident, $name:ident, $doc:literal;)+) => {
        $(
            $(#[$since])?
            #[doc = $doc]
            #[pyclass(frozen, subclass, extends = FloatType)]
            struct $class;

            $(#[$since])?
            type_kind!($class: c::$kind, type_id: c::$type_id, name: c::$name);

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
                    enter(py, context, |ctx| ctx.wrap(c::$get(*ctx)))
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
    Float4E2M1FNType: Float4E2M1FN, mlirFloat4E2M1FNTypeGet,
        mlirFloat4E2M1FNTypeGetTypeID, mlirFloat4E2M1FNTypeGetName,
        "Four bits: two of exponent, one of mantissa; finite.";
    #[cfg(not(llvm_before = "22"))]
    Float6E2M3FNType: Float6E2M3FN, mlirFloat6E2M3FNTypeGet,
        mlirFloat6E2M3FNTypeGetTypeID, mlirFloat6E2M3FNTypeGetName,
        "Six bits: two of exponent, three of mantissa; finite.";
    #[cfg(not(llvm_before = "22"))]
    Float6E3M2FNType: Float6E3M2FN, mlirFloat6E3M2FNTypeGet,
        mlirFloat6E3M2FNTypeGetTypeID, mlirFloat6E3M2FNTypeGetName,
        "Six bits: three of exponent, two of mantissa; finite.";
    Float8E4M3FNType: Float8E4M3FN, mlirFloat8E4M3FNTypeGet,
        mlirFloat8E4M3FNTypeGetTypeID, mlirFloat8E4M3FNTypeGetName,
        "Eight bits: four of exponent, three of mantissa; no infinities.";
    Float8E5M2Type: Float8E5M2, mlirFloat8E5M2TypeGet,
        mlirFloat8E5M2TypeGetTypeID, mlirFloat8E5M2TypeGetName,
        "Eight bits: five of exponent, two of mantissa; as IEEE 754 has them.";
    Float8E4M3Type: Float8E4M3, mlirFloat8E4M3TypeGet,
        mlirFloat8E4M3TypeGetTypeID, mlirFloat8E4M3TypeGetName,
        "Eight bits: four of exponent, three of mantissa; as IEEE 754 has them.";
    Float8E4M3FNUZType: Float8E4M3FNUZ, mlirFloat8E4M3FNUZTypeGet,
        mlirFloat8E4M3FNUZTypeGetTypeID, mlirFloat8E4M3FNUZTypeGetName,
        "Eight bits: four of exponent, three of mantissa; no infinities, one zero.";
    Float8E4M3B11FNUZType: Float8E4M3B11FNUZ, mlirFloat8E4M3B11FNUZTypeGet,
        mlirFloat8E4M3B11FNUZTypeGetTypeID, mlirFloat8E4M3B11FNUZTypeGetName,
        "Eight bits: four of exponent with a bias of 11, three of mantissa; no infinities, one zero.";
    Float8E5M2FNUZType: Float8E5M2FNUZ, mlirFloat8E5M2FNUZTypeGet,
        mlirFloat8E5M2FNUZTypeGetTypeID, mlirFloat8E5M2FNUZTypeGetName,
        "Eight bits: five of exponent, two of mantissa; no infinities, one zero.";
    #[cfg(not(llvm_before = "22"))]
    Float8E3M4Type: Float8E3M4, mlirFloat8E3M4TypeGet,
        mlirFloat8E3M4TypeGetTypeID, mlirFloat8E3M4TypeGetName,
        "Eight bits: three of exponent, four of mantissa; as IEEE 754 has them.";
    #[cfg(not(llvm_before = "22"))]
    Float8E8M0FNUType: Float8E8M0FNU, mlirFloat8E8M0FNUTypeGet,
        mlirFloat8E8M0FNUTypeGetTypeID, mlirFloat8E8M0FNUTypeGetName,
        "Eight bits, all of them exponent.";
    BF16Type: BF16, mlirBF16TypeGet,
        mlirBFloat16TypeGetTypeID, mlirBF16TypeGetName,
        "Sixteen bits: eight of exponent, seven of mantissa.";
    F16Type: F16, mlirF16TypeGet,
        mlirFloat16TypeGetTypeID, mlirF16TypeGetName,
        "Half precision.";
    FloatTF32Type: TF32, mlirTF32TypeGet,
        mlirFloatTF32TypeGetTypeID, mlirTF32TypeGetName,
        "Nineteen bits: eight of exponent, ten of mantissa.";
    F32Type: F32, mlirF32TypeGet,
        mlirFloat32TypeGetTypeID, mlirF32TypeGetName,
        "Single precision.";
    F64Type: F64, mlirF64TypeGet,
        mlirFloat64TypeGetTypeID, mlirF64TypeGetName,
        "Double precision.";
}
