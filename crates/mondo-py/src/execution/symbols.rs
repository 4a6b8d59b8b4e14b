//! The symbols that a module defines once it is compiled.
//!
//! MLIR aborts the process if a symbol is defined twice, so that `ExecutionEngine` checks this before it
//! compiles.

use std::collections::{BTreeMap, BTreeSet};

use mondo_ir::attributes::Str;
use mondo_ir::declarations as c;
use mondo_ir::nodes::Op;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The prefix of the names of C wrappers.
const C_INTERFACE: &str = "_mlir_ciface_";

/// The name of the function that the execution engine generates for `name`, which takes an array of pointers
/// to the arguments.
fn packed(name: &str) -> String {
    format!("_mlir_{name}")
}

/// The symbols of a module.
#[derive(Default)]
pub(super) struct Symbols {
    /// The functions with a body, each with whether it has external linkage.
    functions: BTreeMap<String, bool>,
    /// The LLVM types of the functions with a C interface, by their names without the prefix.
    pub(super) types: BTreeMap<String, String>,
    /// The functions without a body.
    pub(super) declared: Vec<String>,
    /// The other symbols that are defined.
    others: BTreeSet<String>,
    /// True if the module has global constructors, which `initialize` runs.
    pub(super) has_constructors: bool,
}

impl Symbols {
    /// Collects the symbols of a module. Fails if compiling it would define a symbol twice.
    pub(super) fn of(module: Op<'_>) -> PyResult<Self> {
        let mut symbols = Self::default();
        let mut declared = BTreeSet::new();
        let mut types = BTreeMap::new();
        let body = module.blocks().next();
        for op in body.into_iter().flat_map(|body| body.operations()) {
            let kind = op.name().to_text();
            symbols.has_constructors |= kind == "llvm.mlir.global_ctors";
            if let Some(name) = symbol_name(op).filter(|_| kind.starts_with("llvm.")) {
                let defined = has_body(op) || attribute(op, "value").is_some();
                match kind.as_str() {
                    "llvm.func" if defined => {
                        types.insert(name.clone(), attribute(op, "function_type"));
                        symbols.functions.insert(name.clone(), is_visible(op));
                    }
                    "llvm.mlir.global" if !defined => {}
                    "llvm.func" => symbols.declared.push(name.clone()),
                    _ => {
                        symbols.others.insert(name.clone());
                    }
                }
                declared.insert(name);
            }
        }
        for name in symbols.functions.keys() {
            let called = name.strip_prefix(C_INTERFACE);
            if let Some((name, Some(of))) = called.and_then(|name| types.get_key_value(name)) {
                symbols.types.insert(name.clone(), of.to_text());
            }
        }
        let clash = symbols
            .functions
            .iter()
            .find(|(name, visible)| **visible && declared.contains(&packed(name)));
        match clash {
            Some((name, _)) => Err(PyValueError::new_err(format!(
                "the module has both @{name} and @{}, which is what the execution engine calls the \
                 function that it makes for the former",
                packed(name)
            ))),
            None => Ok(symbols),
        }
    }

    /// Returns whether the compiled module defines `name`.
    pub(super) fn define(&self, name: &str) -> bool {
        self.functions.contains_key(name)
            || self.others.contains(name)
            || name
                .strip_prefix("_mlir_")
                .is_some_and(|name| self.functions.contains_key(name))
    }

    /// Returns whether there are functions with a body.
    pub(super) fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// The name of a function with external linkage, which can be looked up.
    pub(super) fn visible_function(&self) -> Option<&str> {
        let found = self.functions.iter().find(|(_, visible)| **visible);
        found.map(|(name, _)| name.as_str())
    }
}

fn attribute<'ctx>(op: Op<'ctx>, name: &str) -> Option<mondo_ir::Attribute<'ctx>> {
    c::mlirOperationGetAttributeByName(op, name.into())
}

fn symbol_name(op: Op<'_>) -> Option<String> {
    let text = attribute(op, "sym_name")?.downcast::<Str>()?;
    String::from_utf8(c::mlirStringAttrGetValue(text).bytes().to_vec()).ok()
}

fn has_body(op: Op<'_>) -> bool {
    op.region(0)
        .is_some_and(|region| c::mlirRegionGetFirstBlock(region).is_some())
}

fn is_visible(op: Op<'_>) -> bool {
    let Some(linkage) = attribute(op, "linkage") else {
        return true;
    };
    let text = linkage.to_text();
    !["<internal>", "<private>"]
        .iter()
        .any(|hidden| text.contains(hidden))
}
