//! A new Python project from templates.

mod contents;
mod existing;
mod sources;
mod texts;
mod workflow;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_core::path;

pub use contents::Contents;
pub use existing::{Checkout, Existing};
pub use sources::MondoSources;
use texts::texts;

use crate::dialect::read_cmake_project;
use crate::new_folder;

/// The contents of a new project in `folder` for the one in `project`, which has its own `CMake` and whose files stay as
/// they are.
///
/// # Errors
/// `ErrorKind::Io` where the project cannot be read, and `ErrorKind::Manifest` where it has no `CMake` over MLIR.
pub fn existing(project: &Utf8Path, folder: &Utf8Path) -> Result<Contents> {
    let real = |path: &Utf8Path| -> Result<Utf8PathBuf> {
        let path = camino::absolute_utf8(path)?;
        let found = path.ancestors().find_map(|above| {
            let real = above.canonicalize_utf8().ok()?;
            Some(real.join(path.strip_prefix(above).ok()?))
        });
        Ok(found.unwrap_or(path))
    };
    let (project, folder) = (real(project)?, real(folder)?);
    let mut existing = Existing::read(&project, &folder, checkout(&project, &folder))?;
    existing.license = existing.license_text().and_then(mondo_project::license_of);
    Ok(Contents::Existing(Box::new(existing)))
}

/// The Python package that the `CMake` of the project in `folder` names for its users.
#[must_use]
pub fn package_of(folder: &Utf8Path) -> Option<String> {
    read_cmake_project(folder).ok()?.entry.package
}

/// The place that CI has the sources in `project` from.
fn checkout(project: &Utf8Path, folder: &Utf8Path) -> Checkout {
    if project.starts_with(folder) {
        return Checkout::Inside;
    }
    let git = |arguments: &[&str]| {
        let tool = Tool::new("git", "ask for a project's repository");
        let output = tool.args(["-C", project.as_str()]).args(arguments).output();
        output.ok().map(|output| output.stdout.trim().to_owned())
    };
    let Some(top) = git(&["rev-parse", "--show-toplevel"]).map(Utf8PathBuf::from) else {
        return Checkout::Unknown;
    };
    if let Ok(below) = folder.strip_prefix(&top) {
        return Checkout::Same(below.to_owned());
    }
    let url = git(&["remote", "get-url", "origin"]);
    let Some((url, revision)) = url.zip(git(&["rev-parse", "HEAD"])) else {
        return Checkout::Unknown;
    };
    // CI has no key for the form `git@host:path`.
    let url = match url
        .strip_prefix("git@")
        .and_then(|rest| rest.split_once(':'))
    {
        Some((host, path)) => format!("https://{host}/{path}"),
        None => url,
    };
    match MondoSources::parse(&format!("{url}#{revision}")) {
        Ok(sources @ MondoSources::Git { .. }) => {
            Checkout::Clone(sources, path::relative(&top, folder))
        }
        _ => Checkout::Unknown,
    }
}

/// Writes the project `name` into the folder of that name in `dir`. Returns the folder.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a project's, and `ErrorKind::Io` for a folder that is
/// there already.
pub fn create(name: &str, contents: &Contents, dir: &Utf8Path) -> Result<Utf8PathBuf> {
    let texts = texts(name, contents)?;
    let folder = camino::absolute_utf8(dir)?.join(name);
    if folder.exists() {
        return Err(
            Error::new(ErrorKind::Io, format!("cannot create the project `{name}`"))
                .at(&folder)
                .because("a file or folder with this name already exists")
                .help("choose another name, or another folder with `--dir`"),
        );
    }
    new_folder::write(texts, &folder)?;
    Ok(folder)
}

/// Files that a folder may have before the project begins in it. They stay as they are.
const KEPT: [&str; 3] = [".gitignore", "LICENSE", "README.md"];

/// Writes the project `name` into `folder`, beside what is there.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a project's, and `ErrorKind::Io` where one of the files is there
/// already, except those that are kept; then none is written.
pub fn begin(name: &str, contents: &Contents, folder: &Utf8Path) -> Result<()> {
    let mut texts = texts(name, contents)?;
    texts.retain(|(path, _)| !(KEPT.contains(&path.as_str()) && folder.join(path).exists()));
    let files = texts.iter().map(|(path, _)| path.clone());
    let present: Vec<Utf8PathBuf> = files.filter(|path| folder.join(path).exists()).collect();
    if !present.is_empty() {
        let what = format!("cannot create the project `{name}` in this folder");
        return Err(Error::new(ErrorKind::Io, what)
            .at(folder)
            .because("these files already exist")
            .details(present)
            .help("move the files, or create the project in a new folder with `mondo new`"));
    }
    for (path, text) in texts {
        replace(&folder.join(path), text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::{dialect_crate, manifest, plan};

    use super::*;

    /// A project of each kind.
    fn kinds() -> [(&'static str, Contents); 6] {
        [
            ("my_pick", Contents::Pick),
            ("my_cpp", Contents::Cpp),
            ("my_rust", Contents::Rust(None)),
            (
                "my_git",
                Contents::Rust(Some(MondoSources::Git {
                    url: "ssh://git@example.org/mondo".into(),
                    revision: "v1".into(),
                })),
            ),
            (
                "my_path",
                Contents::Rust(Some(MondoSources::Folder("../mondo".into()))),
            ),
            ("my_cmake", Contents::Cmake),
        ]
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    fn read(path: &Utf8Path) -> String {
        fs_err::read_to_string(path).unwrap()
    }

    #[test]
    fn a_plan_takes_each_project() {
        let (_guard, dir) = folder();
        for (name, contents) in kinds() {
            let folder = create(name, &contents, &dir).unwrap();
            let manifest = manifest::load(&folder.join("pyproject.toml")).unwrap();
            assert_eq!(manifest.import_root, format!("{name}.mlir"));
            assert!(manifest.wheel.single);
            let crates = dialect_crate::load_all(&manifest, "nowhere".into()).unwrap();
            let catalogue = Catalogue::upstream().unwrap();
            // The plan of a project with `CMake` cannot name its dialects, which are unknown before it is configured.
            let plan = plan::resolve(&manifest, &catalogue, &crates, "x86_64").unwrap();
            let server = plan
                .tools
                .iter()
                .find(|tool| tool.name == "lsp-server")
                .unwrap();
            let settings = read(&folder.join(".vscode/settings.json"));
            let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
            let path = settings["mlir.server_path"].as_str().unwrap();
            let is_server = path.ends_with(&format!("/bin/{}", server.command));
            assert!(is_server, "{path}");
            let commands = format!("{}-opt and {}", name.replace('_', "-"), server.command);
            let pyproject = read(&folder.join("pyproject.toml"));
            assert!(pyproject.contains(&commands), "{name}");
        }
    }

    #[test]
    fn a_project_has_the_files_of_its_kind() {
        let (_guard, dir) = folder();
        for (name, contents) in kinds() {
            let folder = create(name, &contents, &dir).unwrap();
            let extensions = read(&folder.join(".vscode/extensions.json"));
            assert!(extensions.contains("mlir"), "{name}");
            let workflow = folder.join(".github/workflows/wheel.yml");
            assert_eq!(workflow.is_file(), contents.has_workflow(), "{name}");
            assert!(folder.join(".gitignore").is_file());
        }
        assert!(dir.join("my_cpp/dialect/include/my_cpp/MyCpp.td").is_file());
        assert!(dir.join("my_rust/dialect/Cargo.toml").is_file());
        assert!(dir.join("my_cmake/dialect/python/Module.cpp").is_file());
        assert!(!dir.join("my_cmake/dialect/dialect.toml").exists());
        let cmake = manifest::load(&dir.join("my_cmake/pyproject.toml")).unwrap();
        assert_eq!(cmake.projects[0].name.get_ref(), "my_cmake");
    }

    #[test]
    fn no_mark_of_a_template_remains() {
        for (name, contents) in kinds() {
            for (path, text) in texts(name, &contents).unwrap() {
                let mark = text.split('@').nth(1).filter(|word| {
                    word.chars().all(char::is_alphabetic) && text.contains(&format!("@{word}@"))
                });
                assert_eq!(mark, None, "{path}");
            }
        }
    }

    #[test]
    fn an_existing_folder_stays_as_it_is() {
        let (_guard, dir) = folder();
        for (name, contents) in kinds() {
            create(name, &contents, &dir).unwrap();
            let again = create(name, &contents, &dir).unwrap_err();
            assert_eq!(again.kind(), ErrorKind::Io);
        }
        assert_eq!(dir.read_dir_utf8().unwrap().count(), 6);
    }

    #[test]
    fn tests_of_a_project_with_a_dialect_are_about_that_dialect() {
        let (_guard, dir) = folder();
        for (name, contents) in kinds() {
            if !["my_cpp", "my_cmake", "my_rust"].contains(&name) {
                continue;
            }
            let folder = create(name, &contents, &dir).unwrap();
            let tests = read(&folder.join(format!("tests/test_{name}.py")));
            for gone in [
                "-mlir\"",
                "-dialect\"",
                "manylinux_2_17_\" in wheel",
                "from mlir",
            ] {
                assert!(!tests.contains(gone), "{name}: {gone}");
            }
        }
    }
}
