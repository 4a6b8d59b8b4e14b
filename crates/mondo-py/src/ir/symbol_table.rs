//! `SymbolTable`: the symbols of an operation, by name.
//!
//! MLIR's own keeps pointers to the symbols, which others may erase. This one keeps objects, and
//! makes sure that one is still what it was before it gives it out.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::raised_in;
use crate::interop::late::Late;
use crate::interop::string::{Terminated, bytes, string_ref};
use crate::ir::attribute;
use crate::ir::operation::{attach, erase};
use crate::ownership::operation::{self, OperationBase, operation_of};
use crate::ownership::reentrancy;

/// The symbols of an operation that has a symbol table.
#[pyclass(frozen, subclass)]
pub(crate) struct SymbolTable {
    op: Late<Py<OperationBase>>,
    /// The cache of symbols that were found before.
    found: Mutex<HashMap<String, Py<OperationBase>>>,
}

/// MLIR's symbol table of a live operation, for the time of one call.
struct Transient(MlirSymbolTable);

impl Drop for Transient {
    fn drop(&mut self) {
        // SAFETY: the table is this object's own.
        unsafe { mlirSymbolTableDestroy(self.0) };
    }
}

impl Transient {
    fn of(op: MlirOperation) -> PyResult<Self> {
        // MLIR does not survive a symbol table without a block.
        first_block(op)
            // SAFETY: the callers pass live operations, and MLIR finds the block that it looks for.
            .map(|_| unsafe { mlirSymbolTableCreate(op) })
            .filter(|table| !table.ptr.is_null())
            .map(Self)
            .ok_or_else(|| PyTypeError::new_err("Operation is not a Symbol Table."))
    }
}

/// The block of a live operation that its symbols are in.
fn first_block(op: MlirOperation) -> Option<MlirBlock> {
    // SAFETY: the callers pass live operations, and the index is below the count.
    unsafe {
        if mlirOperationGetNumRegions(op) == 0 {
            return None;
        }
        let block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
        (!block.ptr.is_null()).then_some(block)
    }
}

/// The attribute with a live operation's symbol name, or null. What is no string is no name.
fn name_attribute(op: MlirOperation) -> MlirAttribute {
    // SAFETY: the operation is live, and the attribute's name is static.
    unsafe {
        let name = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
        if name.ptr.is_null() || mlirAttributeIsAString(name) {
            return name;
        }
        MlirAttribute {
            ptr: std::ptr::null_mut(),
        }
    }
}

/// Returns whether a live operation has this symbol name.
fn is_named(op: MlirOperation, name: &str) -> bool {
    let attribute = name_attribute(op);
    // SAFETY: the attribute is live, and its text lives as long as the context.
    unsafe {
        !attribute.ptr.is_null() && bytes(mlirStringAttrGetValue(attribute)) == name.as_bytes()
    }
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

    /// The symbol of this name.
    fn look_up(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<OperationBase>>> {
        let table = self.op()?.get(py)?;
        let known = self.found().get(name).map(|op| op.clone_ref(py));
        if let Some(known) = known.filter(|known| known.get().is_alive(py)) {
            let raw = known.get().get(py)?;
            // SAFETY: the operation is live.
            let parent = unsafe { mlirOperationGetParentOperation(raw) };
            if parent.ptr == table.ptr && is_named(raw, name) {
                return Ok(Some(known));
            }
        }
        let tree = self.op()?.tree(py)?;
        // SAFETY: the table is live, and what has a symbol table has one region with one block, or an
        // empty one.
        let symbol = unsafe {
            let Some(block) = first_block(table) else {
                return Ok(None);
            };
            let mut op = mlirBlockGetFirstOperation(block);
            while !op.ptr.is_null() && !is_named(op, name) {
                op = mlirOperationGetNextInBlock(op);
            }
            if op.ptr.is_null() {
                return Ok(None);
            }
            operation::wrap(py, tree.as_unbound(), op)?
        };
        let before = self.found().insert(name.to_owned(), symbol.clone_ref(py));
        drop(before);
        Ok(Some(symbol))
    }

    fn is_mine(&self, py: Python<'_>, symbol: MlirOperation) -> PyResult<bool> {
        let table = self.op()?.get(py)?;
        // SAFETY: the symbol is live.
        Ok(unsafe { mlirOperationGetParentOperation(symbol) }.ptr == table.ptr)
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
        Transient::of(operation.get().get(operation.py())?)?;
        self.op.set(operation_of(operation)?)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.op.known())?;
        // If the lock is taken, the edges are not shown, and the collector frees less.
        self.found.try_lock().map_or(Ok(()), |found| {
            found.values().try_for_each(|op| visit.call(op))
        })
    }

    fn __clear__(&self) {
        let found = std::mem::take(&mut *self.found());
        drop(found);
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let symbol = self.look_up(py, name)?.ok_or_else(|| {
            PyKeyError::new_err(format!("Symbol '{name}' not in the symbol table."))
        })?;
        operation::view_of(py, &symbol)
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.look_up(py, name)?.is_some())
    }

    /// Puts a symbol into the table, under another name if its own is taken; returns the name.
    fn insert(&self, operation: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        let py = operation.py();
        self.op()?.tree(py)?.get().refuse_change()?;
        let table = self.op()?.get(py)?;
        let raw = operation.get().get(py)?;
        if name_attribute(raw).ptr.is_null() {
            return Err(no_symbol_name());
        }
        // SAFETY: the symbol is live.
        let detached = unsafe { mlirOperationGetBlock(raw).ptr.is_null() };
        if detached {
            let transient = Transient::of(table)?;
            let tree = self.op()?.tree(py)?;
            attach(operation, tree.as_unbound(), table, |op| {
                // SAFETY: both are live, and the symbol is in no block.
                unsafe { mlirSymbolTableInsert(transient.0, op) };
            })?;
        } else if !self.is_mine(py, raw)? {
            return Err(PyValueError::new_err(
                "the operation is in another place already; detach it first",
            ));
        } else {
            let transient = Transient::of(table)?;
            // It stays where it is, and gets another name if another symbol has its own.
            // SAFETY: both are live, and the symbol is in the table's block.
            unsafe { mlirSymbolTableInsert(transient.0, raw) };
        }
        let tree = self.op()?.tree(py)?;
        // SAFETY: the attribute is the operation's.
        unsafe { attribute::wrap(py, tree.get().context(), name_attribute(raw)) }
    }

    /// Erases a symbol.
    fn erase(&self, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let py = operation.py();
        let raw = operation.get().get(py)?;
        if !self.is_mine(py, raw)? {
            return Err(PyValueError::new_err(
                "the operation is not in this symbol table",
            ));
        }
        erase(py, operation.get())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let symbol = self.look_up(py, name)?.ok_or_else(|| {
            PyKeyError::new_err(format!("Symbol '{name}' not in the symbol table."))
        })?;
        erase(py, symbol.get())
    }

    /// Renames a symbol; its uses stay as they are.
    #[staticmethod]
    fn set_symbol_name(
        py: Python<'_>,
        symbol: &Bound<'_, OperationBase>,
        name: &str,
    ) -> PyResult<()> {
        let raw = symbol.get().get(py)?;
        if name_attribute(raw).ptr.is_null() {
            return Err(no_symbol_name());
        }
        // SAFETY: the attribute's name is static.
        let key = unsafe { mlirSymbolTableGetSymbolAttributeName() };
        set_text(py, symbol.get(), key, name)
    }

    /// The name of a symbol.
    #[staticmethod]
    fn get_symbol_name(py: Python<'_>, symbol: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        let attribute = name_attribute(symbol.get().get(py)?);
        if attribute.ptr.is_null() {
            return Err(no_symbol_name());
        }
        // SAFETY: the attribute is the operation's.
        unsafe { attribute::wrap(py, &symbol.get().context_of(py)?, attribute) }
    }

    /// The visibility of a symbol.
    #[staticmethod]
    fn get_visibility(py: Python<'_>, symbol: &Bound<'_, OperationBase>) -> PyResult<Py<PyAny>> {
        let attribute = visibility(symbol.get().get(py)?)?;
        // SAFETY: the attribute is the operation's.
        unsafe { attribute::wrap(py, &symbol.get().context_of(py)?, attribute) }
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
        self::visibility(symbol.get().get(py)?)?;
        // SAFETY: the attribute's name is static.
        let key = unsafe { mlirSymbolTableGetVisibilityAttributeName() };
        set_text(py, symbol.get(), key, visibility)
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
        let from = from_op.get().get(py)?;
        // SAFETY: the operation is live, and the names are only read.
        let result = unsafe {
            mlirSymbolTableReplaceAllSymbolUses(
                string_ref(old_symbol),
                string_ref(new_symbol),
                from,
            )
        };
        if crate::ir::error::succeeded(result) {
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
        unsafe extern "C" fn note(op: MlirOperation, visible: bool, data: *mut c_void) {
            // SAFETY: `data` is the vector below, which only this walk uses.
            unsafe { (*data.cast::<Vec<(MlirOperation, bool)>>()).push((op, visible)) };
        }
        let tree = from_op.get().tree(py)?;
        let from = from_op.get().get(py)?;
        let mut tables: Vec<(MlirOperation, bool)> = Vec::new();
        // SAFETY: the operation is live; the last two arguments belong together.
        unsafe {
            mlirSymbolTableWalkSymbolTables(
                from,
                all_sym_uses_visible,
                Some(note),
                (&raw mut tables).cast(),
            );
        }
        // The callback may change the tree, so that all are looked up before.
        let tables = tables
            .into_iter()
            // SAFETY: the operations are live, and in the tree of the one that was walked.
            .map(|(op, visible)| unsafe {
                Ok((operation::wrap(py, tree.as_unbound(), op)?, visible))
            })
            .collect::<PyResult<Vec<_>>>()?;
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

/// The attribute with a live operation's visibility.
fn visibility(op: MlirOperation) -> PyResult<MlirAttribute> {
    // SAFETY: the operation is live, and the attribute's name is static.
    let attribute =
        unsafe { mlirOperationGetAttributeByName(op, mlirSymbolTableGetVisibilityAttributeName()) };
    if attribute.ptr.is_null() {
        return Err(PyValueError::new_err(
            "Expected operation to have a symbol visibility.",
        ));
    }
    Ok(attribute)
}

/// Sets an attribute of an operation to a string.
fn set_text(
    py: Python<'_>,
    operation: &OperationBase,
    key: MlirStringRef,
    text: &str,
) -> PyResult<()> {
    let context = operation.context_of(py)?;
    reentrancy::refuse_change(context.get())?;
    let text = Terminated::new(text);
    // SAFETY: the operation and the context are live, and MLIR copies the texts.
    unsafe {
        let attribute = mlirStringAttrGet(context.get().get(py)?, text.get());
        mlirOperationSetAttributeByName(operation.get(py)?, key, attribute);
    }
    Ok(())
}
