//! Shared libraries with the names, versions and symbols of an older glibc's, and nothing behind
//! them: what the linker needs to bind to that glibc, and to tell what it does not have.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_toolchain::{Linker, compiler_path};
use rayon::prelude::*;

use super::libc::{Entry, LIBC, Libc, Version};
use crate::machine::HOST;

/// Writes the libraries of version `glibc` into `dir`, under the names that `-lc`, `-lm` and the like
/// look for.
pub(super) fn write(libc: &Libc, glibc: (u32, u32), linker: &Linker, dir: &Utf8Path) -> Result<()> {
    let libraries = libc.at(glibc);
    libraries
        .par_iter()
        .try_for_each(|(soname, symbols)| library(soname, symbols, linker, dir))?;
    // `libc.so` is a linker script, as glibc's own is. It names libc.so.6, `libc_nonshared.a`, whose code must be in
    // each image, and the loader, for the symbols that the loader defines.
    let rest = compiler_path(&linker.cxx, "libc_nonshared.a")?;
    let rest = rest.ok_or_else(|| {
        Error::new(ErrorKind::MissingTool, "libc_nonshared.a was not found")
            .help("apt-get install libc6-dev")
    })?;
    let loader = libraries.keys().find(|name| **name == HOST.loader);
    let loader = loader.map_or(String::new(), |name| {
        format!(" AS_NEEDED ( \"{}\" )", dir.join(name))
    });
    let script = format!("GROUP ( \"{}\" \"{rest}\"{loader} )\n", dir.join(LIBC));
    fs_err::write(dir.join("libc.so"), script)?;
    Ok(())
}

fn library(
    soname: &str,
    symbols: &BTreeMap<&str, Entry>,
    linker: &Linker,
    dir: &Utf8Path,
) -> Result<()> {
    // The linker finds `libm.so` by `-lm`. `libc.so` is the linker script, and no `-l` option asks for the loader, so
    // these two keep their sonames.
    let file = match soname.split_once(".so.") {
        Some((stem, _)) if soname != LIBC && soname != HOST.loader => format!("{stem}.so"),
        _ => soname.to_owned(),
    };
    let source = dir.join(format!("{soname}.s"));
    let script = dir.join(format!("{soname}.ver"));
    fs_err::write(&source, assembly(symbols))?;
    fs_err::write(&script, version_script(symbols))?;
    linker
        .driver(format!("make a stub of {soname}"))
        .env("LC_ALL", "C")
        .args(["-shared", "-nostdlib"])
        .arg(format!("-Wl,-soname,{soname}"))
        .arg(format!("-Wl,--version-script={script}"))
        .args(["-o", dir.join(file).as_str(), source.as_str()])
        .output()
        .map(drop)
}

/// Every symbol at the start of an empty section: linkers look at names, kinds and sizes alone.
fn assembly(symbols: &BTreeMap<&str, Entry>) -> String {
    let mut text = String::from(".section .note.GNU-stack,\"\",%progbits\n");
    for data in [false, true] {
        text.push_str(if data { ".data\n" } else { ".text\n" });
        for (name, entry) in symbols
            .iter()
            .filter(|(_, symbol)| symbol.data.is_some() == data)
        {
            // Writing to a String cannot fail.
            let _ = match entry.data {
                None => writeln!(text, ".globl {name}\n.type {name}, %function\n{name}:"),
                Some(size) => writeln!(
                    text,
                    ".globl {name}\n.type {name}, %object\n.size {name}, {size}\n{name}:"
                ),
            };
        }
    }
    text
}

fn version_script(symbols: &BTreeMap<&str, Entry>) -> String {
    let mut nodes: BTreeMap<Version, Vec<&str>> = BTreeMap::new();
    for (name, entry) in symbols {
        nodes.entry(entry.version).or_default().push(name);
    }
    let mut text = String::new();
    for ((major, minor, patch), names) in nodes {
        let patch = if patch > 0 {
            format!(".{patch}")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "GLIBC_{major}.{minor}{patch} {{ global: {}; }};",
            names.join("; ")
        );
    }
    text
}
