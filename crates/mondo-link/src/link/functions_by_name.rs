//! The table of optional functions in a static library: functions that only some bundles have, so that the program
//! looks them up by name at run time. In a shared library the dynamic loader does this look-up.

use camino::Utf8PathBuf;
use mondo_core::error::Result;

use super::inputs::Inputs;
use crate::compile::assemble::{self, Table};

/// The symbol of the table of optional functions, which `mondo-sys/src/optional.rs` declares.
pub(super) const SYMBOL: &str = "mondo_functions_by_name";

/// Prefixes of the optional functions' names: handles of dialects, and the execution engine.
const ASKED_FOR: [&str; 3] = [
    "mlirExecutionEngine",
    "mlirGetDialectHandle__",
    "mondoRuntimeVersion",
];

/// The object file with the table.
pub(super) fn object(inputs: Inputs<'_>) -> Result<Utf8PathBuf> {
    let functions = inputs.exports.functions.iter().map(String::as_str);
    let text = table(functions);
    assemble::object("functions-by-name", &text, inputs.linker, inputs.out)
}

fn table<'a>(functions: impl Iterator<Item = &'a str>) -> String {
    let asked_for = |name: &&str| ASKED_FOR.iter().any(|prefix| name.starts_with(prefix));
    let names: Vec<&str> = functions.filter(asked_for).collect();
    let mut table = Table::new(SYMBOL);
    table.list(names.iter().copied());
    table.strings(names.iter().copied());
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_asked_for_has_its_address_and_its_name() {
        let names = ["mlirExecutionEngineLookup", "mlirGetDialectHandle__func__"];
        let text = table(["mlirContextCreate", names[0], names[1]].into_iter());
        for name in names {
            assert!(text.contains(&format!("\t.quad {name}\n")), "{text}");
            assert!(text.contains(&format!("\t.ascii \"{name}\"")), "{text}");
        }
        assert!(!text.contains("mlirContextCreate"), "{text}");
    }
}
