//! `irdl`: dialects that are defined by IR.

use mondo_sys::{MlirModule, mlirLoadIRDLDialects};

use crate::attributes::Str;
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

fn collect(op: Op<'_>, names: &mut Vec<String>) {
    if op.name().bytes() == b"irdl.dialect" {
        let name = c::mlirOperationGetAttributeByName(op, "sym_name".into());
        let name = name.and_then(super::super::uniqued_handles::Attribute::downcast::<Str>);
        names.extend(name.map(|name| c::mlirStringAttrGetValue(name).to_text()));
    }
    for op in op.blocks().flat_map(super::super::nodes::Block::operations) {
        collect(op, names);
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
    let module = MlirModule {
        ptr: module.raw().ptr,
    };
    // SAFETY: the module is live and valid, and defines what is new.
    unsafe { mlirLoadIRDLDialects(module).value != 0 }
}
