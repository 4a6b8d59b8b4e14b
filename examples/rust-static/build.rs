//! Makes the static library of `bundle.toml` and links it into the program.

use std::error::Error;

use mondo_build::build_script::link_lines;
use mondo_build::bundle::{Options, bundle};
use mondo_build::progress::Silent;
use mondo_build::report::Layout;

fn main() -> Result<(), Box<dyn Error>> {
    let (folder, out) = (
        std::env::var("CARGO_MANIFEST_DIR")?,
        std::env::var("OUT_DIR")?,
    );
    let options = Options {
        layout: Layout::Static,
        ..Options::new(format!("{folder}/bundle.toml"), out.as_str().into())
    };
    let bundle = bundle(&options, &Silent)?;
    for line in link_lines(&bundle, &options.manifest)? {
        println!("{line}");
    }
    Ok(())
}
