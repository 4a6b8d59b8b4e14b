//! `mondo new-dialect`.

use mondo_build::Result;
use mondo_build::new_dialect::{self, Language};
use mondo_build::source::Source;

use crate::args::NewDialectArgs;
use crate::console;

/// Writes the crate, and prints the command that bundles it.
pub(super) fn create(args: &NewDialectArgs) -> Result<()> {
    let language = if args.rust {
        Language::Rust
    } else {
        Language::Cpp
    };
    let folder = new_dialect::create(&args.name, language, &args.dir, &Source::locate()?)?;
    console::out(format!(
        "made: {folder}\nnext: mondo bundle --manifest {}",
        folder.join("bundle.toml")
    ));
    Ok(())
}
