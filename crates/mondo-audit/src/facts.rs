//! What is known of an image once its bytes are read. Everything is borrowed from the bytes, so
//! that a library of hundreds of megabytes costs little more than its symbol table.

use serde::Serialize;

/// The machine an image runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arch {
    /// `EM_X86_64`.
    X86_64,
    /// `EM_AARCH64`.
    Aarch64,
    /// Any other, by its `e_machine`.
    Other(u16),
}

impl Arch {
    /// The name in a wheel's platform tag, for the two that the tags are computed for.
    #[must_use]
    pub fn tag(self) -> Option<&'static str> {
        match self {
            Self::X86_64 => Some("x86_64"),
            Self::Aarch64 => Some("aarch64"),
            Self::Other(_) => None,
        }
    }
}

/// What the file header says the image is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageKind {
    /// `ET_DYN` without an interpreter.
    SharedLibrary,
    /// `ET_EXEC`, or `ET_DYN` with an interpreter (a position-independent program).
    Program,
}

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code, `STT_FUNC` and `STT_GNU_IFUNC`.
    Function,
    /// Data, `STT_OBJECT` and `STT_COMMON`.
    Object,
    /// Thread-local data.
    Tls,
    /// The name of a source file.
    File,
    /// Anything else.
    Other,
}

/// How a symbol is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Seen in its own object file only.
    Local,
    /// `STB_GLOBAL`.
    Global,
    /// `STB_WEAK`.
    Weak,
    /// `STB_GNU_UNIQUE`: one per process, whoever loads it.
    Unique,
    /// Any other.
    Other,
}

/// A symbol's visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// `STV_DEFAULT`.
    Default,
    /// `STV_PROTECTED`.
    Protected,
    /// `STV_HIDDEN` or `STV_INTERNAL`.
    Hidden,
}

/// A name that the image offers to others.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The name without a version.
    pub name: &'a str,
    /// The version node that it is defined under.
    pub version: Option<&'a str>,
    /// Whether it is that name's default version (`name@@node`, not `name@node`).
    pub default_version: bool,
    /// Function, object or thread-local.
    pub kind: SymbolKind,
    /// Global, weak or unique.
    pub binding: Binding,
    /// Default or protected.
    pub visibility: Visibility,
    /// Its address, relative to where the image is loaded.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// A name that the image takes from others.
#[derive(Debug, Clone, Copy)]
pub struct Import<'a> {
    /// The name without a version.
    pub name: &'a str,
    /// The version asked for.
    pub version: Option<&'a str>,
    /// The library that the version is asked of.
    pub library: Option<&'a str>,
    /// Whether it may stay undefined.
    pub weak: bool,
}

/// A version that the image needs of a library, whether or not a symbol uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need<'a> {
    /// The library, as in `NEEDED`.
    pub library: &'a str,
    /// The version's name: `GLIBC_2.17`.
    pub version: &'a str,
}

/// A symbol of the full symbol table.
#[derive(Debug, Clone, Copy)]
pub struct Symbol<'a> {
    /// The name as it stands in the string table.
    pub name: &'a [u8],
    /// Its address, relative to where the image is loaded.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The index of its section in [`Facts::sections`]; `None` where it is undefined or absolute.
    pub section: Option<u32>,
    /// Function, object, ….
    pub kind: SymbolKind,
    /// Local, global, ….
    pub binding: Binding,
}

/// A section's place.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    /// Its name; empty where that is not valid UTF-8.
    pub name: &'a str,
    /// Its address, relative to where the image is loaded; 0 if it is not loaded.
    pub address: u64,
    /// Where it starts in the file.
    pub offset: u64,
    /// How many bytes of the file it takes: 0 for `.bss`.
    pub file_size: u64,
    /// Whether it is loaded and neither writable nor executable: constants and strings.
    pub read_only_data: bool,
}

/// What is known of one ELF image.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The name that the caller gave.
    pub name: &'a str,
    /// Library or program.
    pub kind: ImageKind,
    /// Its machine.
    pub arch: Arch,
    /// 32 or 64.
    pub bits: u8,
    /// The file's size in bytes.
    pub file_size: u64,
    /// `DT_SONAME`.
    pub soname: Option<&'a str>,
    /// `DT_NEEDED`, in the file's order.
    pub needed: Vec<&'a str>,
    /// The value of `DT_RPATH`.
    pub rpath: Option<&'a str>,
    /// The value of `DT_RUNPATH`.
    pub runpath: Option<&'a str>,
    /// Defined dynamic symbols, in the file's order.
    pub exports: Vec<Export<'a>>,
    /// Undefined dynamic symbols, in the file's order.
    pub imports: Vec<Import<'a>>,
    /// Needed versions, in the file's order.
    pub version_needs: Vec<Need<'a>>,
    /// Version nodes that the image defines, without the base one.
    pub version_nodes: Vec<&'a str>,
    /// The full symbol table; empty if the image is stripped.
    pub symbols: Vec<Symbol<'a>>,
    /// Whether there is no full symbol table.
    pub stripped: bool,
    /// Sections, in the file's order.
    pub sections: Vec<Section<'a>>,
    /// Whether the stack is executable: `PT_GNU_STACK` says so. `None` if there is no such header,
    /// which on most machines means that it is.
    pub executable_stack: Option<bool>,
    /// Whether there is a `PT_GNU_RELRO`.
    pub relro: bool,
    /// Whether everything is bound at load (`DF_BIND_NOW`, `DF_1_NOW` or `DT_BIND_NOW`).
    pub bind_now: bool,
    /// Whether relocations write to code (`DT_TEXTREL` or `DF_TEXTREL`).
    pub text_relocations: bool,
    /// The GNU build-id.
    pub build_id: Option<&'a [u8]>,
    /// `DT_INIT_ARRAYSZ` in bytes.
    pub init_array_size: u64,
}

impl<'a> Facts<'a> {
    /// The section that holds this byte of the file.
    #[must_use]
    pub fn section_at(&self, offset: u64) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| {
            offset
                .checked_sub(section.offset)
                .is_some_and(|inside| inside < section.file_size)
        })
    }
}
