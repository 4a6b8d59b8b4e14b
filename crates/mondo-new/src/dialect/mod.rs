//! A new dialect crate, from a template or for an existing project.

mod cmake;
mod cmake_project;
mod existing;
mod project;
mod texts;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::source::Source;

pub(crate) use project::{CmakeProject, read_cmake_project};
pub use texts::Language;
pub(crate) use texts::{CPP, RUST, check};

use crate::new_folder::{self, Texts};

/// Writes the crate `name` into the folder of that name in `dir`. Returns the folder.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a dialect's, and `ErrorKind::Io` for a folder that
/// is there already.
pub fn create(
    name: &str,
    language: Language,
    dir: &Utf8Path,
    source: &Source,
) -> Result<Utf8PathBuf> {
    let texts = texts::texts(name, language, source)?;
    write_crate(name, dir, |_| Ok(texts))
}

/// Writes the first version of a crate for the project in the folder `project`, whose files stay where they
/// are, and a manifest. Returns the crate's folder, of the name `name` in `dir`.
///
/// # Errors
/// `ErrorKind::Manifest` for a project without a dialect, and `ErrorKind::Io` for a folder that is there
/// already.
pub fn create_from(name: &str, project: &Utf8Path, dir: &Utf8Path) -> Result<Utf8PathBuf> {
    check(name)?;
    write_crate(name, dir, |folder| texts::texts_from(name, folder, project))
}

/// Writes the files that `texts` makes for the crate's folder: all of them or none.
fn write_crate(
    name: &str,
    dir: &Utf8Path,
    texts: impl FnOnce(&Utf8Path) -> Result<Texts>,
) -> Result<Utf8PathBuf> {
    let dir = camino::absolute_utf8(dir)?;
    let folder = dir.join(name);
    if folder.exists() {
        return Err(
            Error::new(ErrorKind::Io, format!("cannot create the dialect `{name}`"))
                .at(&folder)
                .because("a file or folder with this name already exists")
                .help("choose another name, or another folder with `--dir`"),
        );
    }
    fs_err::create_dir_all(&dir)?;
    let folder = dir.canonicalize_utf8()?.join(name);
    new_folder::write(texts(&folder)?, &folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::{dialect_crate, manifest, plan};

    use super::*;

    #[test]
    fn what_is_made_is_a_crate_that_a_plan_takes() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let source = Source::locate().unwrap();
        let folder = create("my_toy", Language::Cpp, dir, &source).unwrap();
        assert!(folder.join("include/my_toy/MyToy.td").is_file());
        let settings = fs_err::read_to_string(folder.join(".vscode/settings.json")).unwrap();
        let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
        let server = settings["mlir.server_path"].as_str().unwrap();
        assert!(server.ends_with("/bin/mlir-lsp-server"), "{server}");
        let manifest = manifest::load(&folder.join("bundle.toml")).unwrap();
        let crates = dialect_crate::load_all(&manifest, "nowhere".into()).unwrap();
        let plan = plan::resolve(
            &manifest,
            &Catalogue::upstream().unwrap(),
            &crates,
            "x86_64",
        );
        assert_eq!(plan.unwrap().wheels[0].distribution, "my-toy-dialect");
        let in_rust = create("rusty", Language::Rust, dir, &source).unwrap();
        assert!(dialect_crate::load(&in_rust).is_ok());
        let again = create("my_toy", Language::Cpp, dir, &source).unwrap_err();
        assert_eq!(again.kind(), ErrorKind::Io);
        let left: Vec<_> = dir.read_dir_utf8().unwrap().collect();
        assert_eq!(left.len(), 2, "only the first two are there");
    }
}
