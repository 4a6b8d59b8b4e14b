//! For the build script of a Rust program: prints the lines that make cargo link a bundle's static library.
//!
//! Only the lines that cargo reads belong here. The library itself is made by [`bundle`](crate::bundle::bundle) with
//! [`Layout::Static`].

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};

use crate::bundle::Bundle;
use crate::report::Layout;

/// The libraries of the system that MLIR calls, which Rust's standard library does not link by itself everywhere.
const SYSTEM: [&str; 3] = ["m", "pthread", "dl"];

/// The lines for cargo that link the static library of `bundle`, which `manifest` describes, into the programs of a
/// package. The build script prints them; the package has mondo-ir with the feature
/// `static-library-of-program` and without its default features.
///
/// The library is an argument of the program's own link, behind mondo-ir and whatever else calls it. cargo runs the
/// build script again when the manifest has changed; a build script whose bundle has dialects of its own prints
/// `cargo::rerun-if-changed` for their folders. The library itself is not named so: the build script writes it after
/// it was started, and would be taken for outdated each time.
///
/// # Errors
/// `ErrorKind::Usage` if the bundle has another layout.
///
/// # Examples
///
/// ```no_run
/// use camino::Utf8Path;
/// use mondo_build::bundle::{Options, bundle};
/// use mondo_build::progress::Silent;
/// use mondo_build::report::Layout;
///
/// # fn main() -> mondo_build::Result<()> {
/// let folder = Utf8Path::new("/home/me/program");
/// let options = Options {
///     layout: Layout::Static,
///     ..Options::new(folder.join("bundle.toml"), folder)
/// };
/// let bundle = bundle(&options, &Silent)?;
/// for line in mondo_build::build_script::link_lines(&bundle, &options.manifest)? {
///     println!("{line}");
/// }
/// # Ok(())
/// # }
/// ```
pub fn link_lines(bundle: &Bundle, manifest: &Utf8Path) -> Result<Vec<String>> {
    if bundle.report.layout != Layout::Static {
        let message = format!("{} is not a static library", bundle.wheel);
        return Err(Error::new(ErrorKind::Usage, message)
            .help("build scripts need a bundle built with `layout: Layout::Static`"));
    }
    let archive = bundle
        .wheel
        .join("lib")
        .join(&bundle.report.library.file)
        .with_extension("a");
    let mut lines = vec![
        format!("cargo::rerun-if-changed={manifest}"),
        format!("cargo::rustc-link-arg-bins={archive}"),
    ];
    lines.extend(SYSTEM.map(|name| format!("cargo::rustc-link-arg-bins=-l{name}")));
    Ok(lines)
}
