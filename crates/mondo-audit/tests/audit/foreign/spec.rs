//! Fixtures for other systems: descriptions of objects in a small language, from which this module writes the objects
//! and lets lld link the images.
//!
//! A source (`.macho`, `.pe`, `.elf`) has directives in its leading comment, as `linked` has them, and
//! then a line for each thing that the object has:
//!
//! - `function NAME`, `data NAME`, `constant NAME`: what it defines; `weak`, `hidden` and `local` may
//!   follow, and after ` = ` its text, or its bytes as `hex 01 02`
//! - `take NAME`: what it lacks
//! - `section SEGMENT NAME = …`: a section that no loader reads; PE has no segments (`-`)
//! - `many PREFIX NUMBER`: so many local functions
//!
//! Directives that only these have: `arch: x86_64`, `stub: LIBRARY NAMES` (a library of the system
//! with these exports), `macos: 11.0`, `platform: macos`, and `parts: IMAGES`, of which a universal
//! file is made.

use camino::Utf8Path;
use object::macho::{PLATFORM_MACOS, PLATFORM_TVOS, Platform, Version};
use object::write::{MachOBuildVersion, Object, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

use super::macho::universal;
use super::{object_of, run, run_lld, write};
use crate::linked::Directives;

/// The format that a source's suffix stands for.
pub(crate) fn format(source: &str) -> Option<BinaryFormat> {
    match source.rsplit_once('.')?.1 {
        "macho" => Some(BinaryFormat::MachO),
        "pe" => Some(BinaryFormat::Coff),
        "elf" => Some(BinaryFormat::Elf),
        _ => None,
    }
}

/// Makes the image of these sources, which are in the folder.
pub(crate) fn link(dir: &Utf8Path, image: &str, sources: &[String], directives: &Directives) {
    let parts: Vec<Vec<u8>> = directives
        .words("parts")
        .iter()
        .map(|part| fs_err::read(dir.join(part)).expect("an earlier image"))
        .collect();
    if !parts.is_empty() {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        fs_err::write(dir.join(image), universal(&parts)).expect("a universal file");
        return;
    }
    let format = format(&sources[0]).expect("a source of another system");
    let platform = match directives.one("platform") {
        Some("tvos") => PLATFORM_TVOS,
        _ => PLATFORM_MACOS,
    };
    let arch = directives.one("arch").unwrap_or("x86_64");
    let mut objects = Vec::new();
    let mut exports = Vec::new();
    for source in sources {
        let text = fs_err::read_to_string(dir.join(source)).expect("the source");
        let name = format!("{source}.o");
        let object = compile((format, arch, platform), &text, &mut exports);
        fs_err::write(dir.join(&name), object).expect("an object");
        objects.push(name);
    }
    match directives.one("kind").unwrap_or("library") {
        "object" => {
            fs_err::copy(dir.join(&objects[0]), dir.join(image)).expect("the object");
        }
        "archive" => {
            let args = [&["rcsD".to_owned(), image.to_owned()], &objects[..]].concat();
            run(dir, "ar", &words(&args));
        }
        kind => {
            let link = Link {
                dir,
                image,
                arch,
                program: kind == "program",
                directives,
            };
            let (flavor, mut args) = match format {
                BinaryFormat::MachO => ("ld64.lld", link.macho()),
                BinaryFormat::Coff => ("lld-link", link.pe(&exports)),
                _ => ("ld.lld", link.elf()),
            };
            args.extend(objects);
            args.extend(directives.words("flags"));
            run_lld(dir, flavor, &words(&args));
        }
    }
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// One link: what its arguments follow from.
struct Link<'l> {
    dir: &'l Utf8Path,
    image: &'l str,
    arch: &'l str,
    program: bool,
    directives: &'l Directives,
}

impl Link<'_> {
    /// The libraries of the system, and what each of them has.
    fn stubs(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.directives.all("stub").map(|line| {
            let mut words = line.split_whitespace();
            (words.next().expect("a library"), words.collect())
        })
    }

    fn is_extension(&self) -> bool {
        let role = self.directives.one("role");
        role.is_some_and(|role| role.starts_with("extension"))
    }

    fn macho(&self) -> Vec<String> {
        let oldest = self.directives.one("macos").unwrap_or("11.0");
        let platform = self.directives.one("platform").unwrap_or("macos");
        let mut args = [
            "-arch",
            self.arch,
            "-platform_version",
            platform,
            oldest,
            "13.1",
        ]
        .map(str::to_owned)
        .to_vec();
        let soname = self.directives.one("soname");
        match (self.program, self.is_extension()) {
            (true, _) => {}
            (_, true) => args.push("-bundle".to_owned()),
            _ => {
                args.push("-dylib".to_owned());
                let default = format!("@rpath/{}", self.image);
                let name = soname.unwrap_or(&default).to_owned();
                args.extend(["-install_name".to_owned(), name]);
            }
        }
        args.extend(["-o".to_owned(), self.image.to_owned()]);
        for (number, (library, names)) in self.stubs().enumerate() {
            let names: Vec<String> = names.iter().map(|name| format!("_{name}")).collect();
            let targets = "[ x86_64-macos, arm64-macos ]";
            let text = format!(
                "--- !tapi-tbd\ntbd-version: 4\ntargets: {targets}\ninstall-name: '{library}'\n\
                 exports:\n  - targets: {targets}\n    symbols: [ dyld_stub_binder, {} ]\n...\n",
                names.join(", ")
            );
            let file = format!("{}.{number}.tbd", self.image);
            fs_err::write(self.dir.join(&file), text).expect("a stub");
            args.push(file);
        }
        args.extend(self.directives.words("links"));
        args
    }

    fn pe(&self, exports: &[(String, bool)]) -> Vec<String> {
        let machine = if self.arch == "i386" { "x86" } else { "x64" };
        let mut args = vec![
            "/nodefaultlib".to_owned(),
            format!("/machine:{machine}"),
            format!("/out:{}", self.image),
            "/debug:symtab".to_owned(),
            "/build-id".to_owned(),
            "/guard:cf,nolongjmp".to_owned(),
            "/cetcompat".to_owned(),
        ];
        if machine == "x86" {
            args.push("/safeseh:no".to_owned());
        }
        if self.program {
            args.extend(["/entry:main", "/subsystem:console"].map(str::to_owned));
        } else {
            args.extend(["/dll", "/noentry"].map(str::to_owned));
            args.extend(exports.iter().map(|(name, function)| {
                format!("/export:{name}{}", if *function { "" } else { ",DATA" })
            }));
        }
        for (library, names) in self.stubs() {
            let stem = library.rsplit_once('.').expect("a suffix").0;
            let text = format!("LIBRARY {library}\nEXPORTS\n{}\n", names.join("\n"));
            let (def, lib) = (format!("{stem}.def"), format!("{stem}.lib"));
            fs_err::write(self.dir.join(&def), text).expect("a stub");
            let def = format!("/def:{def}");
            let (machine, out) = (format!("/machine:{machine}"), format!("/out:{lib}"));
            run_lld(self.dir, "lld-link", &["/lib", &def, &machine, &out]);
            args.push(lib);
        }
        let links = self.directives.words("links");
        args.extend(
            links
                .iter()
                .map(|dll| format!("{}.lib", dll.rsplit_once('.').expect("a suffix").0)),
        );
        args
    }

    fn elf(&self) -> Vec<String> {
        let emulation = match self.arch {
            "s390x" => "elf64_s390",
            "powerpc" => "elf32ppc",
            "i386" => "elf_i386",
            "arm64" => "aarch64elf",
            _ => "elf_x86_64",
        };
        let mut args = ["-m", emulation, "-o", self.image, "-z", "now", "--build-id"]
            .map(str::to_owned)
            .to_vec();
        if !self.program {
            args.push("-shared".to_owned());
            let soname = self.directives.one("soname").unwrap_or(self.image);
            args.extend(["-soname".to_owned(), soname.to_owned()]);
        }
        args.extend(self.directives.words("links"));
        args
    }
}

/// Writes the object that a source describes. Its visible definitions are added to `exports`, with true for
/// functions.
fn compile(
    (format, arch, platform): (BinaryFormat, &str, Platform),
    text: &str,
    exports: &mut Vec<(String, bool)>,
) -> Vec<u8> {
    let (architecture, endian) = match arch {
        "x86_64" => (Architecture::X86_64, Endianness::Little),
        "arm64" => (Architecture::Aarch64, Endianness::Little),
        "i386" => (Architecture::I386, Endianness::Little),
        "s390x" => (Architecture::S390x, Endianness::Big),
        "powerpc" => (Architecture::PowerPc, Endianness::Big),
        other => panic!("no machine {other}"),
    };
    let lines = || {
        let lines = text.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    };
    // A DLL's names are taken through the table that the loader fills in.
    let import = match (format, architecture) {
        (BinaryFormat::Coff, Architecture::I386) => "_imp__",
        (BinaryFormat::Coff, _) => "__imp_",
        _ => "",
    };
    let lacks: Vec<String> = lines()
        .filter_map(|line| line.strip_prefix("take "))
        .map(|name| format!("{import}{name}"))
        .collect();
    let mut object = object_of(format, architecture, endian, &[], &words(&lacks));
    if format == BinaryFormat::MachO {
        object.set_subsections_via_symbols();
        let mut build = MachOBuildVersion::default();
        build.platform = platform;
        build.minos = Version::new(11, 0, 0);
        build.sdk = Version::new(13, 1, 0);
        object.set_macho_build_version(build);
    }
    for line in lines().filter(|line| !line.starts_with("take ")) {
        let (head, content) = match line.split_once(" = ") {
            Some((head, content)) => (head, Some(bytes(content))),
            None => (line, None),
        };
        let head: Vec<&str> = head.split_whitespace().collect();
        match head[..] {
            ["section", segment, name] => {
                let segment = if segment == "-" { "" } else { segment };
                let kind = SectionKind::Debug;
                let section = object.add_section(segment.into(), name.into(), kind);
                object.append_section_data(section, &content.expect("its bytes"), 1);
            }
            ["many", prefix, number] => {
                for number in 0..number.parse().expect("a number") {
                    let name = format!("{prefix}{number}");
                    define(&mut object, "function", &name, &["local"], &[0xc3; 8]);
                }
            }
            [kind, name, ref traits @ ..] => {
                let content = content.unwrap_or_else(|| vec![0xc3; 8]);
                define(&mut object, kind, name, traits, &content);
                if !traits.contains(&"local") && !traits.contains(&"hidden") {
                    exports.push((name.to_owned(), kind == "function"));
                }
            }
            _ => panic!("not understood: {line}"),
        }
    }
    write(object)
}

/// `hex 01 02` or a text, which ends with a NUL.
fn bytes(content: &str) -> Vec<u8> {
    match content.strip_prefix("hex ") {
        Some(digits) => digits
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).expect("a byte"))
            .collect(),
        None => [content.as_bytes(), b"\0"].concat(),
    }
}

fn define(object: &mut Object<'_>, kind: &str, name: &str, traits: &[&str], content: &[u8]) {
    use object::write::StandardSection::{Data, ReadOnlyData, Text};
    let (section, kind) = match kind {
        "function" => (Text, SymbolKind::Text),
        "data" => (Data, SymbolKind::Data),
        "constant" => (ReadOnlyData, SymbolKind::Data),
        other => panic!("no kind {other}"),
    };
    let section = object.section_id(section);
    let symbol = object.add_symbol(Symbol {
        name: name.into(),
        value: 0,
        size: content.len() as u64,
        kind,
        scope: if traits.contains(&"local") {
            SymbolScope::Compilation
        } else if traits.contains(&"hidden") {
            SymbolScope::Linkage
        } else {
            SymbolScope::Dynamic
        },
        weak: traits.contains(&"weak"),
        section: SymbolSection::Undefined,
        flags: SymbolFlags::None,
    });
    object.add_symbol_data(symbol, section, content, 8);
}
