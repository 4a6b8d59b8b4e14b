//! `mondo new`.

use mondo_build::Result;
use mondo_build::new_project::{self, Contents, MondoSources};

use crate::args::NewArgs;
use crate::console;

/// Writes the project, and prints the commands that build and test it.
pub(super) fn create(args: &NewArgs) -> Result<()> {
    let contents = match (args.cpp, args.cmake, args.rust) {
        (true, _, _) => Contents::Cpp,
        (_, true, _) => Contents::Cmake,
        (_, _, true) => {
            let named = args.mondo.as_deref();
            Contents::Rust(named.map(MondoSources::parse).transpose()?)
        }
        _ => Contents::Pick,
    };
    let folder = new_project::create(&args.name, &contents, &args.dir)?;
    console::out(format!(
        "made: {folder}\nnext: pip install '{folder}[test]' && pytest {folder}"
    ));
    if !contents.has_workflow() {
        console::err(
            "no file for CI was made: a dialect in Rust is compiled with mondo's sources, and CI has to know their git \
             repository; name it with --mondo URL",
        );
    }
    Ok(())
}
