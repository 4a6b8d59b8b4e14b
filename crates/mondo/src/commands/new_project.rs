//! `mondo new` and `mondo init`.

use camino::Utf8Path;
use mondo_build::new_project::{self, Contents, MondoSources};
use mondo_build::path::absolute;
use mondo_build::{Error, ErrorKind, Result};

use crate::args::{InitArgs, KindArgs, NewArgs};
use crate::console;

/// Writes the project into a new folder, and prints the commands that build and test it.
pub(super) fn create(args: &NewArgs) -> Result<()> {
    let contents = contents(&args.kind)?;
    let folder = new_project::create(&args.name, &contents, &args.dir)?;
    made(&folder, &contents);
    Ok(())
}

/// Writes the project into a folder that exists, and prints the commands that build and test it.
pub(super) fn begin(args: &InitArgs) -> Result<()> {
    let contents = contents(&args.kind)?;
    let folder = absolute(&args.folder)?;
    let name = match (&args.name, folder.file_name()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.replace('-', "_"),
        (None, None) => {
            let what = "the folder has no name that the project could have";
            return Err(Error::new(ErrorKind::Usage, what)
                .at(&folder)
                .help("give the project a name with --name"));
        }
    };
    new_project::begin(&name, &contents, &folder)?;
    made(&folder, &contents);
    Ok(())
}

fn contents(kind: &KindArgs) -> Result<Contents> {
    Ok(match (kind.cpp, kind.cmake, kind.rust) {
        (true, _, _) => Contents::Cpp,
        (_, true, _) => Contents::Cmake,
        (_, _, true) => {
            let named = kind.mondo.as_deref();
            Contents::Rust(named.map(MondoSources::parse).transpose()?)
        }
        _ => Contents::Pick,
    })
}

fn made(folder: &Utf8Path, contents: &Contents) {
    console::out(format!(
        "made: {folder}\nnext: pip install '{folder}[test]' && pytest {folder}"
    ));
    if !contents.has_workflow() {
        console::err(
            "no file for CI was made: a dialect in Rust is compiled with mondo's sources, and CI has to know their git \
             repository; name it with --mondo URL",
        );
    }
}
