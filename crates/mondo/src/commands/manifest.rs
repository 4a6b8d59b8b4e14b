//! `mondo manifest`.

use camino::Utf8Path;
use mondo_build::{Result, dialect_crate, manifest};

use crate::args::{ManifestArgs, manifest_of};
use crate::console;
use crate::program::to_json;

/// Prints the schemas that are asked for, and checks manifests and dialect crates.
pub(super) fn check(args: &ManifestArgs) -> Result<()> {
    if args.schema {
        console::out(to_json(&manifest::schema())?);
    }
    if args.dialect_schema {
        console::out(to_json(&dialect_crate::schema())?);
    }
    let default = match args.paths.is_empty() && !args.schema && !args.dialect_schema {
        true => vec![manifest_of(Utf8Path::new(""), None)?],
        false => Vec::new(),
    };
    for path in args.paths.iter().chain(&default) {
        if dialect_crate::is_crate_file(path) {
            let undefined = dialect_crate::load_file(path)?.undefined;
            for function in undefined {
                console::out(format!(
                    "{}:{}: warning: `{}` is declared but not defined, so it is not exported",
                    function.header, function.line, function.function
                ));
            }
        } else {
            manifest::load(path)?;
        }
        console::out(format!("{path}: ok"));
    }
    Ok(())
}
