//! `mondo manifest`.

use mondo_build::{Result, dialect_crate, manifest};

use crate::args::ManifestArgs;
use crate::console;
use crate::program::to_json;

/// Prints the schemas that are asked for, and checks manifests.
pub(super) fn check(args: &ManifestArgs) -> Result<()> {
    if args.schema {
        console::out(to_json(&manifest::schema())?);
    }
    if args.dialect_schema {
        console::out(to_json(&dialect_crate::schema())?);
    }
    for path in &args.paths {
        manifest::load(path)?;
        console::out(format!("{path}: ok"));
    }
    Ok(())
}
