//! The record of a configured project: a file with one JSON object per line, which `data/project.cmake` writes.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use serde::Deserialize;

/// All lines of a record.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The project's name in its `CMake`.
    pub(crate) name: String,
    /// The folder of the MLIR that it found; empty if it did not look.
    pub(crate) mlir: String,
    /// Its version; empty where it has none.
    pub(crate) version: String,
    /// Its targets, except those without files.
    pub(crate) targets: Vec<Target>,
    /// Python packages: `add_mlir_python_modules`.
    pub(crate) modules: Vec<Package>,
    /// Groups of Python sources, dialects' bindings and extensions.
    pub(crate) groups: Vec<Group>,
    /// The C API libraries whose closure the bundle takes.
    pub(crate) libraries: Vec<String>,
    /// C API libraries of LLVM's that it names.
    pub(crate) foreign: Vec<String>,
    /// Its libraries that `add_mlir_dialect_library` makes.
    pub(crate) dialect_libraries: Vec<String>,
    /// Extensions that it declares by other functions than MLIR's.
    pub(crate) excluded: Vec<ExcludedExtension>,
}

/// An extension that the project declares by a function of its own, so that no Python package of it has a place for
/// it.
#[derive(Debug, Deserialize)]
pub(crate) struct ExcludedExtension {
    pub(crate) name: String,
    /// The folder whose `CMakeLists.txt` makes it.
    pub(crate) folder: Utf8PathBuf,
}

/// A target.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    /// `STATIC_LIBRARY`, `EXECUTABLE`, …
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The folder whose `CMakeLists.txt` makes it.
    pub(crate) folder: Utf8PathBuf,
    /// The libraries that it links, as written.
    pub(crate) links: Vec<String>,
}

/// A Python package.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// `MLIR_PYTHON_PACKAGE_PREFIX=toy.`, where its folder defines it.
    #[serde(default)]
    prefix: String,
    /// The folder in which upstream lays the package out (`ROOT_PREFIX`). Its last part is the package's own name.
    #[serde(default)]
    root: Utf8PathBuf,
    /// All its groups, upstream's included.
    pub(crate) groups: Vec<String>,
}

impl Package {
    /// The package that its users import.
    pub(crate) fn root(&self) -> Option<&str> {
        let (_, prefix) = self.prefix.split_once('=').unwrap_or_default();
        let prefix = prefix.trim_matches(|c| matches!(c, '.' | '"' | '\\'));
        let root = Some(prefix).filter(|root| !root.is_empty());
        root.or_else(|| self.root.file_name())
    }
}

/// A group of Python sources.
#[derive(Debug, Deserialize)]
pub(crate) struct Group {
    pub(crate) kind: GroupKind,
    pub(crate) name: String,
    /// The folder that its sources are relative to.
    pub(crate) root: Utf8PathBuf,
    /// The dialect's name.
    pub(crate) dialect: String,
    /// The name of an extension of the dialect.
    pub(crate) extension: String,
    /// The ODS file of operations.
    pub(crate) td: String,
    /// The ODS file of enums.
    pub(crate) enums: String,
    /// The extension's module.
    pub(crate) module: String,
    /// The folder whose `CMakeLists.txt` declares it.
    #[serde(default)]
    pub(crate) source_dir: Utf8PathBuf,
    /// The probe library whose compile options are those of the extension.
    pub(crate) probe: String,
    /// The probe library whose link line has the libraries that the extension links itself.
    #[serde(default)]
    pub(crate) link_probe: String,
    pub(crate) sources: Vec<String>,
    /// Include folders of its `CMakeLists.txt`.
    pub(crate) include: Vec<Utf8PathBuf>,
    /// Targets that make what its ODS files include.
    pub(crate) depends: Vec<String>,
    /// C API libraries that the extension calls.
    pub(crate) c_api: Vec<String>,
    /// Archives that the extension links itself.
    pub(crate) private: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GroupKind {
    Sources,
    Dialect,
    Extension,
}

#[derive(Deserialize)]
struct Head {
    kind: String,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    mlir: String,
    version: String,
}

#[derive(Deserialize)]
struct Closure {
    libraries: Vec<String>,
    foreign: Vec<String>,
    #[serde(default)]
    dialects: Vec<String>,
}

impl Record {
    pub(crate) fn read(path: &Utf8Path) -> Result<Self> {
        let text = fs_err::read_to_string(path)?;
        let mut record = Self::default();
        for (number, line) in text.lines().enumerate() {
            record.line(line).map_err(|error| {
                Error::new(ErrorKind::Io, "cannot read the record of a CMake project")
                    .at(format!("{path}:{}", number + 1))
                    .caused_by(error)
            })?;
        }
        Ok(record)
    }

    fn line(&mut self, line: &str) -> serde_json::Result<()> {
        let head: Head = serde_json::from_str(line)?;
        match head.kind.as_str() {
            "project" => {
                let Named {
                    name,
                    mlir,
                    version,
                } = serde_json::from_str(line)?;
                (self.name, self.mlir, self.version) = (name, mlir, version);
            }
            "target" => self.targets.push(serde_json::from_str(line)?),
            "modules" => self.modules.push(serde_json::from_str(line)?),
            "sources" | "dialect" | "extension" => self.groups.push(serde_json::from_str(line)?),
            "excluded" => self.excluded.push(serde_json::from_str(line)?),
            "closure" => {
                let closure: Closure = serde_json::from_str(line)?;
                (self.libraries, self.foreign) = (closure.libraries, closure.foreign);
                self.dialect_libraries = closure.dialects;
            }
            // The record also has the library that upstream links for all extensions
            // (`add_mlir_python_common_capi_library`); a bundle does not use it.
            _ => {}
        }
        Ok(())
    }

    /// The group of this name.
    pub(crate) fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// The targets that say they link `library`, and how they write it.
    pub(crate) fn who_links(&self, library: &str) -> Vec<(&Target, &str)> {
        let targets = self.targets.iter();
        let targets = targets.filter(|target| !target.name.starts_with("mondo."));
        let asks = targets.filter_map(|target| Some((target, written(&target.links, library)?)));
        asks.collect()
    }

    /// The extensions that say they link `library` themselves, and how they write it.
    pub(crate) fn extensions_that_link(&self, library: &str) -> Vec<(&Group, &str)> {
        let groups = self.groups.iter();
        let asks = groups.filter_map(|group| Some((group, written(&group.private, library)?)));
        asks.collect()
    }
}

/// The word among these that may stand for this library.
fn written<'l>(links: &'l [String], library: &str) -> Option<&'l str> {
    let link = links.iter().find(|link| names(link, library))?;
    Some(link)
}

/// True if a word of `target_link_libraries` may stand for this library: its target, its name or its path.
fn names(link: &str, library: &str) -> bool {
    let word = |text: &str| {
        let file = text.rsplit('/').next().unwrap_or(text);
        let stem = file.strip_prefix("-l").unwrap_or(file);
        let stem = stem.strip_prefix("lib").unwrap_or(stem);
        let stem = stem.split(".so").next().unwrap_or(stem);
        let stem = stem.strip_suffix(".a").unwrap_or(stem);
        let stem = stem.rsplit("::").next().unwrap_or(stem);
        stem.strip_prefix("lib").unwrap_or(stem).to_owned()
    };
    link == library || word(link) == word(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_known_by_its_prefix_or_its_folder() {
        let root = |prefix: &str, folder: &str| {
            let text = format!(
                r#"{{"kind":"modules","name":"M","prefix":{prefix:?},"root":"{folder}","groups":[]}}"#
            );
            let package: Package = serde_json::from_str(&text).unwrap();
            package.root().map(str::to_owned)
        };
        let folder = "/build/python_packages/toy_core/toy";
        let prefix = "MLIR_PYTHON_PACKAGE_PREFIX=toy.mlir.";
        assert_eq!(root(prefix, folder).unwrap(), "toy.mlir");
        assert_eq!(root("", folder).unwrap(), "toy");
        assert_eq!(root("", ""), None);
    }

    #[test]
    fn a_library_is_known_by_target_name_and_path() {
        assert!(names("tp", "/usr/lib/libtp.so.3"));
        assert!(names("TP::tp", "-ltp"));
        assert!(!names("tpx", "/usr/lib/libtp.so"));
    }
}
