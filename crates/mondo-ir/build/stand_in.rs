//! The shared library that programs are linked with in place of the bundle's.
//!
//! A build script cannot give the programs of other packages a run path. So they are linked with a library that has the bundle's
//! functions without their code, with their version, and whose name is the path of the bundle's: the linker writes that name into the
//! program, and the loader opens what it says.

use std::env;
use std::fs;
use std::path::Path;

/// The name by which it is linked. It is not the bundle's, which a program that cargo runs may load by its name.
pub(super) const NAME: &str = "mlir_of_mondo";

/// Writes the library into `folder`. Programs will ask the loader for `name`.
pub(super) fn write(library: &Path, name: &str, folder: &Path) -> Result<(), String> {
    let file = fs::read(library).map_err(|error| cannot("read", library, &error))?;
    let exports = Elf(&file).exports().ok_or_else(|| {
        format!(
            "{} is no shared library of a 64-bit machine, or is damaged",
            library.display()
        )
    })?;
    let source = folder.join("stand_in.s");
    let lines = exports
        .functions
        .iter()
        .map(|name| format!(".globl \"{name}\"\n.type \"{name}\", @function\n\"{name}\":\n"));
    fs::write(&source, format!(".text\n{}", lines.collect::<String>()))
        .map_err(|error| cannot("write", &source, &error))?;
    let script = folder.join("stand_in.version");
    let version = exports
        .version
        .map(|version| format!("{version} {{ *; }};"));
    fs::write(&script, version.unwrap_or_default())
        .map_err(|error| cannot("write", &script, &error))?;
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    #[expect(
        clippy::disallowed_types,
        reason = "a build script has no sink to report to; cargo shows its errors"
    )]
    let output = std::process::Command::new(&linker)
        .args(["-shared", "-nostdlib", "-o"])
        .arg(folder.join(format!("lib{NAME}.so")))
        .arg(&source)
        .args(["-Xlinker", "--version-script", "-Xlinker"])
        .arg(&script)
        // A comma would separate two options in `-Wl,…`.
        .args(["-Xlinker", "-soname", "-Xlinker", name])
        .output()
        .map_err(|error| {
            format!(
                "cannot start the linker {}, which Rust needs, too: {error}",
                linker.display()
            )
        })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{} cannot link what stands for {}: {}",
        linker.display(),
        library.display(),
        String::from_utf8_lossy(&output.stderr)
            .trim()
            .replace('\n', "; ")
    ))
}

fn cannot(verb: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {verb} {}: {error}", path.display())
}

/// What an ELF file exports.
struct Exports<'file> {
    functions: Vec<&'file str>,
    /// The version of all of them, by which a process with two bundles tells the one's from the other's.
    version: Option<&'file str>,
}

/// A section of an ELF file.
struct Section {
    offset: u64,
    size: u64,
    /// The offset of the section with its names.
    names: u64,
}

/// An ELF file of 64 bits in little-endian order. Each getter is `None` outside of the file.
struct Elf<'file>(&'file [u8]);

impl<'file> Elf<'file> {
    fn exports(&self) -> Option<Exports<'file>> {
        const DYNAMIC_SYMBOLS: u64 = 11;
        const VERSIONS: u64 = 0x6fff_fffd;
        if !self.0.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let symbols = self.section(DYNAMIC_SYMBOLS)?;
        let mut functions = Vec::new();
        // The first is null.
        for index in 1..symbols.size / 24 {
            let symbol = symbols.offset.checked_add(index * 24)?;
            // What has no section is another library's.
            if self.number(symbol.checked_add(6)?, 2)? != 0 {
                functions.extend(self.name(&symbols, self.number(symbol, 4)?));
            }
        }
        Some(Exports {
            functions,
            version: self.section(VERSIONS).and_then(|all| self.version(&all)),
        })
    }

    /// The first version that is not the file's own name.
    fn version(&self, all: &Section) -> Option<&'file str> {
        const IS_FILE: u64 = 1;
        let mut at = all.offset;
        loop {
            if self.number(at.checked_add(2)?, 2)? & IS_FILE == 0 {
                let name = at.checked_add(self.number(at.checked_add(12)?, 4)?)?;
                return self.name(all, self.number(name, 4)?);
            }
            match self.number(at.checked_add(16)?, 4)? {
                0 => return None,
                next => at = at.checked_add(next)?,
            }
        }
    }

    fn section(&self, kind: u64) -> Option<Section> {
        let (headers, size) = (self.number(0x28, 8)?, self.number(0x3a, 2)?);
        let header = |index: u64| headers.checked_add(index.checked_mul(size)?);
        let field = |header: u64, at: u64, length| self.number(header.checked_add(at)?, length);
        let found = (0..self.number(0x3c, 2)?)
            .filter_map(header)
            .find(|found| field(*found, 4, 4) == Some(kind))?;
        Some(Section {
            offset: field(found, 24, 8)?,
            size: field(found, 32, 8)?,
            names: field(header(field(found, 40, 4)?)?, 24, 8)?,
        })
    }

    /// A name that assembly and scripts of the linker take as it is.
    fn name(&self, section: &Section, offset: u64) -> Option<&'file str> {
        let start = usize::try_from(section.names.checked_add(offset)?).ok()?;
        let text = self.0.get(start..)?;
        let text = &text[..text.iter().position(|byte| *byte == 0)?];
        let is_plain = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
        let text = text.iter().all(is_plain).then_some(text)?;
        std::str::from_utf8(text).ok()
    }

    fn number(&self, at: u64, length: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.0.get(at..at.checked_add(length)?)?;
        let digits = bytes.iter().rev();
        Some(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}
