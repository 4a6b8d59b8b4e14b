//! The feature table: the parts of the extension that a bundle has, as an object file.
//!
//! The extension is compiled once, with its code for every dialect and translation that has some. The
//! table names the parts of one plan; the linker's garbage collection leaves out the others, and with
//! them every use of functions that the library of that plan does not have.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_plan::plan::Plan;
use mondo_toolchain::Linker;

use super::assemble::{self, Table};

/// The symbol of the table, which `mondo-sys/src/features.rs` declares.
const SYMBOL: &str = "mondo_features";

/// Makes the object file for `plan`.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where the assembler fails.
pub(super) fn object(plan: &Plan, linker: &Linker, work: &Utf8Path) -> Result<Utf8PathBuf> {
    assemble::object("features", &text(&plan.extension_features), linker, work)
}

fn text(features: &[String]) -> String {
    let symbols: Vec<String> = features.iter().map(|name| symbol(name)).collect();
    let mut table = Table::new(SYMBOL);
    table.list(symbols.iter().map(String::as_str));
    table.finish()
}

/// The extension's symbol for a feature: `dialect-sparse_tensor` is
/// `mondo_feature_dialect_sparse_tensor`.
fn symbol(feature: &str) -> String {
    format!("mondo_feature_{}", feature.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_address_of_each_feature() {
        let text = text(&["dialect-gpu".to_owned(), "translation-llvm-ir".to_owned()]);
        let gpu = text.find(".quad mondo_feature_dialect_gpu\n").unwrap();
        let translation = text
            .find(".quad mondo_feature_translation_llvm_ir\n")
            .unwrap();
        assert!(gpu < translation, "{text}");
        assert!(
            text.contains("mondo_features:\n\t.quad .Lmondo_features_1, 2\n"),
            "{text}"
        );
    }
}
