//! `mondo new` and `mondo init`.

use camino::Utf8Path;
use mondo_build::new_project::{self, Checkout, Contents, MondoSources};
use mondo_build::path::absolute;
use mondo_build::{Error, ErrorKind, Result};

use crate::args::{InitArgs, KindArgs, NewArgs};
use crate::console;

/// Writes the project into a new folder, and prints the commands that build and test it.
pub(super) fn create(args: &NewArgs) -> Result<()> {
    let contents = contents(&args.kind, &args.dir.join(&args.name))?;
    let folder = new_project::create(&args.name, &contents, &args.dir)?;
    made(&folder, &contents);
    Ok(())
}

/// Writes the project into a folder that exists, and prints the commands that build and test it.
pub(super) fn begin(args: &InitArgs) -> Result<()> {
    let folder = absolute(&args.folder)?;
    let contents = contents(&args.kind, &folder)?;
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

/// The contents of a project in `folder`.
fn contents(kind: &KindArgs, folder: &Utf8Path) -> Result<Contents> {
    if let Some(project) = &kind.from {
        return new_project::existing(project, folder);
    }
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
    if let Contents::Existing(existing) = contents {
        console::out(format!(
            "      {} --manifest {folder}/pyproject.toml",
            existing.test_command()
        ));
        match existing.checkout {
            Checkout::Inside | Checkout::Clone(..) => {}
            Checkout::Same(_) => console::err(format!(
                "move {folder}/.github/workflows/wheel.yml to .github/workflows at the top of the repository"
            )),
            Checkout::Unknown => console::err(format!(
                "no file for CI was made: the project `{}` is in no git repository with a URL that CI can clone",
                existing.name
            )),
        }
    } else if !contents.has_workflow() {
        console::err(
            "no file for CI was made: a dialect in Rust is compiled with mondo's sources, and CI has to know their git \
             repository; name it with --mondo URL",
        );
    }
}
