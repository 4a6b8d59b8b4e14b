//! The check of mondo's stub libraries for older versions of glibc, which are derived from the installed
//! glibc: they are compared with the glibc of a distribution image.

use camino::Utf8PathBuf;
use mondo_build::glibc_stubs::libc::Libc;
use mondo_build::{Result, toolchain};
use mondo_testbed::verdict::expect;

use super::image::Image;

/// Symbols that are known to be wrong in the stubs and that mondo does not use: glibc removed two with its
/// malloc hooks, and moved one from libm.so.6 to libc.so.6. The symbols of version nodes are wrong, too, and
/// are not compared.
const KNOWN: &[&str] = &["__isnanf128", "malloc_get_state", "malloc_set_state"];

/// Compares the stubs for the image's glibc with that glibc: each symbol is in the same library under the
/// same version, and none is missing. Returns the number of symbols.
pub(super) fn check(system: &Image) -> Result<usize> {
    let linker = toolchain::linker(None)?;
    let here = Libc::installed(&linker.cxx)?;
    let numbers = system.glibc.split_once('.');
    let glibc = numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let told = here.at(glibc.unwrap_or_default());
    let files: Vec<(String, Utf8PathBuf)> = told
        .keys()
        .filter_map(|library| {
            let found = |folder: &str| {
                let arch = std::env::consts::ARCH;
                let folder = system.root.join(folder).join(format!("{arch}-linux-gnu"));
                Some(folder.join(library)).filter(|path| path.is_file())
            };
            let path = found("lib").or_else(|| found("usr/lib"))?;
            Some(((*library).to_owned(), path))
        })
        .collect();
    let there = Libc::read(files)?;

    let marker = |name: &str| name.ends_with("_version_placeholder") || KNOWN.contains(&name);
    let mut wrong = Vec::new();
    let mut count = 0;
    for (library, symbols) in &told {
        for (name, entry) in symbols {
            count += 1;
            if !there.has(library, name, *entry) && !marker(name) {
                wrong.push(format!("{library} has no {name} {:?}", entry.version));
            }
        }
    }
    let known = |name: &str| told.values().any(|symbols| symbols.contains_key(name));
    for (library, symbols) in there.at(there.version()) {
        let missing = symbols.keys().filter(|name| !known(name) && !marker(name));
        wrong.extend(missing.map(|name| format!("{library} also has {name}")));
    }
    let what = format!("glibc {} is not what the installed one tells", system.glibc);
    expect(wrong.is_empty(), what, wrong.join("\n"))
        .map_err(|error| error.help("correct the names in mondo-link/src/glibc_stubs/libc.rs"))?;
    Ok(count)
}
