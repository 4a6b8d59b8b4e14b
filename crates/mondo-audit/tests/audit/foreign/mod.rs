//! Images of other systems and machines, really linked: objects by `object::write`, images by the
//! lld that rustup brings, which links for every system.

#![expect(
    clippy::disallowed_types,
    reason = "tests link their fixtures with the linker beside rustc"
)]

mod archives;
mod damage;
mod elf;
mod mac_image;
pub(crate) mod macho;
pub(crate) mod pe;
pub(crate) mod spec;

use std::process::Command;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use object::write::{Object, Relocation, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind,
    SymbolFlags, SymbolKind, SymbolScope,
};

/// Definitions of an object: functions, or data of eight bytes.
#[derive(Clone, Copy)]
pub(crate) struct Def {
    pub(crate) name: &'static str,
    pub(crate) function: bool,
    pub(crate) scope: SymbolScope,
    pub(crate) weak: bool,
}

/// A function that others may see.
pub(crate) const fn function(name: &'static str) -> Def {
    Def {
        name,
        function: true,
        scope: SymbolScope::Dynamic,
        weak: false,
    }
}

/// Data that its own object alone may see.
pub(crate) const fn local_data(name: &'static str) -> Def {
    Def {
        name,
        function: false,
        scope: SymbolScope::Compilation,
        weak: false,
    }
}

/// An object with these definitions, and a pointer to each of the names that it lacks.
pub(crate) fn object(
    format: BinaryFormat,
    architecture: Architecture,
    endian: Endianness,
    defs: &[Def],
    lacks: &[&str],
) -> Vec<u8> {
    write(object_of(format, architecture, endian, defs, lacks))
}

pub(crate) fn write(object: Object<'_>) -> Vec<u8> {
    object.write().expect("a writable object")
}

/// Likewise, not written yet.
pub(crate) fn object_of(
    format: BinaryFormat,
    architecture: Architecture,
    endian: Endianness,
    defs: &[Def],
    lacks: &[&str],
) -> Object<'static> {
    let mut object = Object::new(format, architecture, endian);
    let text = object.section_id(object::write::StandardSection::Text);
    let data = object.section_id(object::write::StandardSection::Data);
    for def in defs {
        let symbol = object.add_symbol(Symbol {
            name: def.name.into(),
            value: 0,
            size: 8,
            kind: if def.function {
                SymbolKind::Text
            } else {
                SymbolKind::Data
            },
            scope: def.scope,
            weak: def.weak,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        });
        let section = if def.function { text } else { data };
        object.add_symbol_data(symbol, section, &[0xc3; 8], 8);
    }
    let bytes = architecture
        .address_size()
        .map_or(8, object::AddressSize::bytes);
    for name in lacks {
        let symbol = object.add_symbol(Symbol {
            name: (*name).into(),
            value: 0,
            size: 0,
            kind: SymbolKind::Text,
            scope: SymbolScope::Unknown,
            weak: false,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        });
        let offset = object.append_section_data(data, &[0; 8], 8);
        let relocation = Relocation {
            offset,
            symbol,
            addend: 0,
            flags: RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: bytes * 8,
            },
        };
        object.add_relocation(data, relocation).expect("a pointer");
    }
    object
}

/// A folder that linkers work in.
pub(crate) struct Bench {
    pub(crate) dir: Utf8PathBuf,
    _temp: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let dir = Utf8PathBuf::from_path_buf(temp.path().to_owned()).expect("a UTF-8 path");
        Self { dir, _temp: temp }
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs_err::write(self.dir.join(name), bytes).expect("a file");
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        fs_err::read(self.dir.join(name)).expect("a file")
    }

    /// Runs lld as `ld.lld`, `ld64.lld` or `lld-link`.
    pub(crate) fn link(&self, flavor: &str, args: &[&str]) {
        run_lld(&self.dir, flavor, args);
    }

    pub(crate) fn run(&self, program: &str, args: &[&str]) {
        run(&self.dir, program, args);
    }
}

/// Runs lld in this folder, as `ld.lld`, `ld64.lld` or `lld-link`.
fn run_lld(dir: &Utf8Path, flavor: &str, args: &[&str]) {
    run(dir, LLD.join(flavor).as_str(), args);
}

fn run(dir: &Utf8Path, program: &str, args: &[&str]) {
    let output = Command::new(program)
        .current_dir(dir)
        .args(args)
        .output()
        .expect("a program that runs");
    assert!(
        output.status.success(),
        "{program} {args:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The folder of lld's wrappers in the toolchain that builds this test.
static LLD: LazyLock<Utf8PathBuf> = LazyLock::new(|| {
    let rustc = option_env!("RUSTC").unwrap_or("rustc");
    let output = Command::new(rustc)
        .args(["--print", "target-libdir"])
        .output()
        .expect("rustc");
    let libdir = String::from_utf8(output.stdout).expect("UTF-8");
    let target = Utf8Path::new(libdir.trim())
        .parent()
        .expect("lib/rustlib/<target>");
    target.join("bin/gcc-ld")
});

/// The details of a rule's findings about one image, as `name` or `name (note)`.
pub(crate) fn details(audit: &mondo_audit::Audit, rule: mondo_audit::RuleId) -> Vec<String> {
    audit
        .findings
        .iter()
        .filter(|finding| finding.rule == rule)
        .flat_map(|finding| &finding.details)
        .map(|detail| match detail.note.as_str() {
            "" => detail.name.clone(),
            note => format!("{} ({note})", detail.name),
        })
        .collect()
}

/// Findings about one image, rule by rule: `severity rule: what`.
pub(crate) fn finding_lines(audit: &mondo_audit::Audit) -> Vec<String> {
    audit
        .findings
        .iter()
        .map(|finding| {
            format!(
                "{} {} {}: {}",
                finding.severity.name(),
                finding.rule.name(),
                finding.image,
                finding.what
            )
        })
        .collect()
}
