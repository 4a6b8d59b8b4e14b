//! The locations of mondo's own sources: the runtime crates that `compile` builds and the Python files that `stage`
//! packs. They are in a checkout, which a downstream has if it depends on this crate by path or by git, or, without
//! the compiled parts, in a kit.

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::kit::{self, Kit, VERSION, Wanted};
use crate::path::variable;

/// A checkout of mondo, or a kit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    root: Utf8PathBuf,
    kit: Option<Kit>,
}

/// The checkout that this crate was compiled from. A program for other machines is compiled with the variable
/// `MONDO_RELEASE`, so that it does not contain the name of that folder.
const CHECKOUT: Option<&str> = match option_env!("MONDO_RELEASE") {
    Some(_) => None,
    None => Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
};

/// The variable that names a checkout.
const SOURCE_DIR: &str = "MONDO_SOURCE_DIR";

impl Source {
    /// A checkout: `MONDO_SOURCE_DIR`, else the one that this crate was compiled from.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` where the folder is not a checkout of mondo, or one of another version.
    pub fn locate() -> Result<Self> {
        let missing = Error::new(ErrorKind::Toolchain, "mondo's sources not found")
            .help("set MONDO_SOURCE_DIR to a checkout of mondo");
        let Some(root) = variable(SOURCE_DIR)?.or(checkout()) else {
            return Err(missing.because("this installation of mondo does not include them"));
        };
        let root = root.canonicalize_utf8().unwrap_or(root);
        if root.join("bundle/Cargo.toml").is_file() {
            let text = fs_err::read_to_string(root.join("Cargo.toml"))?;
            check_version(&text).map_err(|error| error.at(&root))?;
            return Ok(Self { root, kit: None });
        }
        Err(missing
            .at(root)
            .because("the folder has no bundle/Cargo.toml"))
    }

    /// The sources for a bundle: the kit in the folder `named`, or in that of `MONDO_KIT`; else the
    /// checkout of `MONDO_SOURCE_DIR`; else a kit that is installed in the prefix of the running program;
    /// else the checkout that this crate was compiled from.
    ///
    /// # Errors
    /// Those of [`Kit::open`]; `ErrorKind::Toolchain` where there is neither a kit nor a checkout.
    pub fn find(named: Option<&Utf8Path>, wanted: Wanted<'_>) -> Result<Self> {
        let named = match named {
            Some(folder) => Some(folder.to_owned()),
            None => variable("MONDO_KIT")?,
        };
        if let Some(folder) = named {
            return Ok(Self::of_kit(Kit::open(&folder, wanted)?));
        }
        if variable(SOURCE_DIR)?.is_some() {
            return Self::locate();
        }
        if let Some(folder) = kit::beside_program(wanted.llvm) {
            return Ok(Self::of_kit(Kit::open(&folder, wanted)?));
        }
        Self::locate().map_err(|error| {
            let what = format!("no kit for LLVM {} is installed", wanted.llvm);
            Error::new(ErrorKind::Toolchain, what)
                .because(format!(
                    "{}, so mondo cannot compile its sources",
                    error.what()
                ))
                .help(kit::remedy(wanted.llvm))
        })
    }

    /// The sources that a kit contains.
    #[must_use]
    pub fn of_kit(kit: Kit) -> Self {
        Self {
            root: kit.folder.clone(),
            kit: Some(kit),
        }
    }

    /// The kit, or none for a checkout.
    #[must_use]
    pub fn kit(&self) -> Option<&Kit> {
        self.kit.as_ref()
    }

    /// The folder, absolute.
    #[must_use]
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The workspace's Cargo.toml.
    #[must_use]
    pub fn cargo_manifest(&self) -> Utf8PathBuf {
        self.root.join("Cargo.toml")
    }

    /// The pure-Python package, written without its label.
    #[must_use]
    pub fn python(&self) -> Utf8PathBuf {
        self.root.join("bundle/python")
    }

    /// mondo's own dialect crates, by the names of their folders.
    #[must_use]
    pub fn dialect_crates(&self) -> Utf8PathBuf {
        self.root.join("crates/dialects")
    }

    /// The folder of the C headers that mondo adds to MLIR's: `mondo.h`.
    #[must_use]
    pub fn runtime_headers(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-runtime/include")
    }

    /// The C++ replacements for functions that the minimum glibc may lack.
    #[must_use]
    pub fn newer_glibc(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-runtime/glibc")
    }

    /// The C++ of MLIR's tools, which is compiled for bundles that have some.
    #[must_use]
    pub fn tools(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-runtime/tools")
    }

    /// The headers that C++ extensions include in place of MLIR's of the same paths:
    /// `mlir/Bindings/Python/IRCore.h` and what belongs to it.
    #[must_use]
    pub fn extension_headers(&self) -> Utf8PathBuf {
        self.root.join("bundle/include")
    }

    /// mondo's licence text.
    #[must_use]
    pub fn license(&self) -> Utf8PathBuf {
        self.root.join("LICENSE")
    }

    /// The lock of the toolchain's packages.
    #[must_use]
    pub fn toolchain_lock(&self) -> Utf8PathBuf {
        self.root.join("manifests/toolchain.lock")
    }
}

/// Refuses sources whose version, in their Cargo.toml, differs from this program's.
fn check_version(text: &str) -> Result<()> {
    let package = text
        .split_once("[workspace.package]")
        .map_or("", |(_, rest)| rest);
    let value = package
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let version = value.map_or("", |value| value.trim().trim_matches('"'));
    if version == VERSION {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Toolchain, "mondo's sources have another version")
            .because(format!(
                "the sources are mondo {version}, but this is mondo {VERSION}"
            ))
            .help(format!(
                "set MONDO_SOURCE_DIR to a checkout of mondo {VERSION}, or install mondo {version}"
            )),
    )
}

/// The checkout that this crate was compiled from.
#[must_use]
pub fn checkout() -> Option<Utf8PathBuf> {
    CHECKOUT.map(Utf8PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_another_version_are_refused() {
        let text = |version: &str| {
            format!("[profile.x]\nversion = \"9\"\n[workspace.package]\nversion = \"{version}\"\n")
        };
        check_version(&text(VERSION)).unwrap();
        let message = check_version(&text("77.1.0")).unwrap_err().to_string();
        assert!(
            message.contains("are mondo 77.1.0, but this is mondo"),
            "{message}"
        );
        assert!(check_version("").is_err());
        let workspace = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
        check_version(&fs_err::read_to_string(workspace).unwrap()).unwrap();
    }
}
