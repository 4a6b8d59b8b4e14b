//! The printing of operations: options, text, and bytecode.

use mondo_ir::bundle::LLVM_MAJOR;
use mondo_ir::nodes::TextFlags;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

use crate::ir::error::needs_llvm;
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

impl PrintOptions {
    /// The options as MLIR's `OpPrintingFlags`.
    pub(crate) fn flags(&self) -> PyResult<TextFlags> {
        if self.use_name_loc_as_prefix && LLVM_MAJOR < 22 {
            return Err(needs_llvm(22, "use_name_loc_as_prefix"));
        }
        let mut flags = TextFlags::new();
        if let Some(limit) = self.large_elements_limit {
            flags.elide_elements(limit);
        }
        if let Some(limit) = self.large_resource_limit {
            flags.elide_resources(limit);
        }
        if self.enable_debug_info {
            flags.locations(self.pretty_debug_info);
        }
        for (wanted, set) in [
            (self.print_generic_op_form, TextFlags::generic as fn(&mut _)),
            (self.use_local_scope, TextFlags::local_scope),
            (self.assume_verified, TextFlags::assume_verified),
            (self.skip_regions, TextFlags::skip_regions),
            (self.use_name_loc_as_prefix, TextFlags::name_locations),
        ] {
            if wanted {
                set(&mut flags);
            }
        }
        Ok(flags)
    }

    /// The text of an operation.
    pub(crate) fn text(&self, py: Python<'_>, op: &OperationBase) -> PyResult<String> {
        let flags = self.flags()?;
        if !self.print_generic_op_form && !self.assume_verified {
            op.context_of(py)?.get().get_for_printing(py)?;
        }
        op.read(py, |op| op.to_text(&flags))
    }
}

/// What `repr` shows of an operation: its class, its name and its symbol, or why it cannot be used. It is one line, and
/// costs the same for an operation of any size.
pub(crate) fn one_line(slf: &Bound<'_, PyAny>, op: &OperationBase) -> PyResult<String> {
    let py = slf.py();
    let class = slf.get_type().name()?;
    let read = op.read(py, |op| {
        let symbol = op.symbol_name();
        let symbol = symbol.map_or(String::new(), |name| {
            format!(" @{}", String::from_utf8_lossy(name.value()).escape_debug())
        });
        format!("<{class} {}{symbol}>", op.name().to_text())
    });
    Ok(read.unwrap_or_else(|error| format!("<{class}: {}>", error.value(py))))
}

/// A text as `bytes` if `binary`, otherwise as `str`.
pub(crate) fn object_of<'py>(py: Python<'py>, text: &str, binary: bool) -> Bound<'py, PyAny> {
    if binary {
        PyBytes::new(py, text.as_bytes()).into_any()
    } else {
        PyString::new(py, text).into_any()
    }
}

/// Writes the bytecode of an operation to a Python file object, or to the file of a name.
pub(crate) fn write_bytecode(
    py: Python<'_>,
    op: &OperationBase,
    file: &Bound<'_, PyAny>,
    desired_version: Option<i64>,
) -> PyResult<()> {
    if file.is_none() {
        return Err(PyTypeError::new_err(
            "incompatible function arguments: expected a file or the name of one, not None",
        ));
    }
    let (bytes, written) = op.read(py, |op| {
        if cross_tree_uses::reaches_outside(op) {
            return Err(PyValueError::new_err(
                "the operation uses values or blocks that are outside of it, or the other way round; \
                 bytecode cannot express that",
            ));
        }
        op.to_bytecode(desired_version)
            .map_err(|error| PyValueError::new_err(error.message().to_owned()))
    })??;
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
    // `file` is no file object, so that it is the name of a file.
    let file = py.import("io")?.call_method1("open", (file, "wb"))?;
    let written = file.call_method1("write", (bytes,));
    file.call_method0("close")?;
    written.map(drop)
}
