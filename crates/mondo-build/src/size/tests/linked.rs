//! Tests with a library that is linked from three small archives: the graph's statements are compared with lld's
//! output.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::ErrorKind;
use mondo_core::exec::Tool;
use mondo_toolchain::{self as toolchain, Linker};
use object::{Object as _, ObjectSymbol};

use super::super::contents::{Kind, of_wheel};
use super::super::graph::{Graph, Mapped};
use super::super::inputs::{self, LinkInputs};
use super::super::why::{Why, why};

/// An archive that is linked whole. It has two exported functions, a static initialiser, and code that nothing refers
/// to.
const WHOLE: &str = "\
    int near(void); int by_address(void); static int buffer[64];\n\
    int enter(int x) { return near() + x; }\n\
    int other(void) { int (*volatile f)(void) = by_address; return f(); }\n\
    static int started; __attribute__((constructor)) static void at_start(void) { started = 1; }\n\
    int nobody(void) { return started + buffer[3]; }\n";
/// An archive whose member is extracted for `near`. `asleep` is in the same member and is garbage-collected, and so
/// is `never`, to which `asleep` refers.
const LAZY: &str = "\
    int far(void); int never(void); extern const char table[];\n\
    int near(void) { return far() + table[7]; }\n\
    int asleep(void) { return never(); }\n";
const FAR: &str = "\
    const char table[5000] = { 1 };\n\
    int far(void) { return 2; }\n\
    int by_address(void) { return far(); }\n";
const NEVER: &str = "int never(void) { return 3; }\n";
/// An archive that also defines `far`, but comes later on the command line.
const TOO_LATE: &str = "int far(void) { return 4; }\nint too_late(void) { return 5; }\n";

struct Bench {
    dir: tempfile::TempDir,
    linker: Linker,
}

impl Bench {
    /// Compiles and links as the link phase does, and leaves the same files.
    fn linked() -> Self {
        let bench = Self {
            dir: tempfile::tempdir().unwrap(),
            linker: toolchain::linker(None).unwrap(),
        };
        let whole = bench.archive("whole", &[("whole", WHOLE)]);
        let lazy = bench.archive("lazy", &[("lazy", LAZY), ("far", FAR), ("never", NEVER)]);
        let late = bench.archive("late", &[("late", TOO_LATE)]);
        let script = bench.path().join("library.ver");
        fs_err::write(
            &script,
            "V {\n  global:\n    enter;\n    other;\n  local: *;\n};\n",
        )
        .unwrap();
        let response = bench.path().join("library.rsp");
        let arguments = [
            "-shared".to_owned(),
            "-nostdlib".to_owned(),
            format!("-B{}", bench.linker.lld_dir),
            "-fuse-ld=lld".to_owned(),
            "-Wl,--gc-sections".to_owned(),
            format!("-Wl,--version-script={script}"),
            "-Wl,--whole-archive".to_owned(),
            whole.into_string(),
            "-Wl,--no-whole-archive".to_owned(),
            lazy.into_string(),
            late.into_string(),
            "-o".to_owned(),
            bench.library().into_string(),
        ];
        fs_err::write(&response, arguments.join("\n")).unwrap();
        bench.run(&[&format!("@{response}")]);
        bench
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.dir.path()).unwrap()
    }

    fn library(&self) -> Utf8PathBuf {
        self.path().join("libx_mondo.so")
    }

    fn run(&self, arguments: &[&str]) {
        let tool = Tool::new(&self.linker.cxx, "compile and link");
        tool.args(arguments).cwd(self.path()).output().unwrap();
    }

    fn archive(&self, name: &str, members: &[(&str, &str)]) -> Utf8PathBuf {
        let path = self.path().join(format!("lib{name}.a"));
        for (member, text) in members {
            fs_err::write(self.path().join(format!("{member}.c")), text).unwrap();
            let object = format!("{member}.o");
            self.run(&[
                "-xc",
                "-c",
                "-O1",
                "-fPIC",
                "-fno-inline",
                "-ffunction-sections",
                "-fdata-sections",
                &format!("{member}.c"),
                "-o",
                &object,
            ]);
            let ar = Tool::new("ar", "make an archive").cwd(self.path());
            ar.args(["crs", path.as_str(), &object]).output().unwrap();
        }
        path
    }

    fn inputs(&self) -> LinkInputs {
        inputs::read(self.path(), &self.linker).unwrap()
    }

    fn why(&self, wanted: &str) -> mondo_core::error::Result<Why> {
        let inputs = self.inputs();
        let mapped = Mapped::open(&inputs)?;
        let graph = Graph::load(&mapped, inputs.exports.iter())?;
        why(&graph, &inputs, wanted)
    }
}

fn symbols(chain: &Why) -> Vec<&str> {
    chain.chain.iter().map(|step| &*step.symbol).collect()
}

#[test]
fn the_graph_keeps_what_the_linker_keeps() {
    let bench = Bench::linked();
    let bytes = fs_err::read(bench.library()).unwrap();
    let image = object::File::parse(&*bytes).unwrap();
    let names = [
        "enter",
        "other",
        "at_start",
        "nobody",
        "near",
        "asleep",
        "never",
        "far",
        "table",
        "by_address",
        "too_late",
        "buffer",
        "started",
    ];
    let linked: BTreeSet<&str> = image
        .symbols()
        .filter(ObjectSymbol::is_definition)
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| names.contains(name))
        .collect();
    let kept = names.into_iter().filter(|name| bench.why(name).is_ok());
    assert_eq!(kept.collect::<BTreeSet<_>>(), linked);
    for name in ["far", "table", "at_start", "by_address"] {
        assert!(linked.contains(name), "{name}");
    }
    assert!(!linked.contains("asleep") && !linked.contains("nobody"));
}

#[test]
fn a_chain_goes_from_an_export_to_what_was_asked_for() {
    let bench = Bench::linked();
    let found = bench.why("table").unwrap();
    assert_eq!(symbols(&found), ["enter", "near", "table"]);
    let places: Vec<&str> = found.chain.iter().map(|step| &*step.member).collect();
    assert_eq!(
        places,
        [
            "libwhole.a(whole.o)",
            "liblazy.a(lazy.o)",
            "liblazy.a(far.o)"
        ]
    );
    assert_eq!(found.chain[2].bytes, 5000);
    assert_eq!(found.saves, 5000);
    assert_eq!(found.saves_by_archive, [("liblazy.a".to_owned(), 5000)]);
    assert!(found.text().contains("liblazy.a(far.o)"));
}

#[test]
fn a_removal_saves_what_nothing_else_refers_to() {
    let bench = Bench::linked();
    // `near` and `by_address` both refer to `far`, so its removal saves its own bytes only.
    let far = bench.why("far").unwrap();
    assert_eq!(far.chain.len(), 3);
    assert_eq!(far.saves, far.chain[2].bytes);
    // `table` is reachable only through `near`, so its 5000 bytes are saved, too; those of `far` are not.
    let near = bench.why("near").unwrap();
    assert_eq!(near.saves, near.chain[1].bytes + 5000);
}

#[test]
fn a_chain_begins_at_a_static_initialiser() {
    let bench = Bench::linked();
    // The chain of a static initialiser begins with `.init_array`, a root of the garbage collection.
    let start = bench.why("at_start").unwrap();
    assert!(
        start.chain[0].section.starts_with(".init_array"),
        "{start:?}"
    );
}

#[test]
fn archives_and_members_can_be_asked_for() {
    let bench = Bench::linked();
    let member = bench.why("liblazy.a(far.o)").unwrap();
    assert_eq!(member.chain.last().unwrap().member, "liblazy.a(far.o)");
    // The member is removed with all that it defines: `far`, `table`, `by_address`.
    assert!(member.saves > 5000, "{member:?}");
    let archive = bench.why("liblazy.a").unwrap();
    assert!(archive.saves > member.saves);
    let error = bench.why("libnone.a").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the library contains no part of it"),
        "{error}"
    );
}

#[test]
fn what_is_not_there_says_so_and_what_is_like_it() {
    let bench = Bench::linked();
    let error = bench.why("by_adress").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Check);
    assert_eq!(error.listed(), ["did you mean by_address?"]);
    let error = bench.why("asleep").unwrap_err();
    assert!(
        error.to_string().contains("liblazy.a(lazy.o) defines it"),
        "{error}"
    );
}

#[test]
fn a_library_that_was_not_linked_here_says_what_to_do() {
    let bench = Bench::linked();
    fs_err::remove_file(bench.path().join("library.rsp")).unwrap();
    let error = inputs::read(bench.path(), &bench.linker).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Link);
    assert!(error.next_step().unwrap().contains("mondo bundle"));
}

#[test]
fn a_wheel_is_a_tree_of_its_files_and_their_sections() {
    let bench = Bench::linked();
    let path = bench.path().join("x-1.0-py3-none-any.whl");
    let mut writer = zip::ZipWriter::new(fs_err::File::create(&path).unwrap());
    let library = fs_err::read(bench.library()).unwrap();
    let stripped = bench.path().join("stripped.so");
    let strip = Tool::new("strip", "strip the library").cwd(bench.path());
    strip
        .args(["-o", stripped.as_str(), bench.library().as_str()])
        .output()
        .unwrap();
    let stripped = fs_err::read(stripped).unwrap();
    let text = "a line\n".repeat(1000);
    for (name, bytes) in [
        ("x/_libs/libx_mondo.so", &*library),
        ("x/_libs/stripped.so", &*stripped),
        ("x/__init__.py", text.as_bytes()),
        (
            "x-1.0.dist-info/METADATA",
            b"Metadata-Version: 2.4\nName: x\nVersion: 1.0\n",
        ),
    ] {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut writer, bytes).unwrap();
    }
    writer.finish().unwrap();

    let sizes = of_wheel(&path, bench.path()).unwrap();
    let tree = &sizes.tree;
    assert_eq!(tree.packed, Some(fs_err::metadata(&path).unwrap().len()));
    let files = tree.by_path(Kind::File);
    assert_eq!(files["x/_libs/libx_mondo.so"], library.len() as u64);
    assert_eq!(files["x/__init__.py"], 7000);
    assert_eq!(tree.bytes, files.values().sum::<u64>());
    let symbols = tree.by_path(Kind::Symbol);
    let (_, table) = symbols
        .iter()
        .find(|(name, _)| name.ends_with("/table"))
        .unwrap();
    assert_eq!(*table, 5000);
    // Seven files as one text compress to almost nothing; the sum of all is the archive except its
    // directory.
    let folder = tree.parts.iter().find(|part| part.name == "x").unwrap();
    // Only the exports of the stripped copy have names, and they do not fill its `.text`.
    let section = "x/_libs/stripped.so/.text";
    let inside = |kind: Kind| -> u64 {
        let parts = tree.by_path(kind);
        let inside = parts.iter().filter(|(name, _)| name.starts_with(section));
        inside.map(|(_, bytes)| bytes).sum()
    };
    assert!(inside(Kind::Symbol) > 0 && inside(Kind::Unnamed) > 0);
    assert_eq!(
        inside(Kind::Symbol) + inside(Kind::Unnamed),
        inside(Kind::Section)
    );
    let init = folder
        .parts
        .iter()
        .find(|part| part.name == "__init__.py")
        .unwrap();
    assert!(init.packed.unwrap() < 200, "{init:?}");
    let packed: u64 = tree.parts.iter().filter_map(|part| part.packed).sum();
    assert!(packed < tree.packed.unwrap() && packed + 400 > tree.packed.unwrap());
    assert!(
        sizes.notes[0].contains("sizes.json is missing"),
        "{:?}",
        sizes.notes
    );

    fs_err::write(&path, "PK\u{3}\u{4} and no more").unwrap();
    assert_eq!(
        of_wheel(&path, bench.path()).unwrap_err().kind(),
        ErrorKind::Wheel
    );
}
