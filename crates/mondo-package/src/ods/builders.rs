//! Names of attribute builders of enums. MLIR's Python package registers one builder per name, so the names must be
//! unique in a bundle.
//!
//! mlir-tblgen registers the function of each enum under the name of its ODS record. Dialects of different
//! crates, which do not know each other, may have records of one name; MLIR refuses the second at import.

use std::collections::{BTreeMap, BTreeSet};

use super::generate::Part;

const REGISTER: &str = "@register_attribute_builder(\"";

/// Renames builders in the modules of `dialects`, in order, so that no two modules register the same name. The
/// modules of `fixed` keep their names.
pub(super) fn separate(modules: &mut BTreeMap<String, String>, fixed: &[&str], dialects: &[&str]) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for name in fixed {
        let text = modules.get(&Part::Enums.module(name));
        taken.extend(text.into_iter().flat_map(|text| names(text)));
    }
    for dialect in dialects {
        let Some(text) = modules.get(&Part::Enums.module(dialect)) else {
            continue;
        };
        let functions = names(text);
        let clashes: Vec<&String> = functions
            .iter()
            .filter(|name| taken.contains(*name))
            .collect();
        for name in clashes {
            let separate = format!("{dialect}.{name}");
            for part in [Part::Enums, Part::Operations] {
                if let Some(text) = modules.get_mut(&part.module(dialect)) {
                    *text = renamed(text, name, &separate);
                }
            }
        }
        taken.extend(functions);
    }
}

/// The names that a module of enums registers.
fn names(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(REGISTER));
    let names = lines.filter_map(|rest| rest.split_once('"'));
    names.map(|(name, _)| name.to_owned()).collect()
}

fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut text = text.replace(&format!("{REGISTER}{from}\""), &format!("{REGISTER}{to}\""));
    for function in ["contains", "get"] {
        let call = |name: &str| format!("AttrBuilder.{function}('{name}')");
        text = text.replace(&call(from), &call(to));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_enum_of_a_name_is_its_dialects() {
        let enums = format!("{REGISTER}EdgeAttr\")\ndef _edgeattr(x, context):\n");
        let operations =
            "AttrBuilder.contains('EdgeAttr') AttrBuilder.get('EdgeAttr')(x) 'EdgeAttrs'";
        let mut modules = BTreeMap::new();
        for name in ["a", "b", "fixed"] {
            modules.insert(format!("_{name}_enum_gen"), enums.clone());
            modules.insert(format!("_{name}_ops_gen"), operations.to_owned());
        }
        let before = modules.clone();
        separate(&mut modules, &[], &["a"]);
        assert_eq!(modules, before);
        separate(&mut modules, &[], &["a", "b"]);
        assert_eq!(modules["_a_ops_gen"], operations);
        assert_eq!(
            modules["_b_enum_gen"],
            enums.replace("\"EdgeAttr", "\"b.EdgeAttr")
        );
        assert_eq!(
            modules["_b_ops_gen"],
            "AttrBuilder.contains('b.EdgeAttr') AttrBuilder.get('b.EdgeAttr')(x) 'EdgeAttrs'"
        );
        separate(&mut modules, &["fixed"], &["a"]);
        assert_eq!(modules["_fixed_enum_gen"], enums);
        assert_eq!(
            modules["_a_enum_gen"],
            enums.replace("\"EdgeAttr", "\"a.EdgeAttr")
        );
    }
}
