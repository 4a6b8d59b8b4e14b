//! The places of a bundle's staticlibs: in the user's cache under digests of their inputs, or in a kit.

use std::sync::Arc;

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt::Stop;
use mondo_core::kit::{self, Staticlib};

use super::cache::{Kept, Key};
use super::packages::Package;
use super::request::Request;
use super::rust::RustBuild;
use super::staticlibs::Staticlibs;

/// The places of both staticlibs.
#[derive(Debug)]
pub struct Keys {
    bundle: Place,
    extension: Place,
}

/// The place of a staticlib.
#[derive(Debug)]
enum Place {
    /// In the user's cache, once it is compiled.
    Cache { key: Key, package: Package },
    /// In a kit.
    Kit { file: Utf8PathBuf, key: String },
}

impl Request<'_> {
    /// Digests of everything that the staticlibs are made from. They take a tenth of a second.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where a source cannot be read; [`ErrorKind::Toolchain`] where the kit is for
    /// another version of LLVM.
    pub fn keys(&self) -> Result<Keys> {
        match self.staticlibs {
            Staticlibs::Cargo(packages) => {
                let [bundle, extension] = RustBuild(*self).keys(packages)?;
                let place = |key, package: &Package| Place::Cache {
                    key,
                    package: package.clone(),
                };
                Ok(Keys {
                    bundle: place(bundle, &packages.bundle),
                    extension: place(extension, &packages.extension),
                })
            }
            Staticlibs::Kit(kit) => {
                let (made_for, found) = (&kit.record.llvm, &self.toolchain.version);
                if made_for != found {
                    return Err(
                        Error::new(ErrorKind::Toolchain, "the kit is for another LLVM")
                            .at(&kit.folder)
                            .because(format!(
                                "it is for LLVM {made_for}, but the LLVM in {} is {found}",
                                self.toolchain.prefix
                            ))
                            .help(kit::remedy(self.plan.llvm.major)),
                    );
                }
                if self.toolchain.traits.assertions {
                    return Err(Error::new(
                        ErrorKind::Toolchain,
                        "the kit is for an LLVM without assertions",
                    )
                    .at(&self.toolchain.prefix)
                    .because(
                        "assertions add fields to LLVM's classes, so mondo's own parts must be \
                                 compiled for them",
                    )
                    .help("install Rust with rustup, and build with `--kit none`"));
                }
                let place = |one: &Staticlib| Place::Kit {
                    file: kit.staticlib(one),
                    key: one.key.clone(),
                };
                Ok(Keys {
                    bundle: place(&kit.record.library),
                    extension: place(&kit.record.extension),
                })
            }
        }
    }
}

impl Keys {
    /// A digest of all inputs of the library's staticlib.
    #[must_use]
    pub fn library(&self) -> &str {
        self.bundle.digest()
    }

    /// A digest of all inputs of the extension's staticlib.
    #[must_use]
    pub fn extension(&self) -> &str {
        self.extension.digest()
    }

    /// The library's staticlib, compiled where it is nowhere yet.
    pub(super) fn library_code(&self, request: Request<'_>) -> Result<Kept> {
        self.bundle.code(request, None)
    }

    /// The extension's staticlib, likewise; `stop` ends the compiler.
    pub(super) fn extension_code(&self, request: Request<'_>, stop: &Arc<Stop>) -> Result<Kept> {
        self.extension.code(request, Some(stop))
    }
}

impl Place {
    fn digest(&self) -> &str {
        match self {
            Self::Cache { key, .. } => key.digest(),
            Self::Kit { key, .. } => key,
        }
    }

    fn code(&self, request: Request<'_>, stop: Option<&Arc<Stop>>) -> Result<Kept> {
        match self {
            Self::Cache { key, package } => RustBuild(request).staticlib(key, package, stop),
            Self::Kit { file, .. } => Ok(Kept::of_kit(file)),
        }
    }
}
