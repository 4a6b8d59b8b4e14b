//! The shared objects by which linkers, the loader and `ctypes` find the mondo library under the name that
//! MLIR's Python packages give it. They are written here and not by a linker, which would spend more
//! bytes on hash tables than on all the rest.
//!
//! | file | SONAME | symbol table | for |
//! |---|---|---|---|
//! | `libMLIRPythonCAPI.so` | `libacme_MLIRPythonCAPI.so` | all functions | `-lMLIRPythonCAPI`, `ctypes`, `DT_NEEDED` |
//! | `libacme_MLIRPythonCAPI.so` | the same | empty | programs that were linked so |
//!
//! Both need the mondo library, in which the loader finds the functions: their own hash tables are empty, so
//! there is no second definition at run time. The SONAME has the label, because two labels may meet in
//! a process, and the loader takes one library for another of the same SONAME.

use std::collections::BTreeSet;

use mondo_core::digest::Sha256;
use mondo_plan::plan::Identity;
use object::elf::{self, hash};

use crate::exports::Exports;
use crate::machine::HOST;

/// The file name by which linkers and `ctypes` ask for the library.
const UPSTREAM_FILE: &str = "libMLIRPythonCAPI.so";

/// A shared object that is made of names alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CApiLibrary {
    /// Its file name.
    pub file: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The two shared objects of a bundle: one with all names, for linking, and one with the SONAME of the first as its
/// file name, for the loader.
#[must_use]
pub fn c_api_libraries(identity: &Identity, exports: &Exports) -> [CApiLibrary; 2] {
    let stem = identity.soname.strip_suffix("_mondo.so");
    let soname = format!("{}_MLIRPythonCAPI.so", stem.unwrap_or(&identity.soname));
    let image = |functions: &BTreeSet<String>| {
        let names = Names {
            soname: &soname,
            needed: &identity.soname,
            version: &identity.version_node,
        };
        names.image(functions)
    };
    [
        CApiLibrary {
            file: UPSTREAM_FILE.to_owned(),
            bytes: image(&exports.functions),
        },
        CApiLibrary {
            bytes: image(&BTreeSet::new()),
            file: soname,
        },
    ]
}

/// The largest page of the machines that mondo links for, in bytes.
const PAGE: u64 = 0x1_0000;
/// Sizes of ELF's structures, in bytes.
const HEADER: usize = 64;
const SEGMENT: usize = 56;
const SECTION: usize = 64;
const SYMBOL: usize = 24;
/// The number of segments.
const SEGMENTS: usize = 5;
/// The place of the first section, `.text`.
const FIRST: usize = HEADER + SEGMENTS * SEGMENT;
/// The version index of the functions. Index 1 is the base version, which is the file's own.
const VERSION: u16 = 2;

/// Indices of some sections in the section header table, whose entry 0 is the null section. `.text` has no contents:
/// linkers require that the functions belong to some section.
const TEXT: u16 = 1;
const SYMBOLS: u32 = 2;
const STRINGS: u32 = 5;
const BUILD_ID: usize = 7;
const DYNAMIC: usize = 8;
const SECTION_NAMES: usize = 9;

struct Names<'a> {
    soname: &'a str,
    needed: &'a str,
    version: &'a str,
}

impl Names<'_> {
    fn image(&self, functions: &BTreeSet<String>) -> Vec<u8> {
        let mut strings = StringTable::new();
        let [soname, needed, version, origin] =
            [self.soname, self.needed, self.version, "$ORIGIN"].map(|text| strings.add(text));
        let mut symbols = vec![0; SYMBOL];
        for function in functions {
            symbols.extend(strings.add(function).to_le_bytes());
            symbols.extend([elf::STB_GLOBAL.0 << 4 | elf::STT_FUNC.0, elf::STV_DEFAULT.0]);
            symbols.extend(TEXT.to_le_bytes());
            symbols.extend(longs(&[FIRST as u64, 0]));
        }
        let count = functions.len() as u32 + 1;

        let mut file = File::new();
        file.part(".text", elf::SHT_PROGBITS.0, 6, &[], [0; 3]);
        let dynsym = file.part(".dynsym", elf::SHT_DYNSYM.0, 2, &symbols, [STRINGS, 1, 24]);
        let mut versions = vec![0, 0];
        versions.extend(VERSION.to_le_bytes().repeat(functions.len()));
        let versym = file.part(
            ".gnu.version",
            elf::SHT_GNU_VERSYM.0,
            2,
            &versions,
            [SYMBOLS, 0, 2],
        );
        let definitions = [
            definition(elf::VER_FLG_BASE.0, 1, self.soname, soname, true),
            definition(0, VERSION, self.version, version, false),
        ]
        .concat();
        let link = [STRINGS, 2, 0];
        let verdef = file.part(
            ".gnu.version_d",
            elf::SHT_GNU_VERDEF.0,
            2,
            &definitions,
            link,
        );
        let dynstr = file.part(".dynstr", elf::SHT_STRTAB.0, 2, &strings.bytes, [0; 3]);
        // One bucket, which is empty; and the chains, which have no symbol in them.
        let mut buckets = words(&[1, count, 0]);
        buckets.resize(buckets.len() + 4 * count as usize, 0);
        let table = file.part(".hash", elf::SHT_HASH.0, 2, &buckets, [SYMBOLS, 0, 4]);
        let mut note = words(&[4, 20, elf::NT_GNU_BUILD_ID.0]);
        note.extend(b"GNU\0");
        note.extend(&Sha256::digest(&file.bytes)[..20]);
        file.part(".note.gnu.build-id", elf::SHT_NOTE.0, 2, &note, [0; 3]);
        let dynamic: Vec<u8> = [
            (elf::DT_NEEDED.0, needed.into()),
            (elf::DT_SONAME.0, soname.into()),
            (elf::DT_RUNPATH.0, origin.into()),
            (elf::DT_HASH.0, table),
            (elf::DT_STRTAB.0, dynstr),
            (elf::DT_SYMTAB.0, dynsym),
            (elf::DT_STRSZ.0, strings.bytes.len() as u64),
            (elf::DT_SYMENT.0, SYMBOL as u64),
            (elf::DT_VERSYM.0, versym),
            (elf::DT_VERDEF.0, verdef),
            (elf::DT_VERDEFNUM.0, 2),
            (elf::DT_FLAGS.0, elf::DF_BIND_NOW.0),
            (elf::DT_FLAGS_1.0, elf::DF_1_NOW.0),
            (elf::DT_NULL.0, 0),
        ]
        .into_iter()
        .flat_map(|(tag, value)| [tag.cast_unsigned().to_le_bytes(), value.to_le_bytes()].concat())
        .collect();
        file.part(
            ".dynamic",
            elf::SHT_DYNAMIC.0,
            3,
            &dynamic,
            [STRINGS, 0, 16],
        );
        file.finish()
    }
}

/// A definition of a version with its name.
fn definition(flags: u16, index: u16, text: &str, name: u32, followed: bool) -> Vec<u8> {
    let mut bytes = [1, flags, index, 1].map(u16::to_le_bytes).concat();
    let next = if followed { 28 } else { 0 };
    bytes.extend(words(&[hash(text.as_bytes()), 20, next, name, 0]));
    bytes
}

fn words(values: &[u32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn longs(values: &[u64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Texts that end in a zero, by their places.
struct StringTable {
    bytes: Vec<u8>,
}

impl StringTable {
    fn new() -> Self {
        Self { bytes: vec![0] }
    }

    fn add(&mut self, text: &str) -> u32 {
        let at = self.bytes.len() as u32;
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
        at
    }
}

/// The file as it grows. Addresses are offsets in it.
struct File {
    bytes: Vec<u8>,
    names: StringTable,
    /// The section headers.
    sections: Vec<u8>,
    /// Offset and size of each section.
    places: Vec<(u64, u64)>,
}

impl File {
    fn new() -> Self {
        Self {
            // The headers are written at the end, when the places are known.
            bytes: vec![0; FIRST],
            names: StringTable::new(),
            sections: vec![0; SECTION],
            places: vec![(0, 0)],
        }
    }

    /// Adds a section, and returns its address. `about` is what it links to, its information, and
    /// the size of its entries.
    fn part(&mut self, name: &str, kind: u32, flags: u64, bytes: &[u8], about: [u32; 3]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let (at, size) = (self.bytes.len() as u64, bytes.len() as u64);
        self.bytes.extend(bytes);
        self.places.push((at, size));
        let address = if flags == 0 { 0 } else { at };
        let [link, info, entry] = about;
        self.sections.extend(words(&[self.names.add(name), kind]));
        self.sections.extend(longs(&[flags, address, at, size]));
        self.sections.extend(words(&[link, info]));
        self.sections.extend(longs(&[8, entry.into()]));
        at
    }

    fn finish(mut self) -> Vec<u8> {
        let loaded = self.bytes.len() as u64;
        let mut names = StringTable {
            bytes: self.names.bytes.clone(),
        };
        names.add(".shstrtab");
        self.part(".shstrtab", elf::SHT_STRTAB.0, 0, &names.bytes, [0; 3]);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let sections = self.bytes.len() as u64;

        let mut head = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend([elf::ET_DYN.0, HOST.elf.0].map(u16::to_le_bytes).concat());
        head.extend(words(&[1]));
        head.extend(longs(&[0, HEADER as u64, sections]));
        head.extend(words(&[0]));
        let counts = [
            HEADER,
            SEGMENT,
            SEGMENTS,
            SECTION,
            self.places.len(),
            SECTION_NAMES,
        ];
        head.extend(counts.map(|count| (count as u16).to_le_bytes()).concat());

        // The loader writes into the table of the dynamic section, and then protects the whole pages.
        let whole = loaded.next_multiple_of(PAGE);
        let (dynamic, note) = (self.places[DYNAMIC], self.places[BUILD_ID]);
        for (kind, flags, (at, size), memory, align) in [
            (elf::PT_LOAD, 6, (0, loaded), whole, PAGE),
            (elf::PT_DYNAMIC, 6, dynamic, dynamic.1, 8),
            (elf::PT_NOTE, 4, note, note.1, 4),
            (elf::PT_GNU_RELRO, 4, (0, loaded), whole, 1),
            (elf::PT_GNU_STACK, 6, (0, 0), 0, 16),
        ] {
            head.extend(words(&[kind.0, flags]));
            head.extend(longs(&[at, at, at, size, memory, align]));
        }
        self.bytes[..head.len()].copy_from_slice(&head);
        self.bytes.extend(&self.sections);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use camino::Utf8Path;
    use mondo_core::exec::Tool;

    use super::*;

    fn cc(folder: &Utf8Path, arguments: &[&str]) {
        Tool::new("cc", "compile what is to be linked")
            .args(arguments)
            .cwd(folder)
            .output()
            .unwrap();
    }

    /// A folder with a library of one function, which the two shared objects of a label stand for.
    fn label(folder: &Utf8Path, label: &str, answer: u32) {
        let identity = Identity {
            label: Some(label.to_owned()),
            import_root: format!("{label}.mlir"),
            soname: format!("lib{label}_mondo.so"),
            version_node: format!("{}_MLIR_22", label.to_uppercase()),
        };
        fs_err::create_dir(folder).unwrap();
        let code = format!("int answer(void) {{ return {answer}; }}");
        fs_err::write(folder.join("lib.c"), code).unwrap();
        let exports = Exports {
            functions: BTreeSet::from(["answer".to_owned()]),
            declared_only: BTreeMap::new(),
            undefined: BTreeMap::new(),
            defined_only: BTreeMap::new(),
            variables: BTreeMap::new(),
            headers: BTreeMap::new(),
        };
        let script = exports.version_script(&identity.version_node);
        fs_err::write(folder.join("lib.ver"), script).unwrap();
        let soname = format!("-Wl,-soname,{}", identity.soname);
        let script = "-Wl,--version-script=lib.ver";
        let shared = ["-shared", "-fPIC", &soname, script, "lib.c", "-o"];
        cc(folder, &[&shared[..], &[&identity.soname]].concat());
        for library in c_api_libraries(&identity, &exports) {
            fs_err::write(folder.join(library.file), library.bytes).unwrap();
        }
    }

    fn run(folder: &Utf8Path, program: &str, libraries: &str) -> Option<i32> {
        let program = folder.join(program);
        let tool =
            Tool::new(program.as_str(), "run what was linked").env("LD_LIBRARY_PATH", libraries);
        tool.output_unchecked().unwrap().status.code()
    }

    /// By name with -L, and by path, as `CMake` does it, by each linker; from another folder either way.
    #[test]
    fn a_program_that_is_linked_by_upstreams_name_runs() {
        let dir = tempfile::tempdir().unwrap();
        let at = Utf8Path::from_path(dir.path()).unwrap();
        label(&at.join("libs"), "acme", 42);
        fs_err::write(
            at.join("main.c"),
            "int answer(void); int main(void) { return answer(); }",
        )
        .unwrap();
        let ways: [&[&str]; 3] = [
            &["-Llibs", "-lMLIRPythonCAPI"],
            &["libs/libMLIRPythonCAPI.so"],
            &[
                "-Llibs",
                "-lMLIRPythonCAPI",
                "-Wl,--as-needed,--no-copy-dt-needed-entries,-z,now",
            ],
        ];
        for way in ways {
            cc(at, &[&["main.c", "-o", "main"], way].concat());
            assert_eq!(
                run(at, "main", at.join("libs").as_str()),
                Some(42),
                "{way:?}"
            );
        }
    }

    /// `dlopen` as `ctypes` does it, and a library that was linked somewhere else.
    #[test]
    fn the_loader_finds_the_functions_behind_upstreams_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = Utf8Path::from_path(dir.path()).unwrap();
        label(&at.join("libs"), "acme", 42);
        let program = "#include <dlfcn.h>\n\
            int main(void) {\n\
              void *it = dlopen(\"libs/libMLIRPythonCAPI.so\", RTLD_NOW);\n\
              int (*answer)(void) = it ? dlsym(it, \"answer\") : 0;\n\
              return answer ? answer() : 1;\n\
            }";
        fs_err::write(at.join("main.c"), program).unwrap();
        cc(at, &["main.c", "-o", "main", "-ldl"]);
        let here = Tool::new(at.join("main").as_str(), "look a function up").cwd(at);
        assert_eq!(here.output_unchecked().unwrap().status.code(), Some(42));

        fs_err::write(
            at.join("other.c"),
            "int answer(void); int other(void) { return answer(); }",
        )
        .unwrap();
        let needs = ["-shared", "-fPIC", "other.c", "-o", "libother.so"];
        fs_err::write(at.join("empty.c"), "").unwrap();
        let soname = "-Wl,-soname,libMLIRPythonCAPI.so";
        cc(at, &["-shared", "empty.c", soname, "-o", "libempty.so"]);
        cc(
            at,
            &[&needs[..], &["-Wl,--no-as-needed", "libempty.so"]].concat(),
        );
        fs_err::write(
            at.join("main.c"),
            "int other(void); int main(void) { return other(); }",
        )
        .unwrap();
        cc(
            at,
            &[
                "main.c",
                "-o",
                "main",
                "-L.",
                "-lother",
                "-Wl,--allow-shlib-undefined",
            ],
        );
        let folders = format!("{}:{at}", at.join("libs"));
        assert_eq!(run(at, "main", &folders), Some(42));
    }

    /// Each of two libraries in one process calls the functions of its own label.
    #[test]
    fn two_labels_in_a_process_stay_apart() {
        let dir = tempfile::tempdir().unwrap();
        let at = Utf8Path::from_path(dir.path()).unwrap();
        for (name, answer) in [("acme", 40), ("zeta", 2)] {
            label(&at.join(name), name, answer);
            let code = format!("int answer(void); int {name}(void) {{ return answer(); }}");
            fs_err::write(at.join("user.c"), code).unwrap();
            let (out, libs) = (format!("libuse{name}.so"), format!("-L{name}"));
            let rpath = format!("-Wl,-rpath,{}", at.join(name));
            let shared = ["-shared", "-fPIC", "user.c", "-o", &out, &libs, &rpath];
            cc(at, &[&shared[..], &["-lMLIRPythonCAPI"]].concat());
        }
        let program = "#include <dlfcn.h>\n\
            int (*of(const char *path, const char *name))(void) {\n\
              return (int (*)(void))dlsym(dlopen(path, RTLD_NOW), name);\n\
            }\n\
            int main(void) {\n\
              return of(\"./libuseacme.so\", \"acme\")() + of(\"./libusezeta.so\", \"zeta\")();\n\
            }";
        fs_err::write(at.join("main.c"), program).unwrap();
        cc(at, &["main.c", "-o", "main", "-ldl"]);
        let here = Tool::new(at.join("main").as_str(), "call both labels").cwd(at);
        assert_eq!(here.output_unchecked().unwrap().status.code(), Some(42));
    }
}
