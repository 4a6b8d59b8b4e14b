//! The printing of operations: options, text, and bytecode.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

use crate::interop::string::{collect, collect_bytes};
use crate::ir::error::{needs_llvm, succeeded};
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;

/// Upstream's keyword arguments of `print` and `get_asm`.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent options"
)]
pub(crate) struct PrintOptions {
    pub(crate) large_elements_limit: Option<isize>,
    pub(crate) large_resource_limit: Option<isize>,
    pub(crate) enable_debug_info: bool,
    pub(crate) pretty_debug_info: bool,
    pub(crate) print_generic_op_form: bool,
    pub(crate) use_local_scope: bool,
    pub(crate) use_name_loc_as_prefix: bool,
    pub(crate) assume_verified: bool,
    pub(crate) skip_regions: bool,
}

/// MLIR's printing flags, destroyed with this.
pub(crate) struct PrintFlags(MlirOpPrintingFlags);

impl Drop for PrintFlags {
    fn drop(&mut self) {
        // SAFETY: the flags are this object's own.
        unsafe { mlirOpPrintingFlagsDestroy(self.0) };
    }
}

impl PrintFlags {
    /// The flags, for a call into the C API.
    pub(crate) fn get(&self) -> MlirOpPrintingFlags {
        self.0
    }
}

impl PrintOptions {
    /// The options as MLIR takes them.
    pub(crate) fn flags(&self) -> PyResult<PrintFlags> {
        if self.use_name_loc_as_prefix && LLVM_VERSION_MAJOR < 22 {
            return Err(needs_llvm(22, "use_name_loc_as_prefix"));
        }
        // SAFETY: the flags are live from their creation until `PrintFlags` is dropped.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            if let Some(limit) = self.large_elements_limit {
                mlirOpPrintingFlagsElideLargeElementsAttrs(flags, limit);
            }
            if let Some(limit) = self.large_resource_limit {
                mlirOpPrintingFlagsElideLargeResourceString(flags, limit);
            }
            if self.enable_debug_info {
                mlirOpPrintingFlagsEnableDebugInfo(flags, true, self.pretty_debug_info);
            }
            for (wanted, set) in [
                (
                    self.print_generic_op_form,
                    mlirOpPrintingFlagsPrintGenericOpForm as Setter,
                ),
                (self.use_local_scope, mlirOpPrintingFlagsUseLocalScope),
                (self.assume_verified, mlirOpPrintingFlagsAssumeVerified),
                (self.skip_regions, mlirOpPrintingFlagsSkipRegions),
                (
                    self.use_name_loc_as_prefix,
                    mlirOpPrintingFlagsPrintNameLocAsPrefix,
                ),
            ] {
                if wanted {
                    set(flags);
                }
            }
            Ok(PrintFlags(flags))
        }
    }

    /// The text of an operation.
    pub(crate) fn text(&self, py: Python<'_>, op: &OperationBase) -> PyResult<String> {
        let flags = self.flags()?;
        if !self.print_generic_op_form && !self.assume_verified {
            op.context_of(py)?.get().get_for_printing(py)?;
        }
        let op = op.get(py)?;
        // SAFETY: the operation and the flags are live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirOperationPrintWithFlags(op, flags.0, callback, data);
        }))
    }
}

/// A text as `bytes` or `str`.
pub(crate) fn object_of<'py>(py: Python<'py>, text: &str, binary: bool) -> Bound<'py, PyAny> {
    if binary {
        PyBytes::new(py, text.as_bytes()).into_any()
    } else {
        PyString::new(py, text).into_any()
    }
}

type Setter = unsafe extern "C" fn(MlirOpPrintingFlags);

/// Writes the bytecode of `op`, which the caller has just checked, to a Python file or to the file of
/// a name.
pub(crate) fn write_bytecode(
    py: Python<'_>,
    op: MlirOperation,
    file: &Bound<'_, PyAny>,
    desired_version: Option<i64>,
) -> PyResult<()> {
    if cross_tree_uses::reaches_outside(op) {
        return Err(PyValueError::new_err(
            "the operation uses values or blocks that are outside of it, or the other way round; \
             bytecode cannot express that",
        ));
    }
    let mut written = true;
    // SAFETY: the operation is live, and so is the configuration until it is destroyed; the
    // callback and its data belong together.
    let bytes = collect_bytes(|callback, data| unsafe {
        match desired_version {
            None => mlirOperationWriteBytecode(op, callback, data),
            Some(version) => {
                let config = mlirBytecodeWriterConfigCreate();
                mlirBytecodeWriterConfigDesiredEmitVersion(config, version);
                written = succeeded(mlirOperationWriteBytecodeWithConfig(
                    op, config, callback, data,
                ));
                mlirBytecodeWriterConfigDestroy(config);
            }
        }
    });
    if let Some(version) = desired_version.filter(|_| !written) {
        return Err(PyValueError::new_err(format!(
            "Unable to honor desired bytecode version {version}"
        )));
    }
    let bytes = PyBytes::new(py, &bytes);
    if file.hasattr("write")? {
        file.call_method1("write", (bytes,))?;
        return Ok(());
    }
    // Else it is the name of one.
    let file = py.import("io")?.call_method1("open", (file, "wb"))?;
    let written = file.call_method1("write", (bytes,));
    file.call_method0("close")?;
    written.map(drop)
}
