//! Adds to modules of operations the classes of the operands of each operation in a conversion (`AddIOpAdaptor`).
//!
//! LLVM 23's mlir-tblgen writes such classes with all members. The package makes them of the operations' classes.

use std::fmt::Write as _;

/// The line before the class of an operation.
const OPERATION: &str = "@_ods_cext.register_operation(";

/// The module with adaptors.
pub(super) fn with_adaptors(python: &str) -> String {
    let mut classes = Vec::new();
    let mut is_operation = false;
    for line in python.lines() {
        if let Some(class) = line.strip_prefix("class ").filter(|_| is_operation) {
            classes.extend(class.split(['(', ':']).next());
        }
        is_operation = line.starts_with(OPERATION);
    }
    if classes.is_empty() {
        return python.to_owned();
    }
    // Type checkers see the class of the operation, whose members an adaptor has.
    let mut out = format!("{python}\nif _typing.TYPE_CHECKING:\n");
    for class in &classes {
        let _ = writeln!(out, "  {class}Adaptor = {class}");
    }
    out.push_str("else:\n  from ._adaptors import add_adaptors as _add_adaptors\n  _add_adaptors(globals())\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_gets_an_adaptor() {
        let python = "class _Dialect:\n  pass\n@_ods_cext.register_operation(_Dialect)\nclass AOp(_ods_ir.OpView):\n  pass\n";
        let with = with_adaptors(python);
        assert!(with.starts_with(python), "{with}");
        assert!(with.contains("\n  AOpAdaptor = AOp\nelse:\n"), "{with}");
        assert!(with.ends_with("  _add_adaptors(globals())\n"), "{with}");
    }

    #[test]
    fn enums_stay_as_they_are() {
        assert_eq!(
            with_adaptors("class A(IntEnum):\n  B = 1\n"),
            "class A(IntEnum):\n  B = 1\n"
        );
    }
}
