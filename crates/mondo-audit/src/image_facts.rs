//! Facts about an image: exports, imports, sections, flags. Everything is borrowed from the bytes, so
//! that a library of hundreds of megabytes costs little more than its symbol table.

use std::borrow::Cow;

use serde::Serialize;

/// The format of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// ELF: Linux and its kin.
    Elf,
    /// Mach-O: macOS and its kin.
    MachO,
    /// PE, and the COFF objects that it is linked from: Windows.
    Pe,
}

impl Format {
    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Elf => "ELF",
            Self::MachO => "Mach-O",
            Self::Pe => "PE",
        }
    }
}

/// The machine an image runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arch {
    /// 32-bit x86.
    X86,
    /// 64-bit x86.
    X86_64,
    /// 32-bit Arm.
    Arm,
    /// 64-bit Arm.
    Aarch64,
    /// 64-bit Arm with signed pointers, as macOS calls it; images of it and of plain arm64 do not
    /// meet in one process.
    Arm64e,
    /// 32-bit PowerPC.
    PowerPc,
    /// 64-bit PowerPC, most significant byte first.
    PowerPc64,
    /// 64-bit PowerPC, least significant byte first.
    PowerPc64Le,
    /// 64-bit RISC-V.
    Riscv64,
    /// 64-bit z/Architecture.
    S390x,
    /// Another machine, by its number in the image's format (`e_machine`, `cputype`, `Machine`).
    Other(u32),
}

impl Arch {
    /// The name in the platform tag of a wheel for Linux, for the machines that have tags.
    #[must_use]
    pub fn tag(self) -> Option<&'static str> {
        Some(match self {
            Self::X86 => "i686",
            Self::X86_64 => "x86_64",
            Self::Arm => "armv7l",
            Self::Aarch64 => "aarch64",
            Self::PowerPc64 => "ppc64",
            Self::PowerPc64Le => "ppc64le",
            Self::Riscv64 => "riscv64",
            Self::S390x => "s390x",
            Self::Arm64e | Self::PowerPc | Self::Other(_) => return None,
        })
    }

    /// The name that the tools of a format's own system use.
    #[must_use]
    pub fn name(self, format: Format) -> &'static str {
        match (self, format) {
            (Self::X86, _) => "i386",
            (Self::Arm, _) => "arm",
            (Self::Aarch64, Format::MachO | Format::Pe) => "arm64",
            (Self::Arm64e, _) => "arm64e",
            (Self::PowerPc, _) => "ppc",
            _ => self.tag().unwrap_or("unknown machine"),
        }
    }
}

/// Kind of image, by its file header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageKind {
    /// `ET_DYN` without an interpreter, `MH_DYLIB` and `MH_BUNDLE`, a DLL.
    SharedLibrary,
    /// `ET_EXEC`, or `ET_DYN` with an interpreter (a position-independent program), `MH_EXECUTE`,
    /// an image that is not a DLL.
    Program,
    /// `ET_REL`, `MH_OBJECT`, a COFF object: not linked yet.
    Object,
    /// A static archive of objects, seen as one: what its members define and what they lack.
    Archive,
}

impl ImageKind {
    /// Returns whether a loader takes it.
    #[must_use]
    pub fn is_linked(self) -> bool {
        matches!(self, Self::SharedLibrary | Self::Program)
    }
}

/// Kind of a symbol.
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

/// Binding of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Seen in its own object file only.
    Local,
    /// `STB_GLOBAL`.
    Global,
    /// `STB_WEAK`.
    Weak,
    /// `STB_GNU_UNIQUE`: one per process, even if several libraries define it.
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
///
/// Names are those of C, in every format: a Mach-O image's leading underscore is not part of them.
#[derive(Debug, Clone)]
pub struct Export<'a> {
    /// The name without a version. Mach-O spells names out only along the paths of a trie.
    pub name: Cow<'a, str>,
    /// The version node that it is defined under.
    pub version: Option<&'a str>,
    /// True if it is that name's default version (`name@@node`, not `name@node`).
    pub default_version: bool,
    /// Function, object or thread-local.
    pub kind: SymbolKind,
    /// Global, weak or unique.
    pub binding: Binding,
    /// Default or protected.
    pub visibility: Visibility,
    /// Its address, relative to where the image is loaded.
    pub address: u64,
    /// Its size in bytes; 0 where the format does not say.
    pub size: u64,
    /// Place of the definition, of an export that the image only forwards: a library (Mach-O), or a
    /// library and a name (`NTDLL.RtlAllocateHeap` in PE).
    pub forwarded: Option<&'a str>,
}

/// A name that the image takes from others.
#[derive(Debug, Clone, Copy)]
pub struct Import<'a> {
    /// The name without a version; empty if it is asked for by `ordinal`.
    pub name: &'a str,
    /// The number that a DLL is asked for in place of a name.
    pub ordinal: Option<u16>,
    /// The version asked for.
    pub version: Option<&'a str>,
    /// The library that it must come from: the one that the version is asked of (ELF), that the
    /// two-level namespace names (Mach-O), or whose import table it is in (PE). `None` if any
    /// library of the process may define it.
    pub library: Option<&'a str>,
    /// True if it may stay undefined.
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
    /// A name has lost Mach-O's leading underscore, as those of exports have.
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
    /// Offset in the file.
    pub offset: u64,
    /// Bytes of the file that it takes: 0 for `.bss`.
    pub file_size: u64,
    /// True if it is loaded and neither writable nor executable: constants and strings.
    pub read_only_data: bool,
}

/// The oldest system that an image says it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MinimumOs {
    /// `macos`, `ios`, …; `windows`.
    pub platform: &'static str,
    /// Its version: `[11, 0, 0]`.
    pub version: [u32; 3],
    /// The version of the SDK it was built with, if the image has it.
    pub sdk: Option<[u32; 3]>,
}

/// Mitigations against the exploitation of memory errors. `None`: the format or machine has
/// no such thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Hardening {
    /// Loaded anywhere: `ET_DYN`; `MH_PIE` or a library; `DYNAMICBASE`.
    pub position_independent: Option<bool>,
    /// Loaded anywhere in 64 bits of address space: `HIGHENTROPYVA`.
    pub high_entropy: Option<bool>,
    /// Data and stack are not code: `PT_GNU_STACK` without `X`, no `MH_ALLOW_STACK_EXECUTION`,
    /// `NXCOMPAT`.
    pub no_execute: Option<bool>,
    /// Indirect jumps are checked by software: Control Flow Guard.
    pub control_flow_guard: Option<bool>,
    /// Indirect jumps are checked by hardware: the notes IBT and BTI.
    pub landing_pads: Option<bool>,
    /// Return addresses are checked by hardware: the notes SHSTK and PAC, PE's `CETCOMPAT`.
    pub shadow_stack: Option<bool>,
}

/// The signature of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signature {
    /// Hashes that nobody signed: Mach-O's ad-hoc signature, as linkers make it.
    AdHoc,
    /// Signed with a certificate. Whether that is valid is not checked.
    Certificate,
}

/// Facts about one image, of any format.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The name that the caller gave; an image in a universal file has its machine added:
    /// `libx.dylib[arm64]`.
    pub name: &'a str,
    /// Its format.
    pub format: Format,
    /// Library, program, object or archive.
    pub kind: ImageKind,
    /// Its machine.
    pub arch: Arch,
    /// 32 or 64.
    pub bits: u8,
    /// True if the most significant byte comes first.
    pub big_endian: bool,
    /// The size in bytes: of the file, or of the image's part of a universal file.
    pub file_size: u64,
    /// Name that users record when they are linked against it: `DT_SONAME`, Mach-O's install name, the
    /// name in PE's export table.
    pub soname: Option<&'a str>,
    /// The libraries that are loaded with it, in the file's order: `DT_NEEDED`, Mach-O's load
    /// commands, PE's imports and delayed imports.
    pub needed: Vec<&'a str>,
    /// Those of `needed` that may be missing when it is loaded: weak (Mach-O) or delayed (PE).
    pub optional: Vec<&'a str>,
    /// Those of `needed` whose exports count as its own (Mach-O).
    pub reexported: Vec<&'a str>,
    /// Search path for its libraries, which the libraries that it loads inherit: the entries
    /// of `DT_RPATH`; Mach-O's `LC_RPATH`s.
    pub rpath: Vec<&'a str>,
    /// Search path for its own libraries: the entries of `DT_RUNPATH`.
    pub runpath: Vec<&'a str>,
    /// Exported symbols, in the file's order.
    pub exports: Vec<Export<'a>>,
    /// Number of exports with an ordinal and no name.
    pub nameless_exports: usize,
    /// Undefined symbols, in the file's order.
    pub imports: Vec<Import<'a>>,
    /// True if its own definitions come before those of the program: `DT_SYMBOLIC`.
    pub symbolic: bool,
    /// True if names are searched for in every library of the process: ELF, and Mach-O without
    /// `MH_TWOLEVEL`.
    pub flat_namespace: bool,
    /// Needed versions, in the file's order (ELF).
    pub version_needs: Vec<Need<'a>>,
    /// Version nodes that the image defines, without the base one (ELF).
    pub version_nodes: Vec<&'a str>,
    /// The full symbol table; empty if the image is stripped, or never had one.
    pub symbols: Vec<Symbol<'a>>,
    /// True if its statics cannot be seen: there is no full symbol table, or it has lost its local
    /// symbols.
    pub stripped: bool,
    /// Sections, in the file's order; an archive's are its members.
    pub sections: Vec<Section<'a>>,
    /// Bytes of debug information in the file.
    pub debug_info: u64,
    /// True if the stack is executable: `PT_GNU_STACK` says so. `None` if there is no such header,
    /// which on most machines means that it is. Not set for other formats.
    pub executable_stack: Option<bool>,
    /// True if there is a `PT_GNU_RELRO` (ELF).
    pub relro: bool,
    /// True if everything is bound at load (`DF_BIND_NOW`, `DF_1_NOW` or `DT_BIND_NOW`; ELF).
    pub bind_now: bool,
    /// True if relocations write to code (`DT_TEXTREL` or `DF_TEXTREL`; ELF).
    pub text_relocations: bool,
    /// Further mitigations.
    pub hardening: Hardening,
    /// Identity for debuggers: the GNU build-id, `LC_UUID`, the PDB's GUID and age.
    pub build_id: Option<&'a [u8]>,
    /// The path of the PDB file (PE).
    pub pdb: Option<&'a str>,
    /// The signature that the file carries.
    pub signature: Option<Signature>,
    /// Number of pages whose hash differs from the signature's (Mach-O).
    pub changed_pages: u64,
    /// The oldest system that it says it runs on (Mach-O, PE).
    pub minimum_os: Option<MinimumOs>,
    /// Bytes of pointers to static constructors.
    pub init_array_size: u64,
    /// Parts of the file that no reader could look into, one sentence each.
    pub unseen: Vec<String>,
}

impl<'a> Facts<'a> {
    /// Facts of an image that nothing is known of yet.
    pub(crate) fn new(name: &'a str, format: Format, bytes: &[u8]) -> Self {
        Self {
            name,
            format,
            kind: ImageKind::SharedLibrary,
            arch: Arch::Other(0),
            bits: 64,
            big_endian: false,
            file_size: bytes.len() as u64,
            soname: None,
            needed: Vec::new(),
            optional: Vec::new(),
            reexported: Vec::new(),
            rpath: Vec::new(),
            runpath: Vec::new(),
            exports: Vec::new(),
            nameless_exports: 0,
            imports: Vec::new(),
            symbolic: false,
            flat_namespace: false,
            version_needs: Vec::new(),
            version_nodes: Vec::new(),
            symbols: Vec::new(),
            stripped: false,
            sections: Vec::new(),
            debug_info: 0,
            executable_stack: None,
            relro: false,
            bind_now: false,
            text_relocations: false,
            hardening: Hardening::default(),
            build_id: None,
            pdb: None,
            signature: None,
            changed_pages: 0,
            minimum_os: None,
            init_array_size: 0,
            unseen: Vec::new(),
        }
    }

    /// The section that holds this byte of the file.
    #[must_use]
    pub fn section_at(&self, offset: u64) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| {
            offset
                .checked_sub(section.offset)
                .is_some_and(|inside| inside < section.file_size)
        })
    }

    /// The last component of its name, without the machine of a universal file.
    #[must_use]
    pub fn file_name(&self) -> &'a str {
        let file = self.name.rsplit(['/', '!']).next().unwrap_or(self.name);
        match file
            .strip_suffix(']')
            .and_then(|file| file.rsplit_once('['))
        {
            Some((file, _)) if self.format == Format::MachO => file,
            _ => file,
        }
    }
}
