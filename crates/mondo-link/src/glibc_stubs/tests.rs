//! Stubs, shims and links against the C library that is installed.

use mondo_core::exec::Tool;
use mondo_core::file;
use mondo_toolchain::{self as toolchain, Origin, Toolchain};

use super::*;
use crate::step::Digests;

/// A fixture: a temporary folder, and a compiler and linker that need no LLVM.
struct Bench {
    dir: tempfile::TempDir,
    toolchain: Toolchain,
    linker: toolchain::Linker,
    source: Source,
    digests: Digests,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let nowhere = Utf8PathBuf::from_path_buf(dir.path().join("no-llvm")).unwrap();
        Self {
            digests: Digests::new(&nowhere),
            toolchain: Toolchain {
                version: String::new(),
                prefix: nowhere.clone(),
                origin: Origin::Provisioned,
                packages: Vec::new(),
                library_dirs: Vec::new(),
                tool_library_dirs: Vec::new(),
                sysroot: None,
                supplement: None,
                named: None,
                traits: toolchain::ArchiveTraits::default(),
                libclang_dir: nowhere,
                moved: None,
                base: None,
                license_file: None,
            },
            linker: toolchain::linker(None).unwrap(),
            source: Source::locate().unwrap(),
            dir,
        }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.dir.path()).unwrap()
    }

    fn compiler(&self) -> Compiler<'_> {
        Compiler {
            linker: &self.linker,
            toolchain: &self.toolchain,
            digests: &self.digests,
        }
    }

    fn for_glibc(&self, glibc: &str) -> GlibcStubs {
        let stubs = prepare(
            Some(glibc.parse().unwrap()),
            &self.source,
            self.compiler(),
            self.path(),
        );
        stubs.unwrap().unwrap()
    }

    fn file(&self, name: &str) -> Utf8PathBuf {
        self.source
            .root()
            .join("crates/mondo-runtime/glibc")
            .join(name)
    }

    fn cxx(&self, purpose: &str) -> Tool {
        self.linker.driver(purpose).env("LC_ALL", "C").args([
            "-std=c++17",
            "-O2",
            "-Wall",
            "-Werror",
        ])
    }

    /// A shared library of one source, linked as a bundle is.
    fn shared(&self, source: &Utf8Path, stubs: &GlibcStubs) -> Result<Utf8PathBuf> {
        let out = self.path().join("libprobe.so");
        let tool = self
            .cxx("link a library for the minimum glibc")
            .args(["-fPIC", "-shared", "-static-libstdc++", "-static-libgcc"])
            .args(["-Wl,--as-needed,-z,defs,--gc-sections,--no-demangle"])
            .args([source.as_str(), "-o", out.as_str()])
            .args(stubs.arguments())
            .args(["-lm", "-lpthread", "-ldl"]);
        let output = tool.output_unchecked()?;
        if output.status.success() {
            return Ok(out);
        }
        let undefined = crate::link::undefined::parse(&output.stderr);
        Err(stubs.unmet(&undefined, "libprobe.so").unwrap())
    }
}

#[test]
fn shims_do_what_the_real_ones_do() {
    let bench = Bench::new();
    let work = bench.path().join("shims");
    let objects = shims(
        &bench.source,
        bench.compiler(),
        &work,
        &["-DMONDO_REPLACEMENT_TEST"],
    )
    .unwrap();
    let program = bench.path().join("compare");
    bench
        .cxx("link shims with the program that compares them")
        .arg(bench.file("tests/compare.cpp"))
        .args(&objects)
        .args(["-o", program.as_str()])
        .output()
        .unwrap();
    let files = bench.path().join("files");
    fs_err::create_dir(&files).unwrap();
    let output = Tool::new(program.as_str(), "compare").arg(&files).output();
    assert_eq!(output.unwrap().stdout, "destroyed at the end\n");
}

/// The newest glibc that a library needs.
fn needed(bytes: &[u8]) -> GlibcVersion {
    let facts = mondo_audit::read_image("libprobe.so", bytes).unwrap();
    mondo_audit::minimum_versions(&facts)
        .glibc()
        .unwrap()
        .into()
}

#[test]
fn what_throws_is_linked_for_each_minimum_and_needs_no_more() {
    let bench = Bench::new();
    for glibc in ["2.17", "2.28", "2.34"] {
        let stubs = bench.for_glibc(glibc);
        let library = bench
            .shared(&bench.file("tests/unwind.cpp"), &stubs)
            .unwrap();
        let bytes = file::map(&library).unwrap();
        let facts = mondo_audit::read_image("libprobe.so", &bytes).unwrap();
        let needed = needed(&bytes);
        assert!(needed <= stubs.glibc, "{glibc}: needs {needed}");
        let asks = |name: &str| facts.imports.iter().any(|import| import.name == name);
        assert!(!asks("_dl_find_object"), "{glibc}: libgcc has another's");
        assert!(asks("dl_iterate_phdr"), "{glibc}");
        assert_eq!(
            facts.needed.contains(&"libpthread.so.0"),
            stubs.glibc.pair() < (2, 34)
        );
        Tool::new("python3", "throw inside of a library")
            .args([
                "-c",
                "import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).probe())",
            ])
            .arg(&library)
            .output()
            .unwrap();
    }
}

#[test]
fn a_minimum_that_cannot_be_met_is_told_with_the_lowest_that_can() {
    let bench = Bench::new();
    let source = bench.path().join("new.cpp");
    let declared = "extern \"C\" { int close_range(unsigned, unsigned, int); int epoll_pwait2(); \
                    void *mallinfo2(); }\n\
                    int use() { mallinfo2(); return epoll_pwait2() + close_range(3, 4, 0); }\n";
    fs_err::write(&source, declared).unwrap();
    let stubs = bench.for_glibc("2.28");
    let error = bench.shared(&source, &stubs).unwrap_err();
    let message = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Link);
    assert!(
        message.starts_with("the minimum glibc 2.28 cannot be met"),
        "{message}"
    );
    let symbols: Vec<&str> = error
        .listed()
        .iter()
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(
        symbols,
        [
            "close_range (since glibc 2.34)",
            "epoll_pwait2 (since glibc 2.35)"
        ]
    );
    assert!(
        error
            .next_step()
            .unwrap()
            .contains("link.minimum-glibc = \"2.35\""),
        "{message}"
    );
    bench.shared(&source, &bench.for_glibc("2.35")).unwrap();
}

#[test]
fn without_a_minimum_nothing_is_made() {
    let bench = Bench::new();
    let stubs = prepare(None, &bench.source, bench.compiler(), bench.path());
    assert_eq!(stubs.unwrap(), None);
    assert!(!bench.path().join("glibc-stubs").exists());
}

/// One manifest gives one tag on every host, so a minimum is not dropped where the host meets it.
#[test]
fn a_minimum_at_or_above_the_installed_glibc_is_promised_and_linked_for() {
    let bench = Bench::new();
    let installed = Libc::installed(&bench.linker.cxx).unwrap().version();
    let installed = GlibcVersion::from(installed);
    let above = GlibcVersion::new(2, 999);
    for glibc in [installed, above] {
        let stubs = bench.for_glibc(&glibc.to_string());
        assert_eq!(stubs.glibc, glibc);
        let library = bench
            .shared(&bench.file("tests/unwind.cpp"), &stubs)
            .unwrap();
        let bytes = file::map(&library).unwrap();
        assert!(needed(&bytes) <= installed, "{glibc}");
    }
}
