//! `_mlirDialectsLLVM`: the types of the `llvm` dialect.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::making::{context_with, load, value_error};
use crate::interop::string::{string_ref, to_string};
use crate::ir::arguments::{Int, types_in};
use crate::ir::derived_class::{self, Site, type_in, type_kind, type_of};
use crate::ir::error::{ErrorCapture, succeeded};
use crate::ir::location::Location;
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// A structure, which is known by its name or by what it consists of.
#[pyclass(frozen, subclass, extends = Type)]
struct StructType;

type_kind!(
    StructType,
    mlirTypeIsALLVMStructType,
    Some(mlirLLVMStructTypeGetTypeID),
    Some(mlirLLVMStructTypeGetName)
);

/// The structure of `elements` without a name; what cannot be an element is a `ValueError` that has
/// the diagnostic.
fn literal(
    py: Python<'_>,
    context: &Py<Context>,
    location: MlirLocation,
    elements: &[MlirType],
    packed: bool,
) -> PyResult<MlirType> {
    let (raw, errors) = ErrorCapture::run(py, context, || {
        let count = elements.len() as isize;
        // SAFETY: location and types are live and of one context; MLIR checks the types.
        unsafe { mlirLLVMStructTypeLiteralGetChecked(location, count, elements.as_ptr(), packed) }
    })?;
    if raw.ptr.is_null() {
        return Err(value_error(py, errors.into_error(py, "Invalid type")));
    }
    Ok(raw)
}

/// The types of a structure with a name, which MLIR itself does not check.
fn checked_elements(
    py: Python<'_>,
    context: &Py<Context>,
    elements: &Bound<'_, PyAny>,
) -> PyResult<Vec<MlirType>> {
    let elements = types_in(elements, context)?;
    // SAFETY: the context is live.
    let location = unsafe { mlirLocationUnknownGet(context.get().get(py)?) };
    literal(py, context, location, &elements, false)?;
    Ok(elements)
}

#[pymethods]
impl StructType {
    /// The structure without a name that has these elements.
    #[staticmethod]
    #[pyo3(signature = (elements, *, packed = false, loc = None, context = None))]
    fn get_literal(
        py: Python<'_>,
        elements: &Bound<'_, PyAny>,
        packed: bool,
        loc: Option<Bound<'_, Location>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        // A context is given only where there is no location to take it from.
        let site = match (loc, context) {
            (None, Some(context)) => Site::unknown(py, Some(context))?,
            (loc, _) => Site::at(py, loc)?,
        };
        load(py, &site.context, mlirGetDialectHandle__llvm__)?;
        let elements = types_in(elements, &site.context)?;
        let raw = literal(py, &site.context, site.location, &elements, packed)?;
        // SAFETY: the type was made in this context.
        unsafe { types::wrap(py, &site.context, raw) }
    }

    /// The same, where nobody checks whether a structure can have such elements.
    #[staticmethod]
    #[pyo3(signature = (elements, *, packed = false, context = None))]
    fn get_literal_unchecked(
        py: Python<'_>,
        elements: &Bound<'_, PyAny>,
        packed: bool,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__llvm__)?;
        let elements = types_in(elements, &context)?;
        let count = elements.len() as isize;
        // SAFETY: context and types are live and belong together.
        unsafe {
            let raw = mlirLLVMStructTypeLiteralGet(raw, count, elements.as_ptr(), packed);
            types::wrap(py, &context, raw)
        }
    }

    /// The structure of this name. It has no body until somebody sets it.
    #[staticmethod]
    #[pyo3(signature = (name, *, context = None))]
    fn get_identified(
        py: Python<'_>,
        name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__llvm__)?;
        // SAFETY: the context is live, and MLIR copies the name.
        unsafe {
            let raw = mlirLLVMStructTypeIdentifiedGet(raw, string_ref(name));
            types::wrap(py, &context, raw)
        }
    }

    /// The structure of this name, which never gets a body.
    #[staticmethod]
    #[pyo3(signature = (name, context = None))]
    fn get_opaque(
        py: Python<'_>,
        name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__llvm__)?;
        // SAFETY: the context is live, and MLIR copies the name.
        unsafe {
            let raw = mlirLLVMStructTypeOpaqueGet(raw, string_ref(name));
            types::wrap(py, &context, raw)
        }
    }

    /// Gives a structure with a name its elements; they cannot be changed any more.
    #[pyo3(signature = (elements, *, packed = false))]
    fn set_body(slf: &Bound<'_, Self>, elements: &Bound<'_, PyAny>, packed: bool) -> PyResult<()> {
        let (raw, context) = type_in(slf)?;
        let elements = checked_elements(slf.py(), &context, elements)?;
        let count = elements.len() as isize;
        // SAFETY: the type is a live structure, and its elements are of its context.
        let done = unsafe { mlirLLVMStructTypeSetBody(raw, count, elements.as_ptr(), packed) };
        if succeeded(done) {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "Struct body already set to different content.",
        ))
    }

    /// A new structure with a name like this one, and these elements.
    #[staticmethod]
    #[pyo3(signature = (name, elements, *, packed = false, context = None))]
    fn new_identified(
        py: Python<'_>,
        name: &str,
        elements: &Bound<'_, PyAny>,
        packed: bool,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__llvm__)?;
        let elements = checked_elements(py, &context, elements)?;
        // SAFETY: context and types are live and belong together, and MLIR copies the name.
        unsafe {
            let raw = mlirLLVMStructTypeIdentifiedNewGet(
                raw,
                string_ref(name),
                elements.len() as isize,
                elements.as_ptr(),
                packed,
            );
            types::wrap(py, &context, raw)
        }
    }

    /// The name, if the structure has one.
    #[getter]
    fn name(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live structure, which owns its name.
        Ok(unsafe {
            (!mlirLLVMStructTypeIsLiteral(raw))
                .then(|| to_string(mlirLLVMStructTypeGetIdentifier(raw)))
        })
    }

    /// The types of the elements; None where there is no body.
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> PyResult<Option<Vec<Py<PyAny>>>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live structure.
        if unsafe { mlirLLVMStructTypeIsOpaque(raw) } {
            return Ok(None);
        }
        // SAFETY: as above, and it has a body.
        let length = unsafe { mlirLLVMStructTypeGetNumElementTypes(raw) };
        (0..length)
            .map(|at| {
                // SAFETY: as above, and it has this element, which is of the same context.
                unsafe {
                    let element = mlirLLVMStructTypeGetElementType(raw, at);
                    types::wrap(slf.py(), &context, element)
                }
            })
            .collect::<PyResult<_>>()
            .map(Some)
    }

    /// True if the elements are put next to one another, however they are aligned.
    #[getter]
    fn packed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live structure.
        Ok(unsafe { mlirLLVMStructTypeIsPacked(type_of(slf)?) })
    }

    /// Returns whether there is no body.
    // Under the name `opaque`, PyO3's functions for it and for `get_opaque` would be one.
    #[getter(opaque)]
    fn has_no_body(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live structure.
        Ok(unsafe { mlirLLVMStructTypeIsOpaque(type_of(slf)?) })
    }
}

/// A pointer into an address space.
#[pyclass(frozen, subclass, extends = Type)]
struct PointerType;

type_kind!(
    PointerType,
    mlirTypeIsALLVMPointerType,
    Some(mlirLLVMPointerTypeGetTypeID),
    Some(mlirLLVMPointerTypeGetName)
);

#[pymethods]
impl PointerType {
    /// The type of pointers into this address space, or into the first.
    #[staticmethod]
    #[pyo3(signature = (address_space = None, *, context = None))]
    fn get(
        py: Python<'_>,
        address_space: Option<Int<u32>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__llvm__)?;
        let space = address_space.map_or(0, |space| space.0);
        // SAFETY: the context is live.
        unsafe { types::wrap(py, &context, mlirLLVMPointerTypeGet(raw, space)) }
    }

    /// The number of the address space that the pointer points into; 0 is the default.
    #[getter]
    fn address_space(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the type is a live pointer type.
        Ok(unsafe { mlirLLVMPointerTypeGetAddressSpace(type_of(slf)?) })
    }
}

mod translation {
    use mondo_sys::mondoTranslateModuleToLLVMIR;
    use pyo3::prelude::*;

    use super::super::making::value_error;
    use crate::interop::string::collect;
    use crate::ir::error::ErrorCapture;
    use crate::ir::error::succeeded;
    use crate::ownership::operation::OperationBase;
    use crate::ownership::reentrancy;

    /// The LLVM IR of a module; raises `ValueError` if it cannot be translated.
    #[pyfunction]
    pub(super) fn translate_module_to_llvmir(
        module: &Bound<'_, OperationBase>,
    ) -> PyResult<String> {
        let py = module.py();
        let base = module.get();
        let op = base.get(py)?;
        let context = base.context_of(py)?;
        // Branches to one block with different arguments are given blocks of their own.
        reentrancy::refuse_edit(py, context.get(), op)?;
        let mut text = String::new();
        let (done, errors) = ErrorCapture::run(py, &context, || {
            let mut done = None;
            text = collect(|callback, data| {
                // SAFETY: the operation is live; the callback and its data belong together.
                done = Some(unsafe { mondoTranslateModuleToLLVMIR(op, callback, data) });
            });
            done
        })?;
        if done.is_some_and(succeeded) {
            return Ok(text);
        }
        let cause = errors.into_error(py, "Failed to translate the module to LLVM IR");
        Err(value_error(py, cause))
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<StructType>(module, parent)?;
    derived_class::publish::<PointerType>(module, parent)?;
    Ok(())
}

/// Adds the translation, for a bundle that has it.
pub(super) fn fill_translation(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr(
        "translate_module_to_llvmir",
        wrap_pyfunction!(translation::translate_module_to_llvmir, module)?,
    )
}
