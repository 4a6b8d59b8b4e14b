//! `_mlirDialectsLLVM`: the types of the `llvm` dialect.

use mondo_ir::Location as Place;
use mondo_ir::dialects::Loaded;
use mondo_ir::dialects::llvm as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::translation::translate_module_to_llvmir;
use super::type_publication::value_error;
use crate::ir::arguments::{Int, type_objects, types_within};
use crate::ir::context_stack;
use crate::ir::derived_class::{self, Site, checked, enter, read_type, type_kind, with_type};
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::{Context, Entered};
use crate::ownership::wrapper::Wrapper;

/// A structure, which is known by its name or by what it consists of.
#[pyclass(frozen, subclass, extends = Type)]
struct StructType;

type_kind!(
    StructType: c::Struct,
    type_id: c::mlirLLVMStructTypeGetTypeID,
    name: c::mlirLLVMStructTypeGetName
);

/// Makes a structure without a name. A type that cannot be an element is a `ValueError` with the diagnostic.
/// For a structure with a name it serves as a check of the elements, which MLIR does not make.
fn literal<'ctx>(
    ctx: Entered<'_, 'ctx>,
    llvm: Loaded<'ctx, c::Llvm>,
    place: Place<'ctx>,
    elements: &[mondo_ir::Type<'ctx>],
    packed: bool,
) -> PyResult<c::StructType<'ctx>> {
    checked(ctx, "Invalid type", || {
        llvm.structure(place, elements, packed)
    })
    .map_err(|cause| value_error(ctx.py(), cause))
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
        // The argument `context` is used only without a location; a location has a context.
        let site = match (loc, context) {
            (None, Some(context)) => Site::unknown(py, Some(context))?,
            (loc, _) => Site::at(py, loc)?,
        };
        let elements = type_objects(elements)?;
        site.enter(py, |ctx, place| {
            let llvm = ctx.with_dialect();
            let elements = types_within(&elements, ctx)?;
            ctx.wrap(literal(ctx, llvm, place, &elements, packed)?)
        })
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
        let context = context_stack::resolve_context(py, context)?;
        let elements = type_objects(elements)?;
        Context::enter(py, &context, |ctx| {
            let llvm = ctx.with_dialect();
            ctx.wrap(llvm.structure_unchecked(&types_within(&elements, ctx)?, packed))
        })
    }

    /// The structure of this name. It has no body until somebody sets it.
    #[staticmethod]
    #[pyo3(signature = (name, *, context = None))]
    fn get_identified(
        py: Python<'_>,
        name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirLLVMStructTypeIdentifiedGet(
                ctx.with_dialect(),
                name.into(),
            ))
        })
    }

    /// The structure of this name, which never gets a body.
    #[staticmethod]
    #[pyo3(signature = (name, context = None))]
    fn get_opaque(
        py: Python<'_>,
        name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirLLVMStructTypeOpaqueGet(
                ctx.with_dialect(),
                name.into(),
            ))
        })
    }

    /// Gives a structure with a name its elements; they cannot be changed any more.
    #[pyo3(signature = (elements, *, packed = false))]
    fn set_body(slf: &Bound<'_, Self>, elements: &Bound<'_, PyAny>, packed: bool) -> PyResult<()> {
        let elements = type_objects(elements)?;
        let done = with_type(slf, |ctx, structure| {
            let elements = types_within(&elements, ctx)?;
            literal(ctx, ctx.with_dialect(), ctx.unknown(), &elements, false)?;
            ctx.set_body(structure, &elements, packed)
        })?;
        if done {
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
        let context = context_stack::resolve_context(py, context)?;
        let elements = type_objects(elements)?;
        Context::enter(py, &context, |ctx| {
            let llvm = ctx.with_dialect();
            let elements = types_within(&elements, ctx)?;
            literal(ctx, llvm, ctx.unknown(), &elements, false)?;
            ctx.wrap(llvm.new_structure(name, &elements, packed))
        })
    }

    /// The name, if the structure has one.
    #[getter]
    fn name(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        read_type(slf, |ty| ty.name().map(|name| name.to_text()))
    }

    /// The types of the elements; None where there is no body.
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> PyResult<Option<Vec<Py<PyAny>>>> {
        with_type(slf, |ctx, ty| {
            let wrapped = |elements: Vec<_>| {
                elements
                    .into_iter()
                    .map(|element| ctx.wrap(element))
                    .collect()
            };
            ty.body().map(wrapped).transpose()
        })
    }

    /// True if the elements are put next to one another, however they are aligned.
    #[getter]
    fn packed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirLLVMStructTypeIsPacked(ty))
    }

    /// Returns whether there is no body.
    // The method is not called `opaque`, because PyO3 would generate one symbol for this getter and for
    // `get_opaque`.
    #[getter(opaque)]
    fn has_no_body(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirLLVMStructTypeIsOpaque(ty))
    }
}

/// A pointer into an address space.
#[pyclass(frozen, subclass, extends = Type)]
struct PointerType;

type_kind!(
    PointerType: c::Pointer,
    type_id: c::mlirLLVMPointerTypeGetTypeID,
    name: c::mlirLLVMPointerTypeGetName
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
        let space = address_space.map_or(0, |space| space.0);
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirLLVMPointerTypeGet(ctx.with_dialect(), space))
        })
    }

    /// The number of the address space that the pointer points into; 0 is the default.
    #[getter]
    fn address_space(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_type(slf, |ty| c::mlirLLVMPointerTypeGetAddressSpace(ty))
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<StructType>(module, parent)?;
    derived_class::publish::<PointerType>(module, parent)?;
    Ok(())
}

/// Adds the translation to LLVM IR, for a bundle that has it.
pub(super) fn fill_translation(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr(
        "translate_module_to_llvmir",
        wrap_pyfunction!(translate_module_to_llvmir, module)?,
    )
}
