//! Symbol tables.

use mondo_sys::{
    MlirSymbolTable, mlirSymbolTableCreate, mlirSymbolTableInsert, mlirSymbolTableLookup,
    mlirSymbolTableReplaceAllSymbolUses,
};

use crate::c_object::Owned;
use crate::callback::string_ref;
use crate::capture::captured;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::uniqued_handles::Attribute;

/// The symbols of an operation, by name, as they were when this was made.
///
/// ```
/// # use mondo_ir::{Context, Module, SymbolTable};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     let table = SymbolTable::of(module.op(ir)).unwrap();
///     assert_eq!(table.get("f"), module.body(ir).first());
///     assert!(table.get("g").is_none());
/// });
/// ```
#[derive(Debug)]
pub struct SymbolTable<'call, 'ctx> {
    table: Owned<MlirSymbolTable>,
    of: Op<'call, 'ctx>,
}

impl<'call, 'ctx> SymbolTable<'call, 'ctx> {
    /// The symbols of an operation.
    ///
    /// # Errors
    /// `ErrorKind::Cast` if the operation is not a table of symbols, or none that is valid.
    pub fn of(op: Op<'call, 'ctx>) -> Result<Self> {
        let failed = || Error::new(ErrorKind::Cast, format!("`{}` has no symbols", op.name()));
        // MLIR reads the operation's one block, which only a valid one has for certain.
        op.verify()
            .map_err(|error| failed().with(error.diagnostics().to_vec()))?;
        // SAFETY: the handle's operation is live while the token is borrowed, and `verify` has found it
        // valid.
        let table = unsafe { mlirSymbolTableCreate(op.raw()) };
        if table.ptr.is_null() {
            return Err(failed());
        }
        // SAFETY: `mlirSymbolTableCreate` made the table, and nothing else owns it.
        let table = unsafe { Owned::new(table) };
        Ok(Self { table, of: op })
    }

    /// The operation that defines the symbol. If it was erased since, it is cut off, but readable.
    pub fn get(&self, name: &str) -> Option<Op<'call, 'ctx>> {
        // SAFETY: the table is live, and so is what it names: nothing is freed while the token is borrowed.
        unsafe {
            let found = mlirSymbolTableLookup(self.table.get(), string_ref(name));
            Op::from_raw(found, self.of.ctx().state)
        }
    }

    /// Enters a symbol that is in the operation's block, and gives it another name if its own is taken.
    /// Returns the name.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, OwnedOp, SymbolTable};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func private @f() func.func private @f_0()";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let mut table = SymbolTable::of(module.op(ir)).unwrap();
    ///     let another = OwnedOp::parse(ctx, "func.func private @f()", "f.mlir").unwrap();
    ///     let another = module.body(ir).append(another).unwrap();
    ///     let name = table.insert(another).unwrap();
    ///     assert_ne!(name.to_string(), "\"f\"");
    ///     assert_eq!(another.attribute("sym_name"), Some(name));
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Structure` if the operation has no name, or is not in this operation.
    pub fn insert(&mut self, op: Op<'_, 'ctx>) -> Result<Attribute<'ctx>> {
        let wrong = |message: &str| Err(Error::new(ErrorKind::Structure, message));
        if op.parent() != Some(self.of) {
            return wrong("a symbol is in the block of its table's operation");
        }
        let named = op.attribute("sym_name");
        if named.is_none_or(|name| name.downcast::<crate::attributes::Str>().is_none()) {
            return wrong("a symbol has a string as `sym_name`");
        }
        op.check_inside()?;
        op.verify()?;
        // SAFETY: both handles borrow the token, so their operations are live, and the code above has
        // checked that the symbol has a name.
        unsafe {
            Ok(Attribute::expect(mlirSymbolTableInsert(
                self.table.get(),
                op.raw(),
            )))
        }
    }
}

impl Op<'_, '_> {
    /// Lets what is in the operation use another symbol in place of `old`.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func private @f() func.func @g() { call @f() : () -> () return }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     module.op(ir).replace_symbol("f", "h").unwrap();
    ///     assert!(module.op(ir).to_string().contains("@h"));
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if an operation in it is not known, and may be a table of symbols;
    /// `ErrorKind::Verify` if it is not valid.
    pub fn replace_symbol(self, old: &str, new: &str) -> Result<()> {
        self.check_inside()?;
        self.verify()?;
        let (replaced, diagnostics) = captured(self.ctx().state, || {
            // SAFETY: the operation is live and valid, and the names are read only.
            unsafe {
                mlirSymbolTableReplaceAllSymbolUses(string_ref(old), string_ref(new), self.raw())
            }
        });
        if replaced.value == 0 {
            let message = format!("the uses of `@{old}` cannot all be found");
            return Err(Error::new(ErrorKind::Unsupported, message).with(diagnostics));
        }
        Ok(())
    }
}
