//! `mondo new-dialect`.

use mondo_build::Result;
use mondo_build::new_dialect::{self, Language};
use mondo_build::source::Source;

use crate::args::NewDialectArgs;
use crate::console;

/// Writes the crate, and prints the command that bundles it.
pub(super) fn create(args: &NewDialectArgs) -> Result<()> {
    if let Some(project) = &args.from {
        let folder = new_dialect::create_from(&args.name, project, &args.dir)?;
        // A project with its own CMake is an entry of a manifest, and no crate.
        let description = folder.join("dialect.toml");
        console::out(if description.is_file() {
            format!(
                "created {folder}\nnext: read dialect.toml, then run mondo manifest {description}"
            )
        } else {
            let manifest = folder.join("bundle.toml");
            format!(
                "created {folder}\nnext: read bundle.toml, then run mondo plan --build \
                 --manifest {manifest}"
            )
        });
        return Ok(());
    }
    let language = if args.rust {
        Language::Rust
    } else {
        Language::Cpp
    };
    let folder = new_dialect::create(&args.name, language, &args.dir, &Source::locate()?)?;
    console::out(format!(
        "created {folder}\nnext: run mondo bundle --manifest {}",
        folder.join("bundle.toml")
    ));
    Ok(())
}
