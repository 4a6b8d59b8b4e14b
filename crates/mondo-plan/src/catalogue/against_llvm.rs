//! The catalogue against a real LLVM. Run with `MONDO_LLVM_DIR=<prefix> cargo test -p mondo-build
//! -- --ignored against_llvm`; `cargo xtask test` does.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use mondo_core::exec::Tool;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSymbol};

use super::model::FunctionStubs;
use super::*;

struct Llvm {
    prefix: Utf8PathBuf,
    catalogue: Catalogue,
    major: u32,
}

fn llvm() -> Llvm {
    let prefix = std::env::var("MONDO_LLVM_DIR").expect("MONDO_LLVM_DIR is the prefix of an LLVM");
    let prefix = Utf8PathBuf::from(prefix);
    let config = fs_err::read_to_string(prefix.join("include/llvm/Config/llvm-config.h")).unwrap();
    let major = config
        .lines()
        .find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "))
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    Llvm {
        prefix,
        catalogue: Catalogue::upstream().unwrap(),
        major,
    }
}

impl Llvm {
    fn release(&self) -> Release<'_> {
        self.catalogue
            .release(self.major)
            .expect("the catalogue describes this LLVM")
    }

    fn include(&self) -> Utf8PathBuf {
        self.prefix.join("include")
    }

    /// Names of the libraries `lib<prefix>….a`, without `lib` and `.a`.
    fn libraries(&self, prefix: &str) -> BTreeSet<String> {
        fs_err::read_dir(self.prefix.join("lib"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| Some(name.strip_prefix("lib")?.strip_suffix(".a")?.to_owned()))
            .filter(|name| name.starts_with(prefix))
            .collect()
    }

    fn archive(&self, name: &str) -> Vec<u8> {
        fs_err::read(self.prefix.join(format!("lib/lib{name}.a"))).unwrap()
    }

    /// The symbols that an archive's own index lists, which are the global ones it defines.
    fn defined(&self, archive: &str) -> BTreeSet<String> {
        let bytes = self.archive(archive);
        let symbols = ArchiveFile::parse(&*bytes).unwrap().symbols().unwrap();
        symbols
            .unwrap()
            .map(|symbol| String::from_utf8_lossy(symbol.unwrap().name()).into_owned())
            .collect()
    }

    /// The undefined symbols of an archive's members.
    fn undefined(&self, archive: &str) -> BTreeSet<String> {
        let bytes = self.archive(archive);
        let mut undefined = BTreeSet::new();
        for member in ArchiveFile::parse(&*bytes).unwrap().members() {
            let file = object::File::parse(member.unwrap().data(&*bytes).unwrap()).unwrap();
            let symbols = file.symbols().filter(ObjectSymbol::is_undefined);
            undefined.extend(symbols.map(|symbol| symbol.name().unwrap().to_owned()));
        }
        undefined
    }

    /// The functions of the C API that a header itself declares, without those it includes. Each is
    /// preprocessed on its own, because two headers of LLVM 22 share one include guard.
    fn declared(&self, header: &str) -> BTreeSet<String> {
        let header = self.include().join(header);
        let output = Tool::new("gcc", "preprocess MLIR's C API headers")
            .args(["-E", "-x", "c", "-I", self.include().as_str()])
            .arg(header.as_str())
            .output()
            .unwrap();
        let mut here = true;
        let mut text = String::new();
        for line in output.stdout.lines() {
            match line
                .strip_prefix("# ")
                .and_then(|rest| rest.split('"').nth(1))
            {
                Some(file) => here = file == header,
                None if here => text.extend([line, "\n"]),
                None => {}
            }
        }
        declarations(&text)
    }
}

/// Names `mlir…` before a parenthesis in statements at the top level that have no body.
fn declarations(text: &str) -> BTreeSet<String> {
    let mut depth = 0_usize;
    let mut statement = String::new();
    let mut names = BTreeSet::new();
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                // A function's body ends a statement; a struct's is followed by its `;`.
                statement.clear();
            }
            ';' if depth == 0 => {
                // The first: an attribute with its own parentheses may stand before it.
                let mut words = statement.split('(').map(last_word);
                names.extend(
                    words
                        .find(|word| word.starts_with("mlir"))
                        .map(str::to_owned),
                );
                statement.clear();
            }
            _ if depth == 0 => statement.push(c),
            _ => {}
        }
    }
    names
}

fn last_word(text: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    &text[text.rfind(|c| !is_word(c)).map_or(0, |end| end + 1)..]
}

#[test]
fn declarations_are_told_from_definitions() {
    let text = "typedef struct A { void *p; } A;\ntypedef void (*mlirCallback)(int);\n\
        __attribute__((visibility(\"default\"))) extern int mlirPlain(void);\n\
        static inline int mlirInline(int x) { return mlirPlain(); }\nextern A mlirOther(A a,\n A b);\n";
    assert_eq!(
        Vec::from_iter(declarations(text)),
        ["mlirOther", "mlirPlain"]
    );
}

#[test]
#[ignore = "needs LLVM"]
fn every_c_api_archive_is_in_the_catalogue() {
    let llvm = llvm();
    let named: BTreeSet<String> = llvm
        .release()
        .archives
        .keys()
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(named, llvm.libraries("MLIRCAPI"));
}

#[test]
#[ignore = "needs LLVM"]
fn every_c_api_header_belongs_to_one_archive() {
    let llvm = llvm();
    let release = llvm.release();
    let mut listed: BTreeSet<String> = release.headers_without_functions.iter().cloned().collect();
    listed.extend(
        release
            .archives
            .values()
            .flat_map(|archive| archive.headers.clone()),
    );
    let mut folders = vec![llvm.include().join("mlir-c")];
    let mut missing = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() {
                folders.push(path);
            } else if !listed.contains(path.strip_prefix(llvm.include()).unwrap().as_str()) {
                missing.push(path);
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    let dialects = || release.dialects.values().copied();
    let ods = dialects().flat_map(|dialect| dialect.ods.iter().chain(&dialect.enums));
    let extensions = dialects().flat_map(|dialect| release.extensions_of(dialect));
    let extensions = extensions.flat_map(|extension| extension.ods.iter().chain(&extension.enums));
    for file in listed.iter().chain(ods).chain(extensions) {
        assert!(llvm.include().join(file).is_file(), "{file}");
    }
}

#[test]
#[ignore = "needs LLVM"]
fn headers_declare_exactly_what_their_archive_defines() {
    let llvm = llvm();
    let release = llvm.release();
    for (name, archive) in &release.archives {
        let headers = archive.headers.iter();
        let declared: BTreeSet<String> = headers.flat_map(|header| llvm.declared(header)).collect();
        let mut defined = llvm.defined(name);
        defined.retain(|symbol| symbol.starts_with("mlir"));
        assert!(!defined.is_empty(), "{name}");
        assert_eq!(declared, defined, "{name}");
    }
}

#[test]
#[ignore = "needs LLVM"]
fn registration_functions_are_where_the_catalogue_says() {
    let llvm = llvm();
    let release = llvm.release();
    let everything = release.everything;
    let all = [
        &everything.dialects,
        &everything.passes,
        &everything.translations,
    ];
    let handles = release.dialects.values();
    let handles = handles
        .filter_map(|dialect| Some((release.archive_of(dialect)?, dialect.handle.as_ref()?)));
    let groups = release.pass_groups.values();
    let groups =
        groups.filter_map(|group| Some((release.archive_of_group(group)?, &group.register)));
    let all = all.map(|function| (&everything.archive, function));
    for (archive, function) in handles.chain(groups).chain(all) {
        assert!(
            llvm.defined(archive.get_ref()).contains(function),
            "{function} in {}",
            archive.get_ref()
        );
    }
    for translation in release.translations.values() {
        if let Some(function) = &translation.register {
            let mut archives = translation.archives.iter();
            assert!(archives.any(|archive| llvm.defined(archive.get_ref()).contains(function)));
        }
    }
}

/// All that `mlirRegisterAll…` registers is in the catalogue, except the targets of gpu modules and
/// the translations to LLVM IR. The functions that call all of it are in archives of their own, or
/// inline in those of the C API.
#[test]
#[ignore = "needs LLVM"]
fn every_dialect_extension_is_in_the_catalogue() {
    let llvm = llvm();
    let release = llvm.release();
    let mut callers = llvm.libraries("MLIRRegisterAll");
    if callers.is_empty() {
        callers.insert(release.everything.archive.get_ref().clone());
    }
    let called: BTreeSet<String> = callers
        .iter()
        .flat_map(|archive| llvm.undefined(archive))
        .filter(|name| name.ends_with("ERNS_15DialectRegistryE"))
        .filter(|name| !name.contains("TargetInterface") || name.contains("spirv"))
        .filter(|name| !name.contains("Translation"))
        .collect();
    let listed = release.dialect_extensions.iter();
    let listed: BTreeSet<String> = listed.map(|one| one.register.clone()).collect();
    assert_eq!(listed, called);
}

/// Stubs of rows that hold for bundles without PDL, or of those that hold for bundles with any dialect.
fn stubs(release: &Release<'_>, of_pdl: bool) -> BTreeSet<String> {
    let rows = release.stubs.iter();
    let is_of_pdl =
        |row: &FunctionStubs| row.unless.iter().any(|dialect| dialect.get_ref() == "pdl");
    rows.filter(|row| is_of_pdl(row) == of_pdl && (of_pdl || row.unless.is_empty()))
        .flat_map(|row| row.functions.iter().chain(&row.null).cloned())
        .collect()
}

#[test]
#[ignore = "needs LLVM"]
fn stubs_are_all_that_applies_patterns_asks_of_pdl() {
    let llvm = llvm();
    let of_pdl: BTreeSet<String> = ["MLIRRewritePDL", "MLIRPDLToPDLInterp"]
        .iter()
        .flat_map(|library| llvm.defined(library))
        .collect();
    let undefined = llvm.undefined("MLIRRewrite");
    let listed = stubs(&llvm.release(), true);
    assert_eq!(listed, undefined.intersection(&of_pdl).cloned().collect());
}

#[test]
#[ignore = "needs LLVM"]
fn other_stubs_are_in_the_place_of_what_is_asked_for() {
    let llvm = llvm();
    let release = llvm.release();
    let all =
        |libraries: &[&str], names: fn(&Llvm, &str) -> BTreeSet<String>| -> BTreeSet<String> {
            let libraries = libraries.iter();
            libraries
                .flat_map(|library| names(&llvm, library))
                .collect()
        };
    let mut undefined = all(&["LLVMX86CodeGen", "MLIRExecutionEngine"], Llvm::undefined);
    let defined = all(
        &[
            "LLVMX86CodeGen",
            "LLVMGlobalISel",
            "LLVMPerfJITEvents",
            "LLVMSPIRVCodeGen",
        ],
        Llvm::defined,
    );
    undefined.retain(|name| defined.contains(name));
    let zstd = llvm.undefined("LLVMSupport");
    let zstd: BTreeSet<String> = zstd
        .into_iter()
        .filter(|symbol| symbol.starts_with("ZSTD_"))
        .collect();
    let (of_zstd, others): (BTreeSet<String>, BTreeSet<String>) = stubs(&release, false)
        .into_iter()
        .partition(|name| name.starts_with("ZSTD_"));
    assert_eq!(of_zstd, zstd);
    let unknown: Vec<_> = others.difference(&undefined).collect();
    assert!(unknown.is_empty() && !others.is_empty(), "{unknown:?}");
}

#[test]
#[ignore = "needs LLVM"]
fn archives_of_llvm_that_call_back_are_known() {
    let llvm = llvm();
    let archives = llvm.libraries("LLVM");
    let listed = llvm.release().callback_archives;
    let gone: Vec<_> = listed
        .iter()
        .filter(|archive| !archives.contains(*archive))
        .collect();
    assert!(gone.is_empty(), "{gone:?}");
}

/// No dialect handle and no pass group of the archives is left out of the catalogue.
#[test]
#[ignore = "needs LLVM"]
fn every_dialect_and_pass_group_is_in_the_catalogue() {
    let llvm = llvm();
    let release = llvm.release();
    let symbols: BTreeSet<String> = release
        .archives
        .keys()
        .flat_map(|archive| llvm.defined(archive))
        .collect();
    let listed: BTreeSet<&String> = release
        .dialects
        .values()
        .filter(|dialect| release.archive_of(dialect).is_some())
        .filter_map(|dialect| dialect.handle.as_ref())
        .collect();
    let handles: BTreeSet<&String> = symbols
        .iter()
        .filter(|name| name.starts_with("mlirGetDialectHandle__"))
        .collect();
    assert_eq!(listed, handles);
    let mut listed: BTreeSet<&String> = release
        .pass_groups
        .values()
        .filter(|group| release.archive_of_group(group).is_some())
        .map(|group| &group.register)
        .collect();
    listed.insert(&release.everything.passes);
    let groups: BTreeSet<&String> = symbols
        .iter()
        .filter(|name| name.starts_with("mlirRegister") && name.ends_with("Passes"))
        .collect();
    assert_eq!(listed, groups);
}

/// A group that can be had in parts has each of its passes in one of them.
#[test]
#[ignore = "needs LLVM"]
fn the_parts_of_a_pass_group_are_all_of_its_passes() {
    let llvm = llvm();
    let release = llvm.release();
    let mut checked = 0;
    for group in release.pass_groups.values() {
        let Some(archive) = release.archive_of_group(group) else {
            continue;
        };
        let parts = release.pass_parts.iter();
        let parts = parts.filter(|part| part.group.get_ref() == group.name.get_ref());
        let mut listed: Vec<&str> = parts
            .flat_map(|part| &part.names)
            .map(|name| &**name)
            .collect();
        if listed.is_empty() {
            continue;
        }
        checked += 1;
        listed.sort_unstable();
        let mut defined = llvm.defined(archive.get_ref());
        assert!(defined.remove(&group.register));
        for prefix in ["mlirRegister", "mlirCreate"] {
            let passes = defined.iter().filter_map(|name| name.strip_prefix(prefix));
            assert_eq!(
                listed,
                passes.collect::<Vec<_>>(),
                "{prefix} of {}",
                group.register
            );
        }
    }
    assert!(checked > 0, "no group has parts");
}

#[test]
#[ignore = "needs LLVM"]
fn every_llvm_entry_point_is_in_the_catalogue() {
    let llvm = llvm();
    let targets = fs_err::read_to_string(llvm.include().join("llvm/Config/Targets.def")).unwrap();
    let built: BTreeSet<&str> = targets
        .lines()
        .filter_map(|line| line.strip_prefix("LLVM_TARGET(")?.strip_suffix(')'))
        .collect();
    let release = llvm.release();
    assert_eq!(
        release
            .llvm_targets
            .keys()
            .copied()
            .collect::<BTreeSet<_>>(),
        built
    );
    let listed: BTreeSet<String> = release
        .llvm_targets
        .values()
        .flat_map(|target| target.functions())
        .collect();
    let defined: BTreeSet<String> = built
        .iter()
        .flat_map(|target| llvm.libraries(&format!("LLVM{target}")))
        .collect::<BTreeSet<_>>()
        .iter()
        .flat_map(|library| llvm.defined(library))
        .filter(|symbol| symbol.starts_with("LLVMInitialize"))
        .collect();
    assert_eq!(listed, defined);
}
