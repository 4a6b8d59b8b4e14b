//! `mlir.rewrite`: patterns that are written in Python, and the drivers that apply them.
//!
//! A driver has pointers to operations that it will visit. A rewriter tells it of each operation that it
//! destroys. Every other way to move or erase operations below the one that the driver was started on is
//! refused while it runs ([`crate::ownership::reentrancy`]).

mod config;
mod conversion;
mod conversion_changes;
mod conversion_pattern;
mod conversion_rewriter;
mod drive;
mod driver;
mod frozen;
mod native;
mod native_call;
mod pattern;
mod pdl;
mod python_pattern;
mod rewriter;
mod type_converter;

use mondo_ir::nodes::Op;
use mondo_ir::objects::{FrozenPatterns, GreedyConfig};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::enums;
use crate::interop::submodules;
use crate::ownership::operation::OperationBase;

use config::GreedyRewriteConfig;
use drive::Kind;
use frozen::FrozenRewritePatternSet;

/// Adds the classes and functions to `_mlir.rewrite`.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    enums::install_rewrite(module)?;
    for class in [
        py.get_type::<rewriter::PatternRewriter>(),
        py.get_type::<pattern::RewritePatternSet>(),
        py.get_type::<FrozenRewritePatternSet>(),
        py.get_type::<GreedyRewriteConfig>(),
        py.get_type::<conversion_rewriter::ConversionPatternRewriter>(),
        py.get_type::<conversion::ConversionTarget>(),
        py.get_type::<conversion::ConversionConfig>(),
        py.get_type::<type_converter::TypeConverter>(),
        py.get_type::<pdl::PDLModule>(),
        py.get_type::<native_call::PDLResultList>(),
    ] {
        submodules::add_class(module, class)?;
    }
    // The functions are set as attributes, because `add_function` would make an `__all__` without the
    // classes.
    module.setattr(
        "apply_patterns_and_fold_greedily",
        wrap_pyfunction!(apply_patterns_and_fold_greedily, module)?,
    )?;
    module.setattr(
        "walk_and_apply_patterns",
        wrap_pyfunction!(walk_and_apply_patterns, module)?,
    )?;
    conversion::install(module)
}

/// Applies patterns to an operation, or to the operation of a `Module`: greedily with a configuration, else by a walk.
fn run(
    target: &Bound<'_, PyAny>,
    set: &FrozenRewritePatternSet,
    config: Option<&GreedyConfig>,
) -> PyResult<bool> {
    let py = target.py();
    set.refuse_conversions()?;
    let owner;
    let operation = if let Ok(operation) = target.cast::<OperationBase>() {
        operation
    } else {
        owner = target
            .getattr("operation")
            .map_err(|_| not_an_operation(target))?;
        owner
            .cast::<OperationBase>()
            .map_err(|_| not_an_operation(target))?
    };
    let base = operation.get();
    let context = driver::check(py, base, set)?;
    let kind = config.map_or(Kind::Walk, |_| Kind::Greedy);
    driver::run(py, base, &context, kind, |_, op| {
        apply(set.patterns(), op, config)
    })
}

/// Applies patterns for [`run`]: greedily with a configuration, else by a walk. Returns whether that came to an end.
fn apply(patterns: &FrozenPatterns, op: Op<'_>, config: Option<&GreedyConfig>) -> bool {
    // SAFETY: `driver::check` has found that nothing outside of the tree uses its values. `driver::run` keeps other threads from
    // the context, and does not use the operation's handle afterwards. In a walk, `PatternRewriter::doomed` lets patterns destroy only the
    // matched operation and what is in it.
    unsafe {
        match config {
            Some(config) => patterns.apply_greedily(op, config),
            None => {
                patterns.walk(op);
                true
            }
        }
    }
}

fn not_an_operation(given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "incompatible function arguments: expected a Module or an operation, not {}",
        given.get_type()
    ))
}

/// Applies patterns to everything in a module or an operation, and folds, until nothing changes any
/// more; raises `RuntimeError` if that does not come to an end.
#[pyfunction]
#[pyo3(signature = (module = None, set = None, config = None, *, op = None),
         text_signature = "(module=..., set=..., config=None, *, op=...)")]
fn apply_patterns_and_fold_greedily(
    module: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, FrozenRewritePatternSet>>,
    config: Option<&Bound<'_, GreedyRewriteConfig>>,
    op: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (Some(target), Some(set)) = (module.or(op), set) else {
        return Err(PyTypeError::new_err(
            "incompatible function arguments: apply_patterns_and_fold_greedily() takes a module or an \
             operation, and a frozen pattern set",
        ));
    };
    // Copied, because a pattern may change the configuration while the driver uses it.
    let config = match config {
        Some(config) => config.get().copy(),
        None => GreedyConfig::default(),
    };
    let converged = run(target, set.get(), Some(&config))?;
    if converged {
        Ok(())
    } else {
        Err(PyRuntimeError::new_err(
            "pattern application failed to converge",
        ))
    }
}

/// Applies patterns to everything in an operation, once, in the order of a walk.
#[pyfunction]
fn walk_and_apply_patterns(
    op: &Bound<'_, PyAny>,
    set: &Bound<'_, FrozenRewritePatternSet>,
) -> PyResult<()> {
    run(op, set.get(), None)?;
    Ok(())
}
