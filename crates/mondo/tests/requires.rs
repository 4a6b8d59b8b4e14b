//! The build backend's hooks `get_requires_for_build_*`, called as a frontend calls them, for each kind of project
//! that `mondo new` begins: what they ask for with a kit, with a checkout of mondo, and with neither.
//!
//! Run by `cargo xtask test bad-input`.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The hooks of a wheel, of an editable install and of an sdist, in the order of [`Requires`].
const CODE: &str = "import json; import mondo_bundle as b; print(json.dumps([\
                    b.get_requires_for_build_wheel(S), b.get_requires_for_build_editable(S), \
                    b.get_requires_for_build_sdist(S)]))";

/// The requirements of a wheel, of an editable install and of an sdist.
type Requires = [Vec<String>; 3];

const KINDS: [&str; 4] = ["--cpp", "--cmake", "--pick", "--rust"];

/// A new project of this kind.
fn project(dir: &Path, kind: &str) -> PathBuf {
    let name = format!("my{}", kind.trim_start_matches('-'));
    let made = Command::new(env!("CARGO_BIN_EXE_mondo"))
        .args(["new", &name, kind, "--dir"])
        .arg(dir)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(made.success(), "{kind}");
    dir.join(name)
}

/// Calls the hooks in the folder `project`. `sources` are mondo's own; with a folder that has none of them, the program
/// is as one that was installed alone.
fn requires(project: &Path, sources: &Path, settings: &str) -> Result<Requires, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .args(["-c", &format!("S = {settings}; {CODE}")])
        .current_dir(project)
        .env("MONDO", env!("CARGO_BIN_EXE_mondo"))
        .env("MONDO_SOURCE_DIR", sources)
        .env_remove("MONDO_KIT")
        // A hook does not ask for wheels that are in the cache.
        .env("MONDO_CACHE_DIR", project.with_extension("cache"))
        .env("PYTHONPATH", workspace.join("python"))
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn each_kind_of_project_asks_for_what_it_needs() {
    let dir = tempfile::tempdir().unwrap();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kit = vec![format!("mondo-kit-22=={}", env!("CARGO_PKG_VERSION"))];
    let nothing = || [vec![], vec![], vec![]];
    let (nanobind, cmake) = ("nanobind==2.15.0", ["cmake==4.4.4", "ninja==1.13.2"]);
    for kind in KINDS {
        let project = project(dir.path(), kind);
        let alone = requires(&project, dir.path(), "{}").unwrap();
        // The tools that its code is built with.
        let tools: Vec<String> = match kind {
            "--cpp" => vec![nanobind.into()],
            "--cmake" => [nanobind]
                .into_iter()
                .chain(cmake)
                .map(Into::into)
                .collect(),
            _ => vec![],
        };
        let build = || [tools.clone(), tools.clone(), vec![]];
        // An sdist has files alone. A dialect in Rust needs cargo and mondo's sources, which no index has.
        let expected = match kind {
            "--rust" => nothing(),
            _ => {
                let all = [kit.clone(), tools.clone()].concat();
                [all.clone(), all, vec![]]
            }
        };
        assert_eq!(alone, expected, "{kind}, alone");
        let beside = requires(&project, &checkout, "{}").unwrap();
        assert_eq!(beside, build(), "{kind}, with mondo's sources");
        let named = requires(&project, dir.path(), "{'kit': '/somewhere'}").unwrap();
        assert_eq!(named, build(), "{kind}, with a kit");
    }
}

#[test]
fn a_version_that_follows_llvm_is_in_the_lock_of_a_kit() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path(), "--pick");
    let file = project.join("pyproject.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let dynamic = text.replace("version = \"0.1.0\"\n", "dynamic = [\"version\"]\n");
    assert_ne!(dynamic, text);
    std::fs::write(&file, dynamic).unwrap();
    let asked = requires(&project, dir.path(), "{}").unwrap();
    assert_eq!(asked[2], asked[0]);
    assert_eq!(asked[2].len(), 1);
}

#[test]
fn a_mistake_of_the_manifest_is_told_before_anything_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path(), "--pick");
    let file = project.join("pyproject.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("label =", "lable =")).unwrap();
    let said = requires(&project, dir.path(), "{}").unwrap_err();
    assert!(
        said.contains("pyproject.toml") && said.contains("lable"),
        "{said}"
    );
    std::fs::write(&file, text).unwrap();
    let said = requires(&project, dir.path(), "{'lable': 'x'}").unwrap_err();
    assert!(said.contains("unknown setting `lable`"), "{said}");
}
