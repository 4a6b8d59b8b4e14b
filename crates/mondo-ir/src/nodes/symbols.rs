//! Symbols and symbol tables of operations.

use std::ffi::c_void;

use mondo_sys::{
    MlirOperation, MlirSymbolTable, mlirSymbolTableCreate, mlirSymbolTableGetSymbolAttributeName,
    mlirSymbolTableGetVisibilityAttributeName, mlirSymbolTableInsert,
    mlirSymbolTableReplaceAllSymbolUses, mlirSymbolTableWalkSymbolTables,
};

use super::{Block, Op};
use crate::attributes::StringAttr;
use crate::c_object::Owned;
use crate::callback::string_ref;
use crate::declarations as c;
use crate::text::Text;
use crate::uniqued_handles::Attribute;

/// The name of the attribute that has a symbol's name.
pub fn symbol_key() -> Text<'static> {
    // SAFETY: there is no precondition, and the text is static.
    unsafe { crate::c_type::CType::of_raw(mlirSymbolTableGetSymbolAttributeName()) }
}

/// The name of the attribute that has a symbol's visibility.
pub fn visibility_key() -> Text<'static> {
    // SAFETY: there is no precondition, and the text is static.
    unsafe { crate::c_type::CType::of_raw(mlirSymbolTableGetVisibilityAttributeName()) }
}

/// MLIR's table of the symbols in an operation, as they were when this was made.
#[derive(Debug)]
pub struct Symbols<'ctx> {
    table: Owned<MlirSymbolTable>,
    of: Op<'ctx>,
}

impl<'ctx> Symbols<'ctx> {
    /// The symbols in an operation, or `None` if it has no table of symbols, or no block for them.
    pub fn of(op: Op<'ctx>) -> Option<Self> {
        op.symbol_block()?;
        // SAFETY: the operation is live, and has the block that MLIR looks for.
        let table = unsafe { mlirSymbolTableCreate(op.raw()) };
        if table.ptr.is_null() {
            return None;
        }
        // SAFETY: `mlirSymbolTableCreate` made the table, and nothing else owns it.
        let table = unsafe { Owned::new(table) };
        Some(Self { table, of: op })
    }

    /// Enters a symbol of the operation's block, and gives it another name if its own is taken. Returns `false` if it is
    /// not there, or has no name.
    pub fn enter(&self, symbol: Op<'ctx>) -> bool {
        let is_one = symbol.symbol_name().is_some()
            && c::mlirOperationGetParentOperation(symbol) == Some(self.of);
        if is_one {
            // SAFETY: both are live, and the symbol has a name and is in the table's operation.
            unsafe { mlirSymbolTableInsert(self.table.get(), symbol.raw()) };
        }
        is_one
    }
}

impl<'ctx> Op<'ctx> {
    /// The block that symbols are in: the first one of the first region.
    pub fn symbol_block(self) -> Option<Block<'ctx>> {
        c::mlirRegionGetFirstBlock(self.region(0)?)
    }

    /// The attribute with its symbol name. What is not a string is not a name.
    pub fn symbol_name(self) -> Option<StringAttr<'ctx>> {
        c::mlirOperationGetAttributeByName(self, symbol_key())?.downcast()
    }

    /// The attribute with its visibility.
    pub fn symbol_visibility(self) -> Option<Attribute<'ctx>> {
        c::mlirOperationGetAttributeByName(self, visibility_key())
    }

    /// Lets what is in the operation use another symbol in place of `old`. Returns `false` if not all uses can be found.
    pub fn replace_symbol(self, old: &str, new: &str) -> bool {
        // SAFETY: the operation is live, and the names are only read.
        let replaced = unsafe {
            mlirSymbolTableReplaceAllSymbolUses(string_ref(old), string_ref(new), self.raw())
        };
        replaced.value != 0
    }

    /// The operations in it that have a table of symbols, and whether their symbols are visible.
    pub fn symbol_tables(self, all_uses_visible: bool) -> Vec<(Self, bool)> {
        unsafe extern "C" fn note(op: MlirOperation, visible: bool, data: *mut c_void) {
            // SAFETY: `data` is the vector below, which only this walk uses.
            unsafe { (*data.cast::<Vec<(MlirOperation, bool)>>()).push((op, visible)) };
        }
        let mut found: Vec<(MlirOperation, bool)> = Vec::new();
        // SAFETY: the operation is live; the last two arguments belong together.
        unsafe {
            let data = (&raw mut found).cast();
            mlirSymbolTableWalkSymbolTables(self.raw(), all_uses_visible, Some(note), data);
        }
        let found = found.into_iter().filter_map(|(raw, visible)| {
            // SAFETY: what is in a live operation is live.
            Some((unsafe { Self::from_raw(raw) }?, visible))
        });
        found.collect()
    }
}
