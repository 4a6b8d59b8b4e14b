//! The methods of `Value`, `OpResult` and `BlockArgument`.

use mondo_ir::declarations as c;
use mondo_ir::nodes::{self, Owner};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::interop::capsule;
use crate::interop::standard_error;
use crate::ir::asm_state::AsmState;
use crate::ir::derived_class::wrong_kind;
use crate::ir::lists::uses::OpOperandIterator;
use crate::ir::location::Location;
use crate::ir::printing::PrintOptions;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::capsules;
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::OperationBase;
use crate::ownership::tree::Tree;
use crate::ownership::value::{BlockArgument, OpResult, Value};

#[pymethods]
impl Value {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.traverse(&visit)
    }

    /// A capsule with the `MlirValue`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let address = self.read(py, |value| value.address())?;
        capsule::wrap(py, "ir.Value", address.as_ptr())
    }

    /// The object for the `MlirValue` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        capsules::value(capsule)
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
        self.enter(py, |at, value| match value.owner() {
            Owner::Block(block) => Ok(at.block(block)?.into_any()),
            Owner::Op(op) => at.view(op),
        })
    }

    /// The uses of the value at this moment.
    #[getter]
    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpOperandIterator>> {
        OpOperandIterator::of(py, self)
    }

    #[getter]
    pub(crate) fn r#type(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.enter(py, |at, value| at.wrap(c::mlirValueGetType(value)))
    }

    /// Gives the value another type.
    fn set_type(slf: &Bound<'_, Self>, r#type: &Bound<'_, Type>) -> PyResult<()> {
        let (py, value) = (slf.py(), slf.get());
        value.tree(py)?.get().refuse_change()?;
        Tree::enter(&value.tree(py)?, |at| {
            let r#type = r#type.get().within(at.ctx())?;
            c::mlirValueSetType(value.within(at.ctx())?, r#type);
            Ok(())
        })?;
        value.forget_cast(slf);
        Ok(())
    }

    /// The location of the operation or block argument that the value is of.
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Location>> {
        self.enter(py, |at, value| {
            Location::new(py, at.ctx(), c::mlirValueGetLocation(value))
        })
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
        standard_error::write(py, &self.read(py, |value| value.to_text())?);
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
        self.get(py)?;
        // Upstream has two overloads of `get_name`; in the second one the only argument is an `AsmState`.
        let state = state
            .cloned()
            .or_else(|| use_local_scope.and_then(|given| given.cast::<AsmState>().ok().cloned()));
        if let Some(state) = state {
            return state.get().name_of(py, self);
        }
        let flags = PrintOptions {
            use_local_scope: use_local_scope.map_or(Ok(false), PyAnyMethods::extract)?,
            use_name_loc_as_prefix,
            ..PrintOptions::default()
        }
        .flags()?;
        let name = self.read(py, |value| value.operand_name(&flags))?;
        Ok(name.unwrap_or_else(|| "<<UNKNOWN SSA VALUE>>".to_owned()))
    }

    /// Makes everything that uses this value use `with` instead.
    #[pyo3(name = "replace_all_uses_with", signature = (value, /), text_signature = "($self, value, /)")]
    fn replace_all_uses_with(&self, py: Python<'_>, value: &Bound<'_, Self>) -> PyResult<()> {
        self.replace(py, value, &[])
    }

    /// Makes everything but some operations use `with` instead of this value.
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
        self.enter(py, |at, value| at.value(value))
    }
}

impl Value {
    /// The text of the value within the name of a class: `OpResult(…)`.
    fn text(&self, py: Python<'_>, class: &str) -> PyResult<String> {
        self.tree(py)?.get().context().get().get_for_printing(py)?;
        let text = self.read(py, |value| value.to_text())?;
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
        other.get().refuse_user(Some(tree.get()))?;
        require_same(tree.get().context(), other.get().context(), "value")?;
        Tree::enter(&tree, |at| {
            let mut except = Vec::with_capacity(exceptions.len());
            for operation in exceptions {
                except.push(operation.get().within(at.ctx())?);
            }
            let (from, to) = (self.within(at.ctx())?, with.get().within(at.ctx())?);
            if from != to && !tree.is(&other) {
                tree.get().open();
                other.get().open();
            }
            from.replace_uses(to, &except);
            Ok(())
        })
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
    fn result_number(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let number = slf
            .as_super()
            .get()
            .read(slf.py(), |result| result.result_number())?;
        number.ok_or_else(|| wrong_kind(slf.as_any()))
    }

    /// Returns whether a value is a result of an operation.
    #[staticmethod]
    fn isinstance(other_value: &Bound<'_, Value>) -> PyResult<bool> {
        let is = |value: nodes::Value<'_>| c::mlirValueIsAOpResult(value);
        other_value.get().read(other_value.py(), is)
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
    fn arg_number(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let number = slf
            .as_super()
            .get()
            .read(slf.py(), |argument| argument.argument_number())?;
        number.ok_or_else(|| wrong_kind(slf.as_any()))
    }

    /// Gives the argument another type.
    fn set_type(slf: &Bound<'_, Self>, r#type: &Bound<'_, Type>) -> PyResult<()> {
        Value::set_type(slf.as_super(), r#type)
    }

    /// Gives the argument another location.
    fn set_location(slf: &Bound<'_, Self>, loc: &Bound<'_, Location>) -> PyResult<()> {
        let (py, value) = (slf.py(), slf.as_super().get());
        value.tree(py)?.get().refuse_change()?;
        Tree::enter(&value.tree(py)?, |at| {
            let loc = loc.get().within(at.ctx())?;
            if value.within(at.ctx())?.set_location(loc) {
                return Ok(());
            }
            Err(wrong_kind(slf.as_any()))
        })
    }

    /// Returns whether a value is an argument of a block.
    #[staticmethod]
    fn isinstance(other_value: &Bound<'_, Value>) -> PyResult<bool> {
        let is = |value: nodes::Value<'_>| c::mlirValueIsABlockArgument(value);
        other_value.get().read(other_value.py(), is)
    }
}
