//! The methods of `Value`, `OpResult` and `BlockArgument`.

use mondo_sys::*;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::asm_state::{self, AsmState};
use crate::ir::lists::uses::OpOperandIterator;
use crate::ir::location::Location;
use crate::ir::printing::PrintOptions;
use crate::ir::types::{self, Type};
use crate::ownership::block::{self, Block};
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::value::{self, BlockArgument, OpResult, Value};

#[pymethods]
impl Value {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.traverse(&visit)
    }

    /// A capsule with the `MlirValue`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Value", self.get(py)?.ptr)
    }

    /// The object for the `MlirValue` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let ptr = capsule::unwrap(capsule, "ir.Value")?;
        // SAFETY: whoever made the capsule put a live value into it.
        unsafe { value::find(capsule.py(), MlirValue { ptr }) }
    }

    /// The context that the value lives in.
    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.get(py)?;
        Ok(self.tree(py)?.get().context().clone_ref(py))
    }

    /// The definition of the value: an operation for a result, a block for an argument.
    #[getter]
    pub(crate) fn owner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (raw, tree) = self.look(py)?;
        // SAFETY: the value is live, and so is what defines it, which is in its tree.
        unsafe {
            if mlirValueIsABlockArgument(raw) {
                let block = mlirBlockArgumentGetOwner(raw);
                return Ok(block::wrap(py, tree.as_unbound(), block)?.into_any());
            }
            operation::view(py, tree.as_unbound(), mlirOpResultGetOwner(raw))
        }
    }

    /// The uses of the value at this moment.
    #[getter]
    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpOperandIterator>> {
        let (raw, tree) = self.look(py)?;
        // SAFETY: the value is live, and its users are in its tree unless trees are open.
        unsafe { OpOperandIterator::of(py, tree.as_unbound(), raw) }
    }

    #[getter]
    pub(crate) fn r#type(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (raw, tree) = self.look(py)?;
        // SAFETY: the value is live, and its type is of the same context.
        unsafe { types::wrap(py, tree.get().context(), mlirValueGetType(raw)) }
    }

    /// Gives the value another type.
    fn set_type(slf: &Bound<'_, Self>, r#type: &Bound<'_, Type>) -> PyResult<()> {
        let (py, value) = (slf.py(), slf.get());
        value.tree(py)?.get().refuse_change()?;
        let tree = value.tree(py)?;
        let r#type = r#type.get().get_in(py, tree.get().context())?;
        // SAFETY: both are live.
        unsafe { mlirValueSetType(value.get(py)?, r#type) };
        value.forget_cast(slf);
        Ok(())
    }

    /// The location of the operation or block argument that the value is of.
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Location>> {
        let (raw, tree) = self.look(py)?;
        let context = tree.get().context().clone_ref(py);
        // SAFETY: the value is live, and its location is of its context.
        unsafe { Location::new(py, context, mlirValueGetLocation(raw)) }
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().key(other) == slf.get().key(slf))
    }

    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        slf.get().key(slf) >> 4
    }

    /// Prints the value to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        self.tree(py)?.get().context().get().get_for_printing(py)?;
        // SAFETY: the value is live.
        unsafe { mlirValueDump(self.get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, "Value")
    }

    /// The name under which the value is printed as an operand: `%0`.
    #[pyo3(signature = (use_local_scope = None, use_name_loc_as_prefix = false, *, state = None),
           text_signature = "($self, use_local_scope=False, use_name_loc_as_prefix=False, *, state=...)")]
    fn get_name(
        &self,
        py: Python<'_>,
        use_local_scope: Option<&Bound<'_, PyAny>>,
        use_name_loc_as_prefix: bool,
        state: Option<&Bound<'_, AsmState>>,
    ) -> PyResult<String> {
        self.tree(py)?.get().context().get().get_for_printing(py)?;
        let raw = self.get(py)?;
        // Upstream has two overloads of this name; the other takes a state alone.
        let state = state
            .cloned()
            .or_else(|| use_local_scope.and_then(|given| given.cast::<AsmState>().ok().cloned()));
        if let Some(state) = state {
            return state.get().name_of(py, self, raw);
        }
        let flags = PrintOptions {
            use_local_scope: use_local_scope.map_or(Ok(false), PyAnyMethods::extract)?,
            use_name_loc_as_prefix,
            ..PrintOptions::default()
        }
        .flags()?;
        // SAFETY: the value, the flags and the state are live; the last two arguments of the
        // printing function belong together.
        unsafe {
            if !asm_state::can_number(raw) {
                return Ok("<<UNKNOWN SSA VALUE>>".to_owned());
            }
            let state = mlirAsmStateCreateForValue(raw, flags.get());
            let name =
                collect(|callback, data| mlirValuePrintAsOperand(raw, state, callback, data));
            mlirAsmStateDestroy(state);
            Ok(name)
        }
    }

    /// Makes everything that uses this value use `with` instead.
    #[pyo3(name = "replace_all_uses_with", signature = (with_, /), text_signature = "($self, with_, /)")]
    fn replace_all_uses_with(&self, py: Python<'_>, with_: &Bound<'_, Self>) -> PyResult<()> {
        self.replace(py, with_, &[])
    }

    /// The same, but for the uses in some operations.
    fn replace_all_uses_except(
        &self,
        py: Python<'_>,
        with_: &Bound<'_, Self>,
        exceptions: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let operations: Vec<Bound<'_, OperationBase>> =
            if let Ok(one) = exceptions.cast::<OperationBase>() {
                vec![one.clone()]
            } else if let Ok(list) = exceptions.cast::<PyList>() {
                list.extract()?
            } else {
                return Err(PyTypeError::new_err(
                    "exceptions must be an operation or a list of operations",
                ));
            };
        self.replace(py, with_, &operations)
    }

    /// The same value as an object of the class that fits it best.
    fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let raw = self.get(py)?;
        // SAFETY: the value is live and in its tree.
        unsafe { value::wrap(py, self.tree(py)?.as_unbound(), raw) }
    }
}

impl Value {
    /// The value as text, with the name of a class around it.
    fn text(&self, py: Python<'_>, class: &str) -> PyResult<String> {
        self.tree(py)?.get().context().get().get_for_printing(py)?;
        let raw = self.get(py)?;
        // SAFETY: the value is live; the last two arguments belong together.
        let text = collect(|callback, data| unsafe { mlirValuePrint(raw, callback, data) });
        Ok(format!("{class}({text})"))
    }

    fn replace(
        &self,
        py: Python<'_>,
        with: &Bound<'_, Self>,
        exceptions: &[Bound<'_, OperationBase>],
    ) -> PyResult<()> {
        self.tree(py)?.get().refuse_change()?;
        let (tree, other) = (self.tree(py)?, with.get().tree(py)?);
        require_same(tree.get().context(), other.get().context(), "value")?;
        let mut except = Vec::with_capacity(exceptions.len());
        for operation in exceptions {
            except.push(operation.get().get(py)?);
        }
        let (from, to) = (self.get(py)?, with.get().get(py)?);
        if from.ptr == to.ptr {
            // MLIR would go on for ever.
            return Ok(());
        }
        if !tree.is(&other) {
            tree.get().open();
            other.get().open();
        }
        // SAFETY: both values and all operations are live, and the count is that of the array.
        unsafe {
            if except.is_empty() {
                mlirValueReplaceAllUsesOfWith(from, to);
            } else {
                let count = except.len() as isize;
                mlirValueReplaceAllUsesExcept(from, to, count, except.as_mut_ptr());
            }
        }
        Ok(())
    }
}

#[pymethods]
impl OpResult {
    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.as_super().get().text(slf.py(), "OpResult")
    }

    /// The operation that has this result.
    #[getter]
    fn owner(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        slf.as_super().get().owner(slf.py())
    }

    /// The place of the value among the results of its operation.
    #[getter]
    fn result_number(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // SAFETY: the value is live, and a result.
        Ok(unsafe { mlirOpResultGetResultNumber(slf.as_super().get().get(slf.py())?) })
    }

    /// Returns whether a value is a result of an operation.
    #[staticmethod]
    fn isinstance(other_value: &Bound<'_, Value>) -> PyResult<bool> {
        // SAFETY: the value is live.
        Ok(unsafe { mlirValueIsAOpResult(other_value.get().get(other_value.py())?) })
    }
}

#[pymethods]
impl BlockArgument {
    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.as_super().get().text(slf.py(), "BlockArgument")
    }

    /// The block that has this argument.
    #[getter]
    fn owner(slf: &Bound<'_, Self>) -> PyResult<Py<Block>> {
        let py = slf.py();
        Ok(slf.as_super().get().owner(py)?.extract(py)?)
    }

    /// The place of the value among the arguments of its block.
    #[getter]
    fn arg_number(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // SAFETY: the value is live, and an argument.
        Ok(unsafe { mlirBlockArgumentGetArgNumber(slf.as_super().get().get(slf.py())?) })
    }

    /// Gives the argument another type.
    fn set_type(slf: &Bound<'_, Self>, r#type: &Bound<'_, Type>) -> PyResult<()> {
        Value::set_type(slf.as_super(), r#type)
    }

    /// Gives the argument another location.
    fn set_location(slf: &Bound<'_, Self>, loc: &Bound<'_, Location>) -> PyResult<()> {
        let (py, value) = (slf.py(), slf.as_super().get());
        value.tree(py)?.get().refuse_change()?;
        let loc = loc.get().get_in(py, value.tree(py)?.get().context())?;
        // SAFETY: both are live, and the value is an argument.
        unsafe { mlirBlockArgumentSetLocation(value.get(py)?, loc) };
        Ok(())
    }

    /// Returns whether a value is an argument of a block.
    #[staticmethod]
    fn isinstance(other_value: &Bound<'_, Value>) -> PyResult<bool> {
        // SAFETY: the value is live.
        Ok(unsafe { mlirValueIsABlockArgument(other_value.get().get(other_value.py())?) })
    }
}
