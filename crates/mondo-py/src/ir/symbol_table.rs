//! `SymbolTable`: the symbols of an operation, by name.
//!
//! MLIR's own `SymbolTable` keeps pointers to the symbols, which other code may erase. This class keeps
//! wrappers, and before it returns one it checks that the operation is live, still in the table, and has the
//! name.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::declarations as c;
use mondo_ir::nodes::{Op, Symbols, refusal, symbol_key, visibility_key};
use mondo_ir::{Attribute, Text};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::raised_in;
use crate::interop::operators::operand;
use crate::interop::two_phase::Late;
use crate::ir::operation::{Spot, attach};
use crate::ownership::erasure;
use crate::ownership::operation::{self, OperationBase, operation_of};
use crate::ownership::tree::Tree;

/// The symbols of an operation that has a symbol table.
#[pyclass(frozen, subclass)]
pub(crate) struct SymbolTable {
    op: Late<Py<OperationBase>>,
    /// The cache of symbols that were found before.
    found: Mutex<HashMap<String, Py<OperationBase>>>,
}

/// MLIR's symbol table of an operation, for the duration of one call.
fn symbols_of(op: Op<'_>) -> PyResult<Symbols<'_>> {
    // MLIR does not survive a symbol table without a block.
    Symbols::of(op).ok_or_else(|| PyTypeError::new_err("Operation is not a Symbol Table."))
}

/// The attribute with an operation's symbol name.
fn name_attribute(op: Op<'_>) -> PyResult<Attribute<'_>> {
    let name = op.symbol_name().ok_or_else(no_symbol_name)?;
    Ok(name.any())
}

/// Returns whether an operation has this symbol name.
fn is_named(op: Op<'_>, name: &str) -> bool {
    op.symbol_name()
        .is_some_and(|symbol| symbol.value() == name.as_bytes())
}

/// The attribute with an operation's visibility.
fn visibility(op: Op<'_>) -> PyResult<Attribute<'_>> {
    op.symbol_visibility()
        .ok_or_else(|| PyValueError::new_err("Expected operation to have a symbol visibility."))
}

fn no_symbol_name() -> PyErr {
    PyValueError::new_err("Expected operation to have a symbol name.")
}

impl SymbolTable {
    fn op(&self) -> PyResult<&OperationBase> {
        self.op.get().map(Py::get)
    }

    fn found(&self) -> MutexGuard<'_, HashMap<String, Py<OperationBase>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The symbol with a name.
    fn look_up(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<OperationBase>>> {
        let table = self.op()?;
        table.get(py)?;
        let known = self.found().get(name).map(|op| op.clone_ref(py));
        if let Some(known) = known.filter(|known| known.get().is_alive(py)) {
            let named = known.get().read(py, |op| is_named(op, name))?;
            if named && self.is_mine(py, known.get())? {
                return Ok(Some(known));
            }
        }
        // An operation with a symbol table has one region, with one block or none.
        let symbol = table.enter(py, |at, table| {
            let mut symbols = table
                .symbol_block()
                .into_iter()
                .flat_map(|block| block.operations());
            let symbol = symbols.find(|op| is_named(*op, name));
            symbol.map(|op| at.operation(op)).transpose()
        })?;
        let Some(symbol) = symbol else {
            return Ok(None);
        };
        let before = self.found().insert(name.to_owned(), symbol.clone_ref(py));
        drop(before);
        Ok(Some(symbol))
    }

    /// Returns whether the parent of an operation is the one that has the table.
    fn is_mine(&self, py: Python<'_>, symbol: &OperationBase) -> PyResult<bool> {
        let table = self.op()?.read(py, |op| op.address())?;
        symbol.read(py, |op| {
            c::mlirOperationGetParentOperation(op).is_some_and(|parent| parent.address() == table)
        })
    }
}

#[pymethods]
impl SymbolTable {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(operation)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            op: Late::empty(),
            found: Mutex::default(),
        }
    }

    fn __init__(&self, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let check = |op: Op<'_>| symbols_of(op).map(drop);
        operation.get().read(operation.py(), check)??;
        self.op.set(operation_of(operation)?)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.op.known())?;
        // If the mutex is locked, its references are not visited; the collector then frees less, never too
        // much.
        self.found.try_lock().map_or(Ok(()), |found| {
            found.values().try_for_each(|op| visit.call(op))
        })
    }

    fn __clear__(&self) {
        let found = std::mem::take(&mut *self.found());
        drop(found);
    }

    fn __getitem__(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let name: &str = operand(slf, "__getitem__", name)?;
        let symbol = slf.get().look_up(py, name)?.ok_or_else(|| {
            PyKeyError::new_err(format!("Symbol '{name}' not in the symbol table."))
        })?;
        operation::view_of(py, &symbol)
    }

    fn __contains__(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let name: &str = operand(slf, "__contains__", name)?;
        Ok(slf.get().look_up(slf.py(), name)?.is_some())
    }

    /// Puts a symbol into the table, under another name if its own is taken; returns the name.
    fn insert(&self, operation: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        let py = operation.py();
        self.op()?.tree(py)?.get().refuse_change()?;
        self.op()?.get(py)?;
        let detached = operation.get().read(py, |op| {
            name_attribute(op)?;
            Ok::<_, PyErr>(c::mlirOperationGetBlock(op).is_none())
        })??;
        if !detached && !self.is_mine(py, operation.get())? {
            return Err(PyValueError::new_err(
                "the operation is in another place already; detach it first",
            ));
        }
        let moved = self.op()?.enter(py, |at, table| {
            let symbols = symbols_of(table)?;
            let mut moved = None;
            if detached {
                let block = table.symbol_block();
                let spot = block.map(|block| match c::mlirBlockGetTerminator(block) {
                    Some(terminator) => Spot::Before(terminator),
                    None => Spot::End(block),
                });
                moved = spot.map(|spot| attach(at, operation, &spot)).transpose()?;
            }
            // MLIR renames the operation if another symbol has its name.
            symbols.enter(operation.get().within(at.ctx())?);
            Ok(moved)
        })?;
        if let Some(moved) = moved {
            moved.settle();
        }
        operation
            .get()
            .enter(py, |at, op| at.wrap(name_attribute(op)?))
    }

    /// Erases a symbol.
    fn erase(&self, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let py = operation.py();
        operation.get().get(py)?;
        if !self.is_mine(py, operation.get())? {
            return Err(PyValueError::new_err(
                "the operation is not in this symbol table",
            ));
        }
        erasure::operation(py, operation.get())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let symbol = self.look_up(py, name)?.ok_or_else(|| {
            PyKeyError::new_err(format!("Symbol '{name}' not in the symbol table."))
        })?;
        erasure::operation(py, symbol.get())
    }

    /// Renames a symbol; its uses stay as they are.
    #[staticmethod]
    fn set_symbol_name(
        py: Python<'_>,
        symbol: &Bound<'_, OperationBase>,
        name: &str,
    ) -> PyResult<()> {
        let check = |op: Op<'_>| name_attribute(op).map(drop);
        symbol.get().read(py, check)??;
        set_text(py, symbol.get(), symbol_key(), name)
    }

    /// The name of a symbol.
    #[staticmethod]
    fn get_symbol_name(py: Python<'_>, symbol: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        symbol
            .get()
            .enter(py, |at, op| at.wrap(name_attribute(op)?))
    }

    /// The visibility of a symbol.
    #[staticmethod]
    fn get_visibility(py: Python<'_>, symbol: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        symbol.get().enter(py, |at, op| at.wrap(visibility(op)?))
    }

    /// Changes the visibility of a symbol: `public`, `private` or `nested`.
    #[staticmethod]
    #[pyo3(text_signature = "(symbol, visibility)")]
    fn set_visibility(
        py: Python<'_>,
        symbol: &Bound<'_, OperationBase>,
        visibility: &str,
    ) -> PyResult<()> {
        if !["public", "private", "nested"].contains(&visibility) {
            return Err(PyValueError::new_err(
                "Expected visibility to be 'public', 'private' or 'nested'",
            ));
        }
        let check = |op: Op<'_>| self::visibility(op).map(drop);
        symbol.get().read(py, check)??;
        set_text(py, symbol.get(), visibility_key(), visibility)
    }

    /// Makes everything in an operation that refers to a symbol refer to another one.
    #[staticmethod]
    fn replace_all_symbol_uses(
        py: Python<'_>,
        old_symbol: &str,
        new_symbol: &str,
        from_op: &Bound<'_, OperationBase>,
    ) -> PyResult<()> {
        let tree = from_op.get().tree(py)?;
        tree.get().refuse_change()?;
        let replace = |op: Op<'_>| op.replace_symbol(old_symbol, new_symbol);
        if from_op.get().read(py, replace)? {
            return Ok(());
        }
        Err(PyValueError::new_err("Symbol rename failed"))
    }

    /// Calls `callback` with each operation that has a symbol table, and whether its symbols are
    /// visible.
    #[staticmethod]
    fn walk_symbol_tables(
        py: Python<'_>,
        from_op: &Bound<'_, OperationBase>,
        all_sym_uses_visible: bool,
        callback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        // All tables are found before the first call, because the callback may change the tree.
        let tables = from_op.get().enter(py, |at, from| {
            let tables = from.symbol_tables(all_sym_uses_visible).into_iter();
            tables
                .map(|(op, visible)| Ok((at.operation(op)?, visible)))
                .collect::<PyResult<Vec<_>>>()
        })?;
        for (op, visible) in tables {
            if !op.get().is_alive(py) {
                continue;
            }
            callback
                .call1((op, visible))
                .map_err(|cause| raised_in(py, cause))?;
        }
        Ok(())
    }
}

/// Sets an attribute of an operation to a string.
fn set_text(py: Python<'_>, operation: &OperationBase, key: Text<'_>, text: &str) -> PyResult<()> {
    Tree::enter(&operation.tree(py)?, |at| {
        let op = operation.within(at.ctx())?;
        at.tree().get().modify(op)?;
        let attribute = c::mlirStringAttrGet(**at, text.into());
        let name = key.to_text();
        if op.set_attribute(&name, attribute.any()) {
            return Ok(());
        }
        let operation = op.name().to_text();
        Err(PyValueError::new_err(refusal(
            &operation,
            &name,
            attribute.any(),
        )))
    })
}
