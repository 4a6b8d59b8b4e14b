//! The part that the caller's environment and cargo's configuration files play in a compilation.
//!
//! An environment variable that could change the output is either removed from the environment of the compilers or is
//! part of the cache's key. Otherwise code that was compiled under one caller's settings would be served to another
//! caller. Flags for C and C++ are part of the key, since a compiler may need them to work at all. Variables that
//! change the profile, or add folders of headers to those that mondo names, are removed.

use std::ffi::OsString;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::exec::Tool;

use crate::variables::{COMPILERS, chosen};

/// The two ways to deal with a variable that could change what a run of cargo makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Treatment {
    Removed,
    Digested,
}

/// Variables of [`COMPILERS`] that are digested and not removed: without them a compiler may not find its own parts,
/// or a build script its libraries.
const PARTS_OF_COMPILERS: [&str; 3] = ["COMPILER_PATH", "GCC_EXEC_PREFIX", "LIBRARY_PATH"];

/// Variables that the crates cc and bindgen read. Each has forms for one target (`CFLAGS_x86_64_unknown_linux_gnu`),
/// and most have them for hosts and targets (`HOST_CFLAGS`). `CC` stands for its settings too, such as
/// `CC_SHELL_ESCAPED_FLAGS`.
const BUILD_SCRIPTS: [&str; 11] = [
    "AR",
    "ARFLAGS",
    "ASFLAGS",
    "BINDGEN_EXTRA_CLANG_ARGS",
    "CC",
    "CFLAGS",
    "CRATE_CC_NO_DEFAULTS",
    "CXXFLAGS",
    "CXXSTDLIB",
    "RANLIB",
    "RANLIBFLAGS",
];

/// Variables by which cargo's output changes. Cargo's other variables set the number of jobs or say how to reach a
/// registry.
const CARGO: [&str; 8] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CARGO_TARGET_APPLIES_TO_HOST",
    "CARGO_TARGET_DIR",
    "RUSTC_BOOTSTRAP",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
];

/// Keys of cargo's configuration that decide how it downloads, prints and installs. The lock has the digests of what
/// is downloaded.
const WITHOUT_EFFECT: [&str; 10] = [
    "alias",
    "cargo-new",
    "credential-alias",
    "future-incompat-report",
    "http",
    "install",
    "net",
    "registries",
    "registry",
    "term",
];

/// Returns none for a variable that does not change what cargo makes.
fn treatment(name: &str) -> Option<Treatment> {
    let starts = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    // The build itself chooses the C++ compiler, the Python and the profile, so the caller's variables for them are
    // removed.
    let removed = CARGO.contains(&name)
        || starts(&["CARGO_PROFILE_", "CARGO_UNSTABLE_", "PYO3_", "CXX_"])
        || (name.starts_with("CARGO_BUILD_") && name != "CARGO_BUILD_JOBS")
        || ["HOST_CXX", "TARGET_CXX"].contains(&name)
        || (COMPILERS.contains(&name) && !PARTS_OF_COMPILERS.contains(&name));
    if removed {
        return Some(Treatment::Removed);
    }
    let digested = PARTS_OF_COMPILERS.contains(&name)
        || BUILD_SCRIPTS.iter().any(|known| is_form(name, known));
    digested.then_some(Treatment::Digested)
}

/// True for `known` itself and its forms for hosts and targets.
fn is_form(name: &str, known: &str) -> bool {
    let general = ["HOST_", "TARGET_"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(name);
    general == known
        || name
            .strip_prefix(known)
            .is_some_and(|rest| rest.starts_with('_'))
}

/// Returns cargo without those environment variables that would change its output and are not part of the cache's
/// key.
pub(super) fn hermetic(cargo: Tool) -> Tool {
    std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| treatment(name) == Some(Treatment::Removed))
        .fold(cargo, Tool::env_remove)
}

/// The environment variables that are part of the cache's key for a run of cargo, one per line.
pub(super) fn cargo_variables(environment: impl Iterator<Item = (OsString, OsString)>) -> String {
    chosen(environment, |name| {
        treatment(name) == Some(Treatment::Digested)
    })
}

/// The settings of cargo's configuration files that may change what a run in `folder` makes. Places are left out, so
/// that two checkouts with equal files share what is compiled.
///
/// # Errors
/// [`mondo_core::ErrorKind::Io`] where a file cannot be read.
pub(super) fn configuration(folder: &Utf8Path, home: Option<&Utf8Path>) -> Result<String> {
    let folder = folder.canonicalize_utf8().unwrap_or(folder.to_owned());
    let mut folders: Vec<Utf8PathBuf> = folder
        .ancestors()
        .map(|ancestor| ancestor.join(".cargo"))
        .collect();
    let home = home.map(|path| path.canonicalize_utf8().unwrap_or(path.to_owned()));
    folders.extend(home.filter(|home| !folders.contains(home)));
    let mut all = String::new();
    for folder in folders {
        // If both files exist, cargo reads `config`, the old name, and ignores `config.toml`.
        let mut files = ["config", "config.toml"]
            .map(|name| folder.join(name))
            .into_iter();
        if let Some(file) = files.find(|path| path.is_file()) {
            all += &effective(&fs_err::read_to_string(&file)?, &folder);
        }
    }
    Ok(all)
}

/// The settings of one file in `folder`, as text. Cargo itself refuses one that cannot be parsed.
fn effective(text: &str, folder: &Utf8Path) -> String {
    let Ok(mut settings) = text.parse::<toml::Table>() else {
        return text.to_owned();
    };
    settings.retain(|key, _| !WITHOUT_EFFECT.contains(&key));
    if settings.is_empty() {
        return String::new();
    }
    let settings = settings.to_string();
    // A value with `relative = true` is a path that begins at the file, and so is an included file.
    match settings.contains("relative") || settings.contains("include") {
        true => format!("in {folder}:\n{settings}\n"),
        false => format!("{settings}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(names: &[&str]) -> impl Iterator<Item = (OsString, OsString)> {
        let pairs: Vec<_> = names
            .iter()
            .map(|name| ((*name).into(), "-O0".into()))
            .collect();
        pairs.into_iter()
    }

    #[test]
    fn flags_of_c_and_c_plus_plus_in_every_form_are_digested() {
        for name in [
            "CXXFLAGS",
            "CXXFLAGS_x86_64_unknown_linux_gnu",
            "CXXFLAGS_x86_64-unknown-linux-gnu",
            "HOST_CXXFLAGS",
            "TARGET_CXXFLAGS",
            "CFLAGS",
            "HOST_CFLAGS",
            "ASFLAGS_x86_64_unknown_linux_gnu",
            "ARFLAGS",
            "RANLIBFLAGS",
            "CC",
            "CC_SHELL_ESCAPED_FLAGS",
            "TARGET_CC",
            "AR_x86_64_unknown_linux_gnu",
            "CRATE_CC_NO_DEFAULTS",
            "CXXSTDLIB",
            "BINDGEN_EXTRA_CLANG_ARGS",
            "BINDGEN_EXTRA_CLANG_ARGS_x86_64_unknown_linux_gnu",
            "GCC_EXEC_PREFIX",
        ] {
            assert_eq!(treatment(name), Some(Treatment::Digested), "{name}");
            let text = cargo_variables(environment(&["HOME", name]));
            assert_eq!(text, format!("{name}=\"-O0\"\n"));
        }
    }

    #[test]
    fn profiles_wrappers_and_folders_of_headers_do_not_reach_cargo() {
        for name in [
            "CARGO_PROFILE_BUNDLE_DEBUG",
            "CARGO_PROFILE_BUNDLE_OVERFLOW_CHECKS",
            "CARGO_PROFILE_BUNDLE_CODEGEN_UNITS",
            "CARGO_PROFILE_BUNDLE_PANIC",
            "CARGO_PROFILE_BUNDLE_OPT_LEVEL",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_BUILD_TARGET",
            "CARGO_BUILD_RUSTC_WRAPPER",
            "CARGO_INCREMENTAL",
            "RUSTC_WRAPPER",
            "RUSTFLAGS",
            "CPATH",
            "C_INCLUDE_PATH",
            "CPLUS_INCLUDE_PATH",
            "CXX_x86_64_unknown_linux_gnu",
            "HOST_CXX",
            "PYO3_CONFIG_FILE",
        ] {
            assert_eq!(treatment(name), Some(Treatment::Removed), "{name}");
            assert_eq!(cargo_variables(environment(&[name])), "");
        }
    }

    #[test]
    fn other_variables_have_no_part_in_a_compilation() {
        for name in [
            "PATH",
            "HOME",
            "CARGO_HOME",
            "CARGO_BUILD_JOBS",
            "CARGO_NET_OFFLINE",
            "CARGO_TERM_COLOR",
            "RUSTDOCFLAGS",
            "CARGOX",
            "ARCH",
            "CCACHE_DIR",
            // The build sets it.
            "CXX",
        ] {
            assert_eq!(treatment(name), None, "{name}");
        }
    }

    /// A checkout in a folder of its own, with a home of cargo beside it.
    struct Folders {
        _folder: tempfile::TempDir,
        checkout: Utf8PathBuf,
        home: Utf8PathBuf,
    }

    impl Folders {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8Path::from_path(folder.path()).unwrap().to_owned();
            let (checkout, home) = (path.join("a/checkout"), path.join("home"));
            fs_err::create_dir_all(checkout.join(".cargo")).unwrap();
            fs_err::create_dir_all(path.join("a/.cargo")).unwrap();
            fs_err::create_dir_all(&home).unwrap();
            Self {
                _folder: folder,
                checkout,
                home,
            }
        }

        fn write(&self, file: &str, text: &str) {
            fs_err::write(self.checkout.join(file), text).unwrap();
        }

        fn settings(&self) -> String {
            configuration(&self.checkout, Some(&self.home)).unwrap()
        }
    }

    #[test]
    fn configuration_above_the_checkout_and_of_the_user_is_digested() {
        let one = Folders::new();
        let clean = one.settings();
        one.write(
            ".cargo/config.toml",
            "[alias]\nxtask = \"run\"\n[net]\nretry = 1\n",
        );
        assert_eq!(
            one.settings(),
            clean,
            "aliases and downloads have no effect"
        );
        for (file, text) in [
            ("../.cargo/config.toml", "[profile.bundle]\nopt-level = 0\n"),
            ("../.cargo/config.toml", "[env]\nCXXFLAGS = \"-O0\"\n"),
            ("../.cargo/config", "[env]\nCXXFLAGS = \"-O1\"\n"),
            ("../../home/config.toml", "[target.x]\nlinker = \"y\"\n"),
            (".cargo/config.toml", "[patch.crates-io]\nx.path = \"y\"\n"),
            (".cargo/config.toml", "not toml"),
        ] {
            let before = one.settings();
            one.write(file, text);
            assert_ne!(one.settings(), before, "{file}: {text}");
        }
    }

    #[test]
    fn checkouts_with_equal_configuration_share_what_is_compiled() {
        let (one, other) = (Folders::new(), Folders::new());
        for folders in [&one, &other] {
            folders.write("../.cargo/config.toml", "[profile.bundle]\nopt-level = 0\n");
        }
        assert!(one.settings().contains("opt-level"));
        assert_eq!(one.settings(), other.settings());
        let relative = "[env]\nX = { value = \"x\", relative = true }\n";
        for folders in [&one, &other] {
            folders.write("../.cargo/config.toml", relative);
        }
        assert_ne!(
            one.settings(),
            other.settings(),
            "it has another value in each"
        );
    }
}
