//! Dialect conversion: the classes `ConversionTarget` and `ConversionConfig`, and the functions that convert.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::bundle::LLVM_MAJOR;
use mondo_ir::objects::{ConversionConfig as Options, LegalityRule};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyString, PyTuple, PyType};

use crate::interop::enums;
use crate::interop::two_phase::Late;
use crate::ir::context_stack;
use crate::ir::error::{ErrorCapture, needs_llvm};
use crate::ownership::context::{Context, require_same};
use crate::ownership::conversions::Conversion;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;

use super::drive::Kind;
use super::driver;
use super::frozen::FrozenRewritePatternSet;

/// Fails with an LLVM whose driver the layer does not know.
pub(super) fn require_llvm() -> PyResult<()> {
    if LLVM_MAJOR < 22 {
        return Err(needs_llvm(22, "dialect conversion in Python"));
    }
    Ok(())
}

/// The name that a class has as the attribute `attribute`, or the given text.
pub(super) fn name_of(given: &Bound<'_, PyAny>, attribute: &str) -> PyResult<String> {
    let name: String = if given.is_instance_of::<PyType>() {
        given.getattr(attribute)?.extract()?
    } else if given.is_instance_of::<PyString>() {
        given.extract()?
    } else {
        return Err(PyTypeError::new_err(
            "incompatible function arguments: the root argument must be a type or a string",
        ));
    };
    if name.is_empty() {
        return Err(PyValueError::new_err("the root argument must not be empty"));
    }
    Ok(name)
}

/// What may be there after a conversion.
#[pyclass(frozen, subclass)]
pub(super) struct ConversionTarget {
    rules: Mutex<Vec<LegalityRule>>,
    context: Late<Py<Context>>,
}

impl ConversionTarget {
    fn rules(&self) -> MutexGuard<'_, Vec<LegalityRule>> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, given: &Bound<'_, PyTuple>, is_dialect: bool, is_legal: bool) -> PyResult<()> {
        self.context.get()?;
        let attribute = if is_dialect {
            "DIALECT_NAMESPACE"
        } else {
            "OPERATION_NAME"
        };
        let names = given.iter().map(|one| name_of(&one, attribute));
        let names = names.collect::<PyResult<Vec<_>>>()?;
        self.rules()
            .extend(names.into_iter().map(|name| LegalityRule {
                name,
                is_dialect,
                is_legal,
            }));
        Ok(())
    }
}

#[pymethods]
impl ConversionTarget {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.context.known())
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(context=None)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        require_llvm()?;
        Ok(Self {
            rules: Mutex::default(),
            context: Late::empty(),
        })
    }

    #[pyo3(signature = (context = None))]
    fn __init__(&self, py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<()> {
        self.context
            .set(context_stack::resolve_context(py, context)?)
    }

    /// Operations of these classes or names may be there.
    #[pyo3(signature = (*ops))]
    fn add_legal_op(&self, ops: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.add(ops, false, true)
    }

    /// Operations of these classes or names must not be there.
    #[pyo3(signature = (*ops))]
    fn add_illegal_op(&self, ops: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.add(ops, false, false)
    }

    /// Operations of these dialects may be there, unless there is a rule for them.
    #[pyo3(signature = (*dialects))]
    fn add_legal_dialect(&self, dialects: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.add(dialects, true, true)
    }

    /// Operations of these dialects must not be there, unless there is a rule for them.
    #[pyo3(signature = (*dialects))]
    fn add_illegal_dialect(&self, dialects: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.add(dialects, true, false)
    }
}

/// The options of a conversion.
#[pyclass(frozen, subclass)]
#[derive(Default)]
pub(super) struct ConversionConfig {
    options: Mutex<Options>,
}

impl ConversionConfig {
    fn options(&self) -> MutexGuard<'_, Options> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl ConversionConfig {
    /// The defaults.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        require_llvm()?;
        Ok(Self::default())
    }

    fn __init__(&self) {}

    /// When operations are folded.
    #[getter]
    fn get_folding_mode(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mode = self.options().folding_mode;
        enums::folding_mode(py, mode)
    }

    #[setter]
    fn set_folding_mode(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = enums::folding_mode_value(value)?;
        self.options().folding_mode = value;
        Ok(())
    }

    /// True if the conversion fails where it would leave casts between types.
    #[getter]
    fn get_build_materializations(&self) -> bool {
        self.options().builds_materializations
    }

    #[setter]
    fn set_build_materializations(&self, value: bool) {
        self.options().builds_materializations = value;
    }
}

/// Adds the functions to `_mlir.rewrite`.
pub(super) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr(
        "apply_partial_conversion",
        wrap_pyfunction!(apply_partial_conversion, module)?,
    )?;
    module.setattr(
        "apply_full_conversion",
        wrap_pyfunction!(apply_full_conversion, module)?,
    )
}

/// Converts an operation and everything in it until nothing illegal is left; raises `MLIRError`, and takes all changes back, if
/// that is not possible.
#[pyfunction]
#[pyo3(signature = (op, target, set, config = None))]
fn apply_partial_conversion(
    op: &Bound<'_, OperationBase>,
    target: &Bound<'_, ConversionTarget>,
    set: &Bound<'_, FrozenRewritePatternSet>,
    config: Option<&Bound<'_, ConversionConfig>>,
) -> PyResult<()> {
    apply(op, target.get(), set.get(), config, false)
}

/// Converts an operation and everything in it until all of it is legal; raises `MLIRError`, and takes all changes back, if that
/// is not possible.
#[pyfunction]
#[pyo3(signature = (op, target, set, config = None))]
fn apply_full_conversion(
    op: &Bound<'_, OperationBase>,
    target: &Bound<'_, ConversionTarget>,
    set: &Bound<'_, FrozenRewritePatternSet>,
    config: Option<&Bound<'_, ConversionConfig>>,
) -> PyResult<()> {
    apply(op, target.get(), set.get(), config, true)
}

fn apply(
    op: &Bound<'_, OperationBase>,
    target: &ConversionTarget,
    set: &FrozenRewritePatternSet,
    config: Option<&Bound<'_, ConversionConfig>>,
    is_full: bool,
) -> PyResult<()> {
    require_llvm()?;
    let (py, base) = (op.py(), op.get());
    set.refuse_others()?;
    let context = driver::check(py, base, set)?;
    require_same(target.context.get()?, &context, "operation")?;
    let tree = base.tree(py)?;
    let root = base
        .read(py, owner::root_of)?
        .and_then(|root| root.tree(py));
    if !root.is_some_and(|root| root.is(&tree)) {
        return Err(PyRuntimeError::new_err(
            "the operation belongs to other code, so that a conversion cannot guard it",
        ));
    }
    // Copied, because a pattern may change them meanwhile.
    let rules = target.rules().clone();
    let options = config.map_or_else(Options::default, |config| *config.get().options());
    let (converted, errors) = ErrorCapture::run(py, &context, || {
        driver::run(py, base, &context, Kind::Conversion, |at, op| {
            let convert = || {
                // SAFETY: the tree owns the operation, and nothing outside of it uses its values, which was checked above.
                // `driver::run` keeps other threads from the context. `reentrancy` refuses to move or destroy what is in the
                // tree, and `Conversion` all other changes but those that it is told of. Patterns run in `run_pattern`, and no
                // handle is used afterwards.
                unsafe { set.patterns().convert(op, &rules, is_full, options) }
            };
            Conversion::run(at.tree().clone_ref(py), op, convert)
        })
    })?;
    match (converted?, is_full) {
        (true, _) => errors.finish(),
        (false, true) => Err(errors.into_error(py, "full conversion failed")),
        (false, false) => Err(errors.into_error(py, "partial conversion failed")),
    }
}
