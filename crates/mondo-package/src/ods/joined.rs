//! One Python module out of those that mlir-tblgen makes of a dialect's ODS files, each by itself.

use std::collections::BTreeSet;

/// The line that the classes of an operation begin with.
const OPERATION: &str = "@_ods_cext.register_operation(";

/// The beginning of the first module, with the operations of all. One that several of them have, since the files include the
/// same, comes once.
pub(super) fn one_module(modules: &[String]) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for (at, module) in modules.iter().enumerate() {
        let starts = module.match_indices(OPERATION).map(|(start, _)| start);
        let starts: Vec<usize> = starts.chain([module.len()]).collect();
        if at == 0 {
            text.push_str(&module[..starts[0]]);
        }
        for pair in starts.windows(2) {
            let operation = module[pair[0]..pair[1]].trim_end();
            if seen.insert(operation) {
                text.push_str(operation);
                text.push_str("\n\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_all_modules_follow_one_beginning() {
        let module = |names: &[&str]| {
            let operations = names.iter().map(|name| {
                format!(
                    "{OPERATION}_Dialect)\nclass {name}:\n  pass\n\ndef of_{name}():\n  ...\n\n"
                )
            });
            format!(
                "import x\nclass _Dialect: ...\n\n{}",
                operations.collect::<String>()
            )
        };
        let joined = one_module(&[module(&["A", "B"]), module(&["B", "C"]), module(&[])]);
        assert_eq!(joined, module(&["A", "B", "C"]));
        let first_is_empty = one_module(&[module(&[]), module(&["C"])]);
        assert_eq!(first_is_empty, module(&["C"]));
    }
}
