//! The inspection of a prefix: the files that a bundle needs and the prefix lacks.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

/// The result of inspecting a prefix.
#[derive(Debug, Default)]
pub(super) struct Inspection {
    /// LLVM's version, where the prefix has LLVM's headers.
    pub(super) version: Option<String>,
    /// The missing files, each as one line: a path and a description.
    pub(super) missing: Vec<String>,
    /// Folders with `libz.a` and `libzstd.a`, in order.
    pub(super) library_dirs: Vec<Utf8PathBuf>,
    /// Folders with the shared libraries that the prefix's programs need and the system may lack.
    pub(super) tool_library_dirs: Vec<Utf8PathBuf>,
    /// The folder of `libclang.so`.
    pub(super) libclang_dir: Option<Utf8PathBuf>,
    /// LLVM's licence text.
    pub(super) license_file: Option<Utf8PathBuf>,
}

impl Inspection {
    /// LLVM's major version.
    pub(super) fn major(&self) -> Option<u32> {
        self.version.as_ref()?.split('.').next()?.parse().ok()
    }
}

/// Folders outside of a prefix that are searched for libraries which the prefix lacks.
#[derive(Debug, Clone, Default)]
pub(super) struct Fallback {
    /// For `libz.a` and `libzstd.a`.
    pub(super) library_dirs: Vec<Utf8PathBuf>,
    /// For `libclang.so`.
    pub(super) libclang_dirs: Vec<Utf8PathBuf>,
}

impl Fallback {
    /// The system's folders below `root` (`/`).
    pub(super) fn system(root: &Utf8Path) -> Self {
        let library_dirs = vec![
            root.join("usr/lib").join(triplet()),
            root.join("usr/lib64"),
            root.join("usr/local/lib"),
            root.join("usr/lib"),
        ];
        let mut libclang_dirs: Vec<Utf8PathBuf> = entries(&root.join("usr/lib"))
            .into_iter()
            .filter_map(|name| {
                let major: u32 = name.strip_prefix("llvm-")?.parse().ok()?;
                Some((major, root.join("usr/lib").join(name).join("lib")))
            })
            .collect::<std::collections::BTreeMap<_, _>>()
            .into_values()
            .rev()
            .collect();
        libclang_dirs.extend(library_dirs.iter().cloned());
        Self {
            library_dirs,
            libclang_dirs,
        }
    }
}

/// The folder name of this architecture's libraries on Debian.
#[must_use]
pub fn triplet() -> String {
    format!("{}-linux-gnu", std::env::consts::ARCH)
}

/// Headers that are checked: one of each library layer that mondo compiles against.
const HEADERS: &[&str] = &[
    "include/llvm/Config/llvm-config.h",
    "include/llvm/ADT/StringRef.h",
    "include/llvm-c/Core.h",
    "include/mlir/IR/Operation.h",
    "include/mlir/IR/OpBase.td",
    "include/mlir-c/IR.h",
    "include/mlir-c/RegisterEverything.h",
];

/// Archives that are always checked, because nothing can be linked without them. All other expected archives are
/// those that the installation's own `CMake` exports list.
const ARCHIVES: &[&str] = &[
    "lib/libLLVMCore.a",
    "lib/libLLVMSupport.a",
    "lib/libMLIRCAPIIR.a",
    "lib/libMLIRIR.a",
    "lib/libMLIRPass.a",
    "lib/libMLIRSupport.a",
];

/// Looks at `prefix`. Nothing is run; an installation of LLVM 22 has some 700 files to ask for.
pub(super) fn inspect(prefix: &Utf8Path, fallback: &Fallback) -> Result<Inspection> {
    let mut found = Inspection::default();
    if !prefix.is_dir() {
        found.missing.push(format!("{prefix} (no such folder)"));
        return Ok(found);
    }
    let config = match fs_err::read_to_string(prefix.join("include/llvm/Config/llvm-config.h")) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error.into()),
    };
    found.version =
        define(&config, "LLVM_VERSION_STRING").map(|version| version.trim_matches('"').to_owned());
    for header in HEADERS {
        require(&mut found, prefix, header, "header");
    }
    for archive in expected_archives(prefix) {
        require(&mut found, prefix, &archive, "archive");
    }
    require(&mut found, prefix, "bin/mlir-tblgen", "program");
    let neighbours = neighbours(prefix);
    static_libraries(&mut found, prefix, &config, &neighbours, fallback);
    libclang(&mut found, prefix, &neighbours, fallback);
    // The loader searches the system's own folders anyway, so these are not listed.
    found.tool_library_dirs = neighbours
        .iter()
        .filter(|dir| !dir.starts_with("/usr/lib") && !dir.starts_with("/lib"))
        .cloned()
        .collect();
    found.license_file = license(prefix, found.major());
    Ok(found)
}

fn require(found: &mut Inspection, prefix: &Utf8Path, path: &str, what: &str) {
    if !prefix.join(path).is_file() {
        found.missing.push(format!("{path} ({what})"));
    }
}

/// The value of `#define name value`.
fn define<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    header.lines().find_map(|line| {
        let rest = line.strip_prefix("#define ")?.strip_prefix(name)?;
        rest.starts_with(' ').then(|| rest.trim())
    })
}

/// The archives of MLIR and LLVM that the installation's `CMake` exports list, and the essential ones.
fn expected_archives(prefix: &Utf8Path) -> Vec<String> {
    let mut archives: Vec<String> = ARCHIVES.iter().map(|&name| name.to_owned()).collect();
    for (folder, starts) in [("llvm", "LLVMExports-"), ("mlir", "MLIRTargets-")] {
        let folder = prefix.join("lib/cmake").join(folder);
        for file in entries(&folder) {
            if !file.starts_with(starts) {
                continue;
            }
            // An unreadable export lists nothing; the essential archives are asked for anyway.
            let text = fs_err::read_to_string(folder.join(file)).unwrap_or_default();
            archives.extend(
                text.split("${_IMPORT_PREFIX}/")
                    .skip(1)
                    .filter_map(|rest| rest.split_once(".a\""))
                    .map(|(path, _)| path)
                    .filter(|path| {
                        path.starts_with("lib/libMLIR") || path.starts_with("lib/libLLVM")
                    })
                    .filter(|path| !path.contains('"'))
                    .map(|path| format!("{path}.a")),
            );
        }
    }
    archives.sort_unstable();
    archives.dedup();
    archives
}

/// The folders beside a Debian prefix with files that it shares with other packages: for `<root>/usr/lib/llvm-22`
/// these are `<root>/usr/lib/<triplet>` and `<root>/lib/<triplet>`.
fn neighbours(prefix: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut dirs = Vec::new();
    if let Some(parent) = prefix.parent() {
        dirs.push(parent.join(triplet()));
        if let Some(root) = parent.parent().and_then(Utf8Path::parent) {
            dirs.push(root.join("lib").join(triplet()));
        }
    }
    dirs.retain(|dir| dir.is_dir());
    dirs
}

fn static_libraries(
    found: &mut Inspection,
    prefix: &Utf8Path,
    config: &str,
    neighbours: &[Utf8PathBuf],
    fallback: &Fallback,
) {
    let lib = prefix.join("lib");
    let places: Vec<&Utf8PathBuf> = std::iter::once(&lib)
        .chain(neighbours)
        .chain(&fallback.library_dirs)
        .collect();
    for (setting, library, package) in [
        ("LLVM_ENABLE_ZLIB", "libz.a", "zlib1g-dev"),
        ("LLVM_ENABLE_ZSTD", "libzstd.a", "libzstd-dev"),
    ] {
        // LLVM can be built without zlib and without zstd, so a library is required only if LLVM's configuration has
        // it.
        if define(config, setting) != Some("1") {
            continue;
        }
        match places.iter().find(|dir| dir.join(library).is_file()) {
            Some(dir) if !found.library_dirs.contains(dir) => {
                found.library_dirs.push((*dir).clone());
            }
            Some(_) => {}
            None => found.missing.push(format!(
                "{library} (static library; on Debian in {package})"
            )),
        }
    }
}

fn libclang(
    found: &mut Inspection,
    prefix: &Utf8Path,
    neighbours: &[Utf8PathBuf],
    fallback: &Fallback,
) {
    let lib = prefix.join("lib");
    found.libclang_dir = std::iter::once(&lib)
        .chain(neighbours)
        .chain(&fallback.libclang_dirs)
        .find(|dir| libclang_in(dir).is_some())
        .cloned();
    if found.libclang_dir.is_none() {
        let package = found.major().map_or_else(String::new, |major| {
            format!("; on Debian in libclang1-{major}")
        });
        found
            .missing
            .push(format!("lib/libclang.so (shared library{package})"));
    }
}

/// libclang in a folder: a file, or a link that leads to one.
pub(super) fn libclang_in(dir: &Utf8Path) -> Option<Utf8PathBuf> {
    entries(dir)
        .iter()
        .filter(|name| is_libclang(name))
        .map(|name| dir.join(name))
        .find(|path| path.is_file())
}

/// The file names that bindgen looks for.
fn is_libclang(name: &str) -> bool {
    let versioned = name
        .strip_prefix("libclang-")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(".so"));
    versioned || name == "libclang.so" || name.starts_with("libclang.so.")
}

fn license(prefix: &Utf8Path, major: Option<u32>) -> Option<Utf8PathBuf> {
    let documents = prefix.parent()?.parent()?.join("share/doc");
    let major = major.unwrap_or_default();
    [
        prefix.join("LICENSE.TXT"),
        prefix.join("LICENSE"),
        documents.join(format!("libmlir-{major}-dev/copyright")),
        documents.join(format!("llvm-{major}-dev/copyright")),
    ]
    .into_iter()
    .find(|path| path.is_file())
}

/// The names in a folder, sorted. Empty if the folder cannot be read.
fn entries(dir: &Utf8Path) -> Vec<String> {
    let Ok(read) = dir.read_dir_utf8() else {
        return Vec::new();
    };
    let mut names: Vec<String> = read
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_owned())
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_complete_prefix_lacks_nothing() {
        let root = fixture::Prefix::complete("22.1.8");
        let found = inspect(&root.prefix, &Fallback::default()).unwrap();
        assert_eq!(found.missing, [] as [&str; 0]);
        assert_eq!(found.version.as_deref(), Some("22.1.8"));
        assert_eq!(found.major(), Some(22));
        let shared = root.prefix.parent().unwrap().join(triplet());
        assert_eq!(found.tool_library_dirs, found.library_dirs);
        assert_eq!(found.library_dirs, [shared]);
    }

    #[test]
    fn every_missing_thing_is_named() {
        for (path, line) in [
            ("lib/libMLIRIR.a", "lib/libMLIRIR.a (archive)"),
            (
                "lib/libMLIRLinalgDialect.a",
                "lib/libMLIRLinalgDialect.a (archive)",
            ),
            ("include/mlir-c/IR.h", "include/mlir-c/IR.h (header)"),
            ("bin/mlir-tblgen", "bin/mlir-tblgen (program)"),
            (
                "lib/libclang-22.so.1",
                "lib/libclang.so (shared library; on Debian in libclang1-22)",
            ),
        ] {
            let root = fixture::Prefix::complete("22.1.8");
            fs_err::remove_file(root.prefix.join(path)).unwrap();
            let found = inspect(&root.prefix, &Fallback::default()).unwrap();
            assert_eq!(found.missing, [line]);
        }
    }

    #[test]
    fn static_libraries_are_asked_for_only_where_llvm_was_built_with_them() {
        let root = fixture::Prefix::complete("22.1.8");
        fs_err::remove_dir_all(root.prefix.parent().unwrap().join(triplet())).unwrap();
        let found = inspect(&root.prefix, &Fallback::default()).unwrap();
        assert_eq!(found.missing.len(), 2, "{:?}", found.missing);
        let config = root.prefix.join("include/llvm/Config/llvm-config.h");
        fs_err::write(config, "#define LLVM_VERSION_STRING \"22.1.8\"\n").unwrap();
        let found = inspect(&root.prefix, &Fallback::default()).unwrap();
        assert_eq!(found.missing, [] as [&str; 0]);
    }

    #[test]
    fn libclang_is_not_mistaken_for_its_cxx_library() {
        assert!(is_libclang("libclang.so"));
        assert!(is_libclang("libclang.so.1"));
        assert!(is_libclang("libclang-22.so.1"));
        assert!(!is_libclang("libclang-cpp.so.22.1"));
        assert!(!is_libclang("libclangAST.a"));
    }
}
