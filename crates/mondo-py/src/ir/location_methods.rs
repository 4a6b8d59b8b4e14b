//! The methods of `Location`.

use mondo_ir::bundle::LLVM_MAJOR;
use mondo_ir::declarations as c;
use mondo_ir::location::{CallSite, FileRange, FileRangeLoc, Fused, LocationKind, Named};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::callback::unless_interrupted;
use crate::ir::arguments::maybe_within;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack::{self, context_manager_methods};
use crate::ir::derived_class::enter;
use crate::ir::error::needs_llvm;
use crate::ir::location::Location;
use crate::ir::types::TypeID;
use crate::ownership::context::Context;
use crate::ownership::uniqued_ref::UniquedRef;

/// The class name in the capsules of locations.
const CAPSULE: &str = "ir.Location";

/// Casts a location to a kind; fails with the kind's name if it is of another kind.
fn cast<'ctx, K: LocationKind>(
    location: mondo_ir::Location<'ctx>,
    kind: &str,
) -> PyResult<mondo_ir::Location<'ctx, K>> {
    location
        .downcast()
        .ok_or_else(|| PyValueError::new_err(format!("{location} is not a {kind}")))
}

impl Location {
    /// The wrapper of the location that `find` returns for this one, which has to be of the kind `K`.
    fn part<'py, K: LocationKind>(
        &self,
        py: Python<'py>,
        kind: &str,
        find: impl for<'ctx> FnOnce(mondo_ir::Location<'ctx, K>) -> mondo_ir::Location<'ctx>,
    ) -> PyResult<Bound<'py, Self>> {
        self.with(py, |ctx, location| {
            Self::new(py, ctx, find(cast(location, kind)?))
        })
    }

    /// The line or column that `look` returns, or -1 if the location is not in a file. It raises no
    /// exception, because programs read these of any location and compare them.
    fn position(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(FileRangeLoc<'ctx>) -> i32,
    ) -> PyResult<i32> {
        self.with(py, |_, location| Ok(location.downcast().map_or(-1, look)))
    }

    /// Returns whether the location is of the kind `K`.
    fn is<K: LocationKind>(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |_, location| Ok(location.is::<K>()))
    }
}

context_manager_methods!(Location {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.uniqued.traverse(&visit)
    }

    /// A capsule with the `MlirLocation`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.uniqued.to_capsule(py, CAPSULE)
    }

    /// The object for the `MlirLocation` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create<'py>(capsule: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = capsule.py();
        let uniqued = UniquedRef::<mondo_ir::Location<'static>>::from_capsule(capsule, CAPSULE)?;
        uniqued.with(py, |ctx, location| Self::new(py, ctx, location))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // Locations are unique in their context, so that the pointer decides.
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().uniqued.address() == self.uniqued.address())
    }

    fn __hash__(&self) -> usize {
        self.uniqued.address().as_ptr() as usize >> 4
    }

    /// A location that says nothing.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    pub(super) fn unknown<'py>(
        py: Python<'py>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        enter(py, context, |ctx| Self::new(py, ctx, ctx.unknown()))
    }

    /// A call: where the callee is, and the frames that called it, innermost first.
    #[staticmethod]
    #[pyo3(signature = (callee, frames, context = None))]
    pub(super) fn callsite<'py>(
        py: Python<'py>,
        callee: &Bound<'_, Self>,
        frames: Vec<Bound<'_, Self>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        enter(py, context, |ctx| {
            let mut frames = frames.iter().rev().map(|frame| frame.get().within(ctx));
            let mut caller = frames
                .next()
                .ok_or_else(|| PyValueError::new_err("No caller frames provided."))??;
            for frame in frames {
                caller = c::mlirLocationCallSiteGet(frame?, caller);
            }
            let callee = callee.get().within(ctx)?;
            let location = c::mlirLocationCallSiteGet(callee, caller);
            Self::new(py, ctx, ctx.checked_location(location)?)
        })
    }

    /// Returns whether it is the site of a call: a callee and a caller.
    fn is_a_callsite(&self, py: Python<'_>) -> PyResult<bool> {
        self.is::<CallSite>(py)
    }

    /// The location of what is called; of a call site only.
    #[getter]
    fn callee<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.part(py, "CallSiteLoc", |call_site| c::mlirLocationCallSiteGetCallee(call_site))
    }

    /// The location of the call; of a call site only.
    #[getter]
    fn caller<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.part(py, "CallSiteLoc", |call_site| c::mlirLocationCallSiteGetCaller(call_site))
    }

    /// A place in a file, `file(filename, line, col)`, or a range of it,
    /// `file(filename, start_line, start_col, end_line, end_col)`.
    #[staticmethod]
    #[pyo3(signature = (filename, *args, line = None, col = None, start_line = None,
                        start_col = None, end_line = None, end_col = None, context = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "upstream has two overloads of this name"
    )]
    pub(super) fn file<'py>(
        py: Python<'py>,
        filename: &str,
        args: &Bound<'_, PyTuple>,
        line: Option<u32>,
        col: Option<u32>,
        start_line: Option<u32>,
        start_col: Option<u32>,
        end_line: Option<u32>,
        end_col: Option<u32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let mut given = Vec::with_capacity(args.len());
        let mut context = context;
        for arg in args {
            match arg.cast::<Context>() {
                // The context may be the last positional argument.
                Ok(last) if context.is_none() => context = Some(last.clone()),
                _ => given.push(arg.extract::<u32>().map_err(|error| {
                    unless_interrupted(py, error, |why| {
                        PyTypeError::new_err(format!("incompatible function arguments: {why}"))
                    })
                })?),
            }
        }
        given.extend(
            [line.or(start_line), col.or(start_col), end_line, end_col]
                .iter()
                .flatten(),
        );
        enter(py, context, |ctx| {
            let file = filename.into();
            let made = match given[..] {
                [line, column] => Some(c::mlirLocationFileLineColGet(*ctx, file, line, column)),
                [line, column, end_line, end_column] => c::mlirLocationFileLineColRangeGet(
                    *ctx, file, line, column, end_line, end_column,
                ),
                _ => {
                    return Err(PyTypeError::new_err(
                        "incompatible function arguments: file() takes a line and a column, or two of each",
                    ));
                }
            };
            let location = made.ok_or_else(|| needs_llvm(22, "a location that is a range"))?;
            Self::new(py, ctx, location)
        })
    }

    /// Returns whether it is a range of a file.
    fn is_a_file(&self, py: Python<'_>) -> PyResult<bool> {
        self.is::<FileRange>(py)
    }

    /// The name of the file; of a location in a file only.
    #[getter]
    fn filename(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |_, location| {
            let name = c::mlirLocationFileLineColRangeGetFilename(cast(location, "FileLineColLoc")?);
            Ok(c::mlirIdentifierStr(name).to_text())
        })
    }

    /// The line that the range begins in, or -1 if the location is not one in a file.
    #[getter]
    fn start_line(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, |range| c::mlirLocationFileLineColRangeGetStartLine(range))
    }

    /// The column that the range begins at, or -1 if the location is not one in a file.
    #[getter]
    fn start_col(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, |range| c::mlirLocationFileLineColRangeGetStartColumn(range))
    }

    /// The line that the range ends in, or -1 if the location is not one in a file.
    #[getter]
    fn end_line(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, |range| c::mlirLocationFileLineColRangeGetEndLine(range))
    }

    /// The column that the range ends at, or -1 if the location is not one in a file.
    #[getter]
    fn end_col(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, |range| c::mlirLocationFileLineColRangeGetEndColumn(range))
    }

    /// Several locations as one.
    #[staticmethod]
    #[pyo3(signature = (locations, metadata = None, context = None))]
    pub(super) fn fused<'py>(
        py: Python<'py>,
        locations: Vec<Bound<'_, Self>>,
        metadata: Option<Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        enter(py, context, |ctx| {
            let parts = locations.iter().map(|part| part.get().within(ctx));
            let parts = parts.collect::<PyResult<Vec<_>>>()?;
            let metadata = maybe_within(metadata.as_ref(), ctx)?;
            Self::new(py, ctx, ctx.checked_location(ctx.fused(&parts, metadata))?)
        })
    }

    /// Returns whether it is several locations as one.
    fn is_a_fused(&self, py: Python<'_>) -> PyResult<bool> {
        self.is::<Fused>(py)
    }

    /// The parts of a fused location; none for any other.
    #[getter]
    fn locations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Self>>> {
        self.with(py, |ctx, location| {
            let parts = location.downcast::<Fused>().map(|fused| fused.parts());
            let parts = parts.into_iter().flatten();
            parts.map(|part| Self::new(py, ctx, part)).collect()
        })
    }

    /// The attribute that a fused location has beside its parts; none for any other.
    #[getter]
    fn metadata(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.with(py, |ctx, location| {
            let metadata = location.downcast::<Fused>();
            let metadata = metadata.and_then(|fused| c::mlirLocationFusedGetMetadata(fused));
            metadata.map(|metadata| ctx.wrap(metadata)).transpose()
        })
    }

    /// A name, and where what it names is.
    #[staticmethod]
    #[pyo3(signature = (name, childLoc = None, context = None))]
    #[expect(non_snake_case, reason = "upstream's name of the argument")]
    pub(super) fn name<'py>(
        py: Python<'py>,
        name: &str,
        childLoc: Option<Bound<'_, Self>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        enter(py, context, |ctx| {
            let child = match &childLoc {
                Some(child) => child.get().within(ctx)?,
                None => ctx.unknown(),
            };
            let location = c::mlirLocationNameGet(*ctx, name.into(), child);
            Self::new(py, ctx, ctx.checked_location(location)?)
        })
    }

    /// Returns whether it is a name with a location.
    fn is_a_name(&self, py: Python<'_>) -> PyResult<bool> {
        self.is::<Named>(py)
    }

    /// The name; of a named location only.
    #[getter]
    fn name_str(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |_, location| {
            let name = c::mlirLocationNameGetName(cast(location, "NameLoc")?);
            Ok(c::mlirIdentifierStr(name).to_text())
        })
    }

    /// The location that has the name; of a named location only.
    #[getter]
    fn child_loc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        self.part(py, "NameLoc", |named| c::mlirLocationNameGetChildLoc(named))
    }

    /// The context that the location lives in.
    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context_ref().clone_ref(py)
    }

    /// The location that an attribute stands for.
    #[staticmethod]
    #[pyo3(signature = (attribute, context = None))]
    fn from_attr<'py>(
        py: Python<'py>,
        attribute: &Bound<'_, Attribute>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = context_stack::resolve_context(py, context)?;
        let location = Context::enter(py, &context, |ctx| {
            let location = mondo_ir::Location::of_attribute(attribute.get().within(ctx)?);
            location.map(|location| Self::new(py, ctx, location)).transpose()
        })?;
        match location {
            Some(location) => Ok(location),
            None => Err(PyValueError::new_err(format!(
                "{} is not a location",
                attribute.repr()?
            ))),
        }
    }

    /// The location as an attribute.
    #[getter]
    fn attr(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with(py, |ctx, location| ctx.wrap(location.attribute()))
    }

    /// Emits an error diagnostic here.
    fn emit_error(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        self.context_ref().get().check_access(py)?;
        let message = std::ffi::CString::new(message)
            .map_err(|_| PyValueError::new_err("the message has a NUL character"))?;
        self.with(py, |ctx, location| ctx.emit_error(location, &message))
    }

    /// The `TypeID` of this kind of location.
    #[getter]
    fn typeid(&self, py: Python<'_>) -> PyResult<TypeID> {
        self.with(py, |_, location| Ok(TypeID::new(location.attribute().type_id())))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.uniqued.to_text(py)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.get().uniqued.to_text(slf.py())?;
        // Upstream's package has the classes, and their names here, since LLVM 23.
        if LLVM_MAJOR < 23 {
            return Ok(text);
        }
        let class = slf.get_type().name()?;
        Ok(if class == "Location" { text } else { format!("{class}({text})") })
    }
});
