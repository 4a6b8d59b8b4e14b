//! `irdl`: dialects that are defined by IR.

use mondo_sys::{
    MlirModule, mlirLoadIRDLDialects, mondoKeptNamesAdd, mondoKeptNamesCreate,
    mondoKeptNamesDestroy,
};

use crate::attributes::Str;
use crate::callback::string_ref;
use crate::declarations as c;
use crate::nodes::Op;

/// The names of the dialects that are defined in an operation, or `None` if it is not valid.
pub fn defined(root: Op<'_>) -> Option<Vec<String>> {
    if !c::mlirOperationVerify(root) {
        return None;
    }
    let mut names = Vec::new();
    collect(root, &mut names);
    Some(names)
}

fn symbol(op: Op<'_>) -> Option<String> {
    let name = c::mlirOperationGetAttributeByName(op, "sym_name".into())?;
    let name = name.downcast::<Str>()?;
    Some(c::mlirStringAttrGetValue(name).to_text())
}

fn inside<'ctx>(op: Op<'ctx>) -> impl Iterator<Item = Op<'ctx>> {
    op.blocks().flat_map(super::super::nodes::Block::operations)
}

fn collect(op: Op<'_>, names: &mut Vec<String>) {
    if op.name().bytes() == b"irdl.dialect" {
        names.extend(symbol(op));
    }
    for op in inside(op) {
        collect(op, names);
    }
}

/// Calls `each` with the name of each operation that is defined in a valid operation.
fn each_operation(op: Op<'_>, each: &mut impl FnMut(&str)) {
    for inner in inside(op) {
        if inner.name().bytes() == b"irdl.operation"
            && let (Some(dialect), Some(name)) = (symbol(op), symbol(inner))
        {
            each(&format!("{dialect}.{name}"));
        }
        each_operation(inner, each);
    }
}

/// Loads the dialects that a module defines into its context. Returns `false` if it is not a valid module, where MLIR
/// cannot, and where the context has one of them already, or the module defines one twice: there MLIR would crash.
pub fn load(module: Op<'_>) -> bool {
    let Some(mut names) = defined(module) else {
        return false;
    };
    let ctx = module.uniquer();
    let are_new = names.iter().all(|name| !ctx.has_dialect(name));
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    if !are_new || names.len() != number || module.name().bytes() != b"builtin.module" {
        return false;
    }
    // SAFETY: the context is live, and nothing else uses it until the names are destroyed, below. The module is live
    // and valid, and defines what is new.
    unsafe {
        let kept = mondoKeptNamesCreate(ctx.raw());
        each_operation(module, &mut |name| {
            mondoKeptNamesAdd(kept, string_ref(name));
        });
        let module = MlirModule {
            ptr: module.raw().ptr,
        };
        let loaded = mlirLoadIRDLDialects(module).value != 0;
        mondoKeptNamesDestroy(kept);
        loaded
    }
}
