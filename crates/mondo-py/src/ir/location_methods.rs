//! The methods of `Location`.

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::capsule;
use crate::interop::string::{collect, string_ref, to_string};
use crate::ir::attribute::{self, Attribute};
use crate::ir::current::{self, context_manager_methods};
use crate::ir::error::needs_llvm;
use crate::ir::location::Location;
use crate::ownership::context::Context;
use crate::ownership::wrapper;

impl Location {
    fn sibling<'py>(&self, py: Python<'py>, raw: MlirLocation) -> PyResult<Bound<'py, Self>> {
        let context = self.context.clone_ref(py);
        wrapper::new(py, Self { raw, context })
    }

    /// The location, if it is of the kind that `is_a` tests.
    fn get_as(
        &self,
        py: Python<'_>,
        is_a: unsafe extern "C" fn(MlirLocation) -> bool,
        kind: &str,
    ) -> PyResult<MlirLocation> {
        let raw = self.get(py)?;
        // SAFETY: the location is live.
        if unsafe { is_a(raw) } {
            Ok(raw)
        } else {
            Err(PyValueError::new_err(format!(
                "{} is not a {kind}",
                self.__repr__(py)?
            )))
        }
    }

    fn position(
        &self,
        py: Python<'_>,
        part: unsafe extern "C" fn(MlirLocation) -> i32,
    ) -> PyResult<i32> {
        let raw = self.get_as(py, mlirLocationIsAFileLineColRange, "FileLineColLoc")?;
        // SAFETY: the location is of the kind that the function takes.
        Ok(unsafe { part(raw) })
    }
}

context_manager_methods!(Location {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    /// A capsule with the `MlirLocation`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Location", self.get(py)?.ptr)
    }

    /// The object for the `MlirLocation` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create<'py>(capsule: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let raw = MlirLocation {
            ptr: capsule::unwrap(capsule, "ir.Location")?,
        };
        let py = capsule.py();
        // SAFETY: whoever made the capsule put a live location into it, and locations know their
        // context.
        let context = unsafe { Context::of(py, mlirLocationGetContext(raw))? };
        wrapper::new(py, Self { raw, context })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        // Locations are unique in their context, so that the pointer decides.
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        self.raw.ptr as usize >> 4
    }

    /// A location that says nothing.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn unknown<'py>(
        py: Python<'py>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = current::resolve_context(py, context)?;
        // SAFETY: the context is live.
        let raw = unsafe { mlirLocationUnknownGet(context.get().get(py)?) };
        wrapper::new(py, Self { raw, context })
    }

    /// A call: where the callee is, and the frames that called it, innermost first.
    #[staticmethod]
    #[pyo3(signature = (callee, frames, context = None))]
    fn callsite<'py>(
        py: Python<'py>,
        callee: &Bound<'_, Self>,
        frames: Vec<Bound<'_, Self>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = current::resolve_context(py, context)?;
        let mut frames = frames
            .iter()
            .rev()
            .map(|frame| frame.get().get_in(py, &context));
        let mut caller = frames
            .next()
            .ok_or_else(|| PyValueError::new_err("No caller frames provided."))??;
        for frame in frames {
            // SAFETY: both locations are live.
            caller = unsafe { mlirLocationCallSiteGet(frame?, caller) };
        }
        let callee = callee.get().get_in(py, &context)?;
        // SAFETY: both locations are live.
        let raw = unsafe { mlirLocationCallSiteGet(callee, caller) };
        wrapper::new(py, Self { raw, context })
    }

    /// Returns whether it is the site of a call: a callee and a caller.
    fn is_a_callsite(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the location is live.
        Ok(unsafe { mlirLocationIsACallSite(self.get(py)?) })
    }

    /// The location of what is called; of a call site only.
    #[getter]
    fn callee<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let raw = self.get_as(py, mlirLocationIsACallSite, "CallSiteLoc")?;
        // SAFETY: the location is a call site.
        self.sibling(py, unsafe { mlirLocationCallSiteGetCallee(raw) })
    }

    /// The location of the call; of a call site only.
    #[getter]
    fn caller<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let raw = self.get_as(py, mlirLocationIsACallSite, "CallSiteLoc")?;
        // SAFETY: the location is a call site.
        self.sibling(py, unsafe { mlirLocationCallSiteGetCaller(raw) })
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
    fn file<'py>(
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
                // The context may come last without its name.
                Ok(last) if context.is_none() => context = Some(last.clone()),
                _ => given.push(arg.extract::<u32>()?),
            }
        }
        given.extend(
            [line.or(start_line), col.or(start_col), end_line, end_col]
                .iter()
                .flatten(),
        );
        let context = current::resolve_context(py, context)?;
        let raw = context.get().get(py)?;
        let name = string_ref(filename);
        // SAFETY: the context is live, and MLIR copies the name.
        let raw = unsafe {
            match given[..] {
                [line, col] => mlirLocationFileLineColGet(raw, name, line, col),
                [start_line, start_col, end_line, end_col] => mlirLocationFileLineColRangeGet(
                    raw, name, start_line, start_col, end_line, end_col,
                ),
                _ => {
                    return Err(PyTypeError::new_err(
                        "incompatible function arguments: file() takes a line and a column, or two of each",
                    ));
                }
            }
        };
        if raw.ptr.is_null() {
            return Err(needs_llvm(22, "a location that is a range"));
        }
        wrapper::new(py, Self { raw, context })
    }

    /// Returns whether it is a range of a file.
    fn is_a_file(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the location is live.
        Ok(unsafe { mlirLocationIsAFileLineColRange(self.get(py)?) })
    }

    /// The name of the file; of a location in a file only.
    #[getter]
    fn filename(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get_as(py, mlirLocationIsAFileLineColRange, "FileLineColLoc")?;
        // SAFETY: the location is a file's, and identifiers live as long as the context.
        Ok(unsafe {
            to_string(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(
                raw,
            )))
        })
    }

    /// The line that the range begins in; of a location in a file only.
    #[getter]
    fn start_line(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, mlirLocationFileLineColRangeGetStartLine)
    }

    /// The column that the range begins at; of a location in a file only.
    #[getter]
    fn start_col(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, mlirLocationFileLineColRangeGetStartColumn)
    }

    /// The line that the range ends in; of a location in a file only.
    #[getter]
    fn end_line(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, mlirLocationFileLineColRangeGetEndLine)
    }

    /// The column that the range ends at; of a location in a file only.
    #[getter]
    fn end_col(&self, py: Python<'_>) -> PyResult<i32> {
        self.position(py, mlirLocationFileLineColRangeGetEndColumn)
    }

    /// Several locations as one.
    #[staticmethod]
    #[pyo3(signature = (locations, metadata = None, context = None))]
    fn fused<'py>(
        py: Python<'py>,
        locations: Vec<Bound<'_, Self>>,
        metadata: Option<Bound<'_, Attribute>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = current::resolve_context(py, context)?;
        let parts: Vec<_> = locations
            .iter()
            .map(|part| part.get().get_in(py, &context))
            .collect::<PyResult<_>>()?;
        let metadata = match &metadata {
            Some(metadata) => metadata.get().get_in(py, &context)?,
            None => MlirAttribute {
                ptr: std::ptr::null(),
            },
        };
        let raw = context.get().get(py)?;
        // SAFETY: the context and all parts are live, and the count is that of the array. A vector
        // fits the address space, so its length fits `isize`.
        let raw =
            unsafe { mlirLocationFusedGet(raw, parts.len() as isize, parts.as_ptr(), metadata) };
        wrapper::new(py, Self { raw, context })
    }

    /// Returns whether it is several locations as one.
    fn is_a_fused(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the location is live.
        Ok(unsafe { mlirLocationIsAFused(self.get(py)?) })
    }

    /// The parts of a fused location; none for any other.
    #[getter]
    fn locations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Self>>> {
        let raw = self.get(py)?;
        // SAFETY: the location is live.
        if !unsafe { mlirLocationIsAFused(raw) } {
            return Ok(Vec::new());
        }
        let nothing = MlirLocation {
            ptr: std::ptr::null(),
        };
        // SAFETY: the location is a fused one.
        let mut parts = vec![nothing; unsafe { mlirLocationFusedGetNumLocations(raw) } as usize];
        if !parts.is_empty() {
            // SAFETY: the array has room for as many locations as there are.
            unsafe { mlirLocationFusedGetLocations(raw, parts.as_mut_ptr()) };
        }
        parts
            .into_iter()
            .map(|part| self.sibling(py, part))
            .collect()
    }

    /// A name, and where what it names is.
    #[staticmethod]
    #[pyo3(signature = (name, childLoc = None, context = None))]
    #[expect(non_snake_case, reason = "upstream's name of the argument")]
    fn name<'py>(
        py: Python<'py>,
        name: &str,
        childLoc: Option<Bound<'_, Self>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = current::resolve_context(py, context)?;
        let raw = context.get().get(py)?;
        let child = match &childLoc {
            Some(child) => child.get().get_in(py, &context)?,
            // SAFETY: the context is live.
            None => unsafe { mlirLocationUnknownGet(raw) },
        };
        // SAFETY: the context and the child are live, and MLIR copies the name.
        let raw = unsafe { mlirLocationNameGet(raw, string_ref(name), child) };
        wrapper::new(py, Self { raw, context })
    }

    /// Returns whether it is a name with a location.
    fn is_a_name(&self, py: Python<'_>) -> PyResult<bool> {
        // SAFETY: the location is live.
        Ok(unsafe { mlirLocationIsAName(self.get(py)?) })
    }

    /// The name; of a named location only.
    #[getter]
    fn name_str(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get_as(py, mlirLocationIsAName, "NameLoc")?;
        // SAFETY: the location is a name, and identifiers live as long as the context.
        Ok(unsafe { to_string(mlirIdentifierStr(mlirLocationNameGetName(raw))) })
    }

    /// The location that has the name; of a named location only.
    #[getter]
    fn child_loc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Self>> {
        let raw = self.get_as(py, mlirLocationIsAName, "NameLoc")?;
        // SAFETY: the location is a name.
        self.sibling(py, unsafe { mlirLocationNameGetChildLoc(raw) })
    }

    /// The context that the location lives in.
    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// The location that an attribute stands for.
    #[staticmethod]
    #[pyo3(signature = (attribute, context = None))]
    fn from_attr<'py>(
        py: Python<'py>,
        attribute: &Bound<'_, Attribute>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Bound<'py, Self>> {
        let context = current::resolve_context(py, context)?;
        let raw = attribute.get().get_in(py, &context)?;
        // SAFETY: the attribute is live.
        if !unsafe { mlirAttributeIsALocation(raw) } {
            return Err(PyValueError::new_err(format!(
                "{} is not a location",
                attribute.repr()?
            )));
        }
        // SAFETY: the attribute is a location.
        let raw = unsafe { mlirLocationFromAttribute(raw) };
        wrapper::new(py, Self { raw, context })
    }

    /// The location as an attribute.
    #[getter]
    fn attr(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let raw = self.get(py)?;
        // SAFETY: the location is live, and its attribute is of the same context.
        unsafe { attribute::wrap(py, &self.context, mlirLocationGetAttribute(raw)) }
    }

    /// Emits an error diagnostic here.
    fn emit_error(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        let raw = self.get(py)?;
        let message = std::ffi::CString::new(message)
            .map_err(|_| PyValueError::new_err("the message has a NUL character"))?;
        self.context.get().emit_error(py, raw, &message)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the location is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirLocationPrint(raw, callback, data);
        }))
    }
});
