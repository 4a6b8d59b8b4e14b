//! Paths that name no regular file, or a file that cannot be read: each command ends at once with a typed error, and neither
//! waits for a writer nor reads a device without end.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A command ends within this time, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// A folder with one path of each kind.
struct Paths {
    dir: tempfile::TempDir,
}

impl Paths {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let status = Command::new("mkfifo").arg(dir.path().join("pipe")).status();
        assert!(status.unwrap().success());
        symlink("round", dir.path().join("round")).unwrap();
        std::fs::create_dir(dir.path().join("folder")).unwrap();
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The paths, each with a word of the error about it.
    fn all(&self) -> Vec<(PathBuf, &'static str)> {
        vec![
            (self.path("pipe"), "pipe"),
            (self.path("round"), "symbolic links"),
            ("/dev/zero".into(), "device"),
            ("/dev/stdin".into(), "device"),
            ("/proc/self/maps".into(), "/proc"),
            ("/proc/self/mem".into(), "/proc"),
        ]
    }

    /// The path under a name that has the suffix which a command looks for.
    fn called(&self, path: &Path, name: &str) -> PathBuf {
        let link = self.path(name);
        let _ = std::fs::remove_file(&link);
        symlink(path, &link).unwrap();
        link
    }
}

/// Runs mondo, with a device as its standard input.
#[track_caller]
fn mondo(args: &[&str]) -> Output {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_mondo"))
        .args(args)
        .env_remove("MONDO_WORKSPACE_DIR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LONGEST {
            child.kill().unwrap();
            panic!("mondo {args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Expects a typed error with this word.
#[track_caller]
fn fails(args: &[&str], word: &str) {
    let output = mondo(args);
    let message = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let is_typed =
        matches!(code, Some(2 | 10..=15 | 20..=26 | 30)) && message.starts_with("error[");
    assert!(is_typed, "mondo {args:?}: {code:?}\n{message}");
    assert!(
        message.contains(word),
        "mondo {args:?}: no {word:?} in\n{message}"
    );
    assert!(
        message.len() < 4096,
        "mondo {args:?}: {} bytes",
        message.len()
    );
}

#[test]
fn a_path_of_no_regular_file_is_refused_at_once() {
    let paths = Paths::new();
    for (path, word) in paths.all() {
        let wheel = paths.called(&path, "a-1-py3-none-any.whl");
        let wheel = wheel.to_str().unwrap();
        let manifest = paths.called(&path, "bundle.toml");
        let manifest = manifest.to_str().unwrap();
        let path = path.to_str().unwrap();
        fails(&["audit", path], word);
        fails(&["audit", wheel], word);
        fails(&["audit", "--policy", path, "x.so"], word);
        fails(&["audit", "--baseline", path, "x.so"], word);
        fails(&["size", wheel], word);
        fails(&["size", "--diff", wheel, wheel], word);
        fails(&["check", wheel], word);
        fails(&["manifest", manifest], word);
        fails(&["plan", "--manifest", manifest], word);
        fails(&["bundle", "--offline", "--manifest", manifest], word);
    }
}

#[test]
fn a_folder_is_no_file() {
    let paths = Paths::new();
    let folder = paths.path("folder");
    let wheel = paths.called(&folder, "a-1-py3-none-any.whl");
    let wheel = wheel.to_str().unwrap();
    let folder = folder.to_str().unwrap();
    fails(&["audit", "--policy", folder, "x.so"], "folder");
    fails(&["audit", folder], "no wheel and no shared library");
    fails(&["size", wheel], "folder");
    fails(&["check", wheel], "");
    fails(&["plan", "--manifest", folder], "folder");
    fails(&["kit", "check", folder], "no kit");
}

#[test]
fn a_file_without_permission_is_refused() {
    let paths = Paths::new();
    let file = paths.path("a.whl");
    std::fs::write(&file, "x").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o0)).unwrap();
    // Root reads every file.
    if std::fs::read(&file).is_err() {
        let file = file.to_str().unwrap();
        fails(&["audit", file], "Permission denied");
        fails(&["plan", "--manifest", file], "Permission denied");
    }
}

/// A manifest that could be read, but for these bytes.
fn manifest(key: &str) -> String {
    format!(
        "manifest = 1\n[package]\ndistribution = \"hostile\"\nlabel = \"hostile\"\nlicense = \"MIT\"\n{key}\n\
         [llvm]\nversion = \"22\"\n[contents]\ndialects = [\"func\"]\n"
    )
}

#[test]
fn long_and_deep_manifests_are_refused_with_the_limit() {
    let paths = Paths::new();
    let file = paths.path("bundle.toml");
    let long = "a".repeat(1_000_000);
    for (text, words) in [
        (manifest(&format!("{long} = 1")), "the limit is 100"),
        (
            manifest(&format!("summary = \"{long}\"")),
            "the limit is 16384",
        ),
        (
            manifest(&format!("import-root = \"{}\"", "a.".repeat(100))),
            "the limit is 128",
        ),
        (
            manifest("").replace(
                "label = \"hostile",
                &format!("label = \"{}", "a".repeat(65)),
            ),
            "the limit is 64",
        ),
        (
            manifest("").replace(
                "distribution = \"hostile",
                &format!("distribution = \"{}", "a".repeat(129)),
            ),
            "the limit is 128",
        ),
        (
            manifest(&format!("version = \"1{}\"", ".1".repeat(40))),
            "the limit is 64",
        ),
        (manifest(&"#".repeat(1 << 20)), "larger than 1048576 bytes"),
        (manifest(&format!("x = {}", "[".repeat(100_000))), "recurs"),
        (
            manifest(&format!("{}x = 1", "x.".repeat(100_000))),
            "recursion",
        ),
        (manifest("summary = 1979-05-27"), "summary"),
        (manifest("summary = nan"), "summary"),
        (manifest("summary = \"\\u0000\""), "control character"),
        (manifest("summary = \"a\\nb\""), "control character"),
        (
            manifest("license-files = [\"../nothing\"]"),
            "does not exist",
        ),
        (
            manifest("license-files = [\"/dev/zero\"]"),
            "does not exist",
        ),
        (manifest("readme = \"/dev/zero\""), "does not exist"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let start = Instant::now();
        fails(&["manifest", file.to_str().unwrap()], words);
        assert!(
            start.elapsed() < Duration::from_secs(8),
            "{words}: {:?}",
            start.elapsed()
        );
    }
}

/// The words of a manifest and of a `dialect.toml` that become names of files, targets and options of programs.
#[test]
fn a_name_is_no_path_and_no_option() {
    let paths = Paths::new();
    let folder = paths.path("folder");
    std::fs::write(folder.join("CMakeLists.txt"), "").unwrap();
    let file = paths.path("bundle.toml");
    let project = |key: &str| {
        let name = if key.starts_with("name") {
            ""
        } else {
            "name = \"toy\"\n"
        };
        format!(
            "{}[[project]]\n{name}cmake = \"folder\"\n{key}\n",
            manifest("")
        )
    };
    std::fs::write(&file, project("targets = \"toy.opt\"")).unwrap();
    let good = mondo(&["manifest", file.to_str().unwrap()]);
    assert!(good.status.success(), "{good:?}");
    let bad = [
        "..", "../x", "a/../b", "-x", "@x", "a\\nb", "a\\u0000", "a\\\"b", "",
    ];
    for key in [
        "name",
        "wheel",
        "python-root",
        "c-api",
        "modules",
        "libraries",
        "headers",
        "targets",
        "license",
    ] {
        // All lists of names have one check.
        let most = if key == "targets" { bad.len() } else { 3 };
        for word in &bad[..most] {
            std::fs::write(&file, project(&format!("{key} = \"{word}\""))).unwrap();
            fails(&["manifest", file.to_str().unwrap()], "bundle.toml");
        }
    }
    let dialect_toml = paths.path("dialect.toml");
    for word in bad {
        for (key, text) in [
            (
                "label",
                manifest("").replace("label = \"hostile", &format!("label = \"{word}")),
            ),
            (
                "distribution",
                manifest("").replace(
                    "distribution = \"hostile",
                    &format!("distribution = \"{word}"),
                ),
            ),
            (
                "import-root",
                manifest(&format!("import-root = \"{word}\"")),
            ),
        ] {
            std::fs::write(&file, text).unwrap();
            fails(
                &["manifest", file.to_str().unwrap()],
                key.split('-').next().unwrap(),
            );
        }
        for (name, dialect, key) in [(word, "toy", "name"), ("toy", word, "dialect.name")] {
            let text = format!(
                "dialect-crate = 1\nname = \"{name}\"\n[[dialect]]\nname = \"{dialect}\"\n"
            );
            std::fs::write(&dialect_toml, text).unwrap();
            fails(
                &["manifest", dialect_toml.to_str().unwrap()],
                &format!("invalid `{key}`"),
            );
        }
    }
}

#[test]
fn a_label_of_a_well_known_package_is_a_warning_and_one_of_python_an_error() {
    let paths = Paths::new();
    let file = paths.path("bundle.toml");
    let plan = |label: &str| {
        std::fs::write(
            &file,
            manifest("").replace("label = \"hostile", &format!("label = \"{label}")),
        )
        .unwrap();
        let output = mondo(&["plan", "--manifest", file.to_str().unwrap()]);
        let message = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&message).into_owned(),
        )
    };
    let (code, message) = plan("numpy");
    assert_eq!(code, Some(0), "{message}");
    assert!(
        message.contains("warning: the import root `numpy.mlir` is in the package `numpy`"),
        "{message}"
    );
    let (code, message) = plan("hostile");
    assert!(
        code == Some(0) && !message.contains("warning:"),
        "{message}"
    );
    let (code, message) = plan("json");
    assert!(
        code == Some(10) && message.contains("standard library"),
        "{message}"
    );
}
