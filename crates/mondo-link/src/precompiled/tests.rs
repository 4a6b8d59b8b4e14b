//! Lists of headers, and objects with and without a precompiled one, by the compiler that is installed.

use mondo_toolchain::{self as toolchain, Instrumentation, Launcher, Linker, Origin, Toolchain};

use super::*;

/// A crate `toy` and an LLVM of three headers.
struct Bench {
    dir: tempfile::TempDir,
    toolchain: Toolchain,
    linker: Linker,
    files: Vec<Utf8PathBuf>,
}

const MAIN: &str = "// The dialect.\n\n#include \"toy/Toy.h\"\n#include \"mlir/Late.h\"\n\nint f() { return mlir_ir(); }\n";

const OWN: &str = "#ifndef TOY_H\n#define TOY_H\n\n#include \"mlir/IR.h\" // First.\n#include <vector>\n\n\
                   int own();\n\n#endif\n";

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap().to_owned();
        let bench = Self {
            toolchain: Toolchain {
                version: String::new(),
                prefix: root.join("llvm"),
                origin: Origin::Provisioned,
                packages: Vec::new(),
                library_dirs: Vec::new(),
                tool_library_dirs: Vec::new(),
                sysroot: None,
                supplement: None,
                named: None,
                traits: toolchain::ArchiveTraits::default(),
                libclang_dir: root.clone(),
                moved: None,
                base: None,
                license_file: None,
            },
            linker: toolchain::linker(None).unwrap(),
            files: vec![root.join("toy/lib/Toy.cpp")],
            dir,
        };
        for (header, text) in [
            (
                "IR",
                "inline int mlir_ir() { return __LINE__ + sizeof(__FILE__); }",
            ),
            ("Late", "inline int mlir_late() { return 2; }"),
            ("Not", "inline int mlir_not() { return 3; }"),
        ] {
            bench.write(
                &format!("llvm/include/mlir/{header}.h"),
                &format!("#pragma once\n{text}\n"),
            );
        }
        bench.write("toy/include/toy/Toy.h", OWN);
        bench.write("toy/lib/Toy.cpp", MAIN);
        bench
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.dir.path()).unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }

    fn list(&self) -> Option<String> {
        let digests = Digests::new(&self.toolchain.prefix);
        let root = self.path("toy");
        list(self.compiler(&digests), &self.set(&root), &self.files[0])
    }

    fn compiler<'a>(&'a self, digests: &'a Digests) -> Compiler<'a> {
        Compiler {
            linker: &self.linker,
            toolchain: &self.toolchain,
            digests,
        }
    }

    fn set<'a>(&'a self, root: &'a Utf8Path) -> Sources<'a> {
        Sources {
            owner: "the dialect crate `toy`".to_owned(),
            files: &self.files,
            root: (root, "toy"),
            include: vec![root.join("include")],
            system_include: Vec::new(),
            flags: Vec::new(),
            objects: root.join("objects"),
        }
    }

    /// Compiles, with precompiled headers or without. Returns the object, or what the compiler said.
    fn object(&self, precompile: bool) -> Result<Vec<u8>, String> {
        let digests = Digests::new(&self.toolchain.prefix);
        let root = self.path("toy");
        let sets = [self.set(&root)];
        let compiler = self.compiler(&digests);
        let objects = match precompile {
            true => super::compile(compiler, &sets, &self.path("headers")),
            false => compiler.compile(&sets),
        };
        let objects = objects.map_err(|error| error.to_string())?;
        Ok(fs_err::read(&objects[0][0]).unwrap())
    }

    /// The precompiled headers, with their times.
    fn made(&self) -> Vec<(Utf8PathBuf, SystemTime)> {
        let folder = self.path("headers").read_dir_utf8().unwrap();
        let files = folder.map(|entry| entry.unwrap().path().join(format!("{LIST}.gch")));
        let times = |path: Utf8PathBuf| {
            (
                path.clone(),
                fs_err::metadata(path).unwrap().modified().unwrap(),
            )
        };
        files.map(times).collect()
    }
}

#[test]
fn a_list_goes_through_own_headers_and_ends_at_what_else_they_say() {
    let bench = Bench::new();
    let expected = "#include \"mlir/IR.h\"\n#include <vector>\n";
    assert_eq!(bench.list().as_deref(), Some(expected));
    // Without a declaration of its own, it goes on with what the file names next.
    bench.write("toy/include/toy/Toy.h", &OWN.replace("int own();", ""));
    let more = format!("{expected}#include \"mlir/Late.h\"\n");
    assert_eq!(bench.list(), Some(more));
    for (text, list) in [
        ("#define A\n#include \"mlir/IR.h\"", None),
        ("#if 1\n#include \"mlir/IR.h\"\n#endif", None),
        ("#include NAME\n#include \"mlir/IR.h\"", None),
        (
            "#include \"toy/Generated.h.inc\"\n#include \"mlir/IR.h\"",
            None,
        ),
        ("#include <vector>\nint x;\n#include \"mlir/IR.h\"", None),
        (
            "// a \\\n#include <hidden>\n/* b\n#include <hidden>\n*/#include \"mlir/IR.h\"\nint x;",
            Some("#include \"mlir/IR.h\"\n"),
        ),
        (
            "#include \"mlir/IR.h\"\n#include_next <x>",
            Some("#include \"mlir/IR.h\"\n"),
        ),
    ] {
        bench.write("toy/lib/Toy.cpp", text);
        assert_eq!(bench.list().as_deref(), list, "{text}");
    }
    // A header that names itself, and one that is read twice.
    bench.write(
        "toy/include/toy/Loop.h",
        "#include \"mlir/IR.h\"\n#include \"toy/Loop.h\"\n",
    );
    bench.write(
        "toy/lib/Toy.cpp",
        "#include \"toy/Loop.h\"\n#include \"mlir/Late.h\"\n",
    );
    assert_eq!(bench.list().as_deref(), Some("#include \"mlir/IR.h\"\n"));
    bench.write(
        "toy/include/toy/Once.h",
        "#pragma once\n#include \"mlir/IR.h\"\n",
    );
    bench.write(
        "toy/lib/Toy.cpp",
        "#include \"toy/Once.h\"\n#include \"toy/Once.h\"\n#include \"mlir/Late.h\"\n",
    );
    assert_eq!(
        bench.list().as_deref(),
        Some("#include \"mlir/IR.h\"\n#include \"mlir/Late.h\"\n")
    );
}

#[test]
fn an_object_has_the_same_bytes_and_the_record_of_all_that_it_is_made_from() {
    let bench = Bench::new();
    let edited = MAIN.replace("mlir_ir()", "mlir_ir() + mlir_late()");
    bench.object(true).unwrap();
    let files = bench.made();
    assert_eq!(files.len(), 1);
    bench.write("toy/lib/Toy.cpp", &edited);
    let with = bench.object(true).unwrap();
    assert_eq!(bench.made(), files, "it is made once");
    // The record does not tell them apart, so neither compiles again what the other has.
    let object = bench
        .path("toy/objects")
        .read_dir_utf8()
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let object = object.path().join("Toy.cpp.o");
    let time = || fs_err::metadata(&object).unwrap().modified().unwrap();
    let before = time();
    bench.object(false).unwrap();
    assert_eq!(time(), before);
    fs_err::remove_file(&object).unwrap();
    assert_eq!(bench.object(false).unwrap(), with);
    // GCC does not name headers that were precompiled; an edit of one is seen nevertheless.
    bench.write("toy/lib/Toy.cpp", MAIN);
    bench.object(true).unwrap();
    bench.write(
        "llvm/include/mlir/IR.h",
        "#pragma once\n\n\ninline int mlir_ir() { return 77; }\n",
    );
    let old = with;
    let new = bench.object(true).unwrap();
    assert_ne!(new, old);
    assert_ne!(bench.made(), files, "it is made again");
    fs_err::remove_file(&object).unwrap();
    assert_eq!(bench.object(false).unwrap(), new);
}

#[test]
fn a_header_that_is_not_included_is_missed() {
    let bench = Bench::new();
    bench.object(true).unwrap();
    bench.write("toy/lib/Toy.cpp", &MAIN.replace("mlir_ir()", "mlir_not()"));
    let message = bench.object(true).unwrap_err();
    assert!(message.contains("mlir_not"), "{message}");
    bench.write("toy/lib/Toy.cpp", "int f() { return mlir_ir(); }\n");
    let message = bench.object(true).unwrap_err();
    assert!(message.contains("mlir_ir"), "{message}");
    assert!(bench.made().is_empty(), "that of another list is removed");
}

#[test]
fn a_header_that_the_compiler_cannot_use_does_no_harm() {
    let bench = Bench::new();
    let expected = bench.object(true).unwrap();
    let (gch, _) = bench.made().remove(0);
    let mut bytes = fs_err::read(&gch).unwrap();
    for text in ["", "gpch of another compiler", "half"] {
        let broken = match text {
            "half" => {
                bytes.truncate(bytes.len() / 2);
                bytes.clone()
            }
            text => text.as_bytes().to_vec(),
        };
        fs_err::write(&gch, broken).unwrap();
        fs_err::remove_dir_all(bench.path("toy/objects")).unwrap();
        assert_eq!(bench.object(true).unwrap(), expected, "{text}");
    }
}

#[test]
fn four_are_kept_and_none_where_none_is_of_use() {
    let mut bench = Bench::new();
    let names = ["a", "b", "c", "d", "e", "f"];
    bench.files = names
        .map(|name| bench.path(&format!("toy/lib/{name}.cpp")))
        .into();
    for (age, name) in (0..).zip(names) {
        let file = bench.path(&format!("toy/lib/{name}.cpp"));
        bench.write(&format!("llvm/include/mlir/{name}.h"), "");
        bench.write(
            &format!("toy/lib/{name}.cpp"),
            &format!("#include \"mlir/{name}.h\"\n"),
        );
        let edited = SystemTime::now() - std::time::Duration::from_secs(age * 60);
        fs_err::File::options()
            .write(true)
            .open(file)
            .unwrap()
            .file()
            .set_modified(edited)
            .unwrap();
    }
    bench.object(true).unwrap();
    let lists: BTreeSet<String> = bench
        .made()
        .iter()
        .map(|(path, _)| fs_err::read_to_string(path.with_extension("")).unwrap())
        .collect();
    let expected = ["a", "b", "c", "d"].map(|letter| format!("#include \"mlir/{letter}.h\"\n"));
    assert_eq!(lists, BTreeSet::from(expected));
    bench.linker.instrumentation = Instrumentation::Debug;
    bench.object(true).unwrap();
    assert!(bench.made().is_empty());
    bench.linker.instrumentation = Instrumentation::None;
    bench.linker.launcher = Launcher::find(Some("env")).unwrap();
    bench.object(true).unwrap();
    assert!(bench.made().is_empty());
}

/// The locked compiler, which is Clang, where the tests above use the system's.
#[test]
#[ignore = "needs LLVM"]
fn a_precompiled_header_changes_no_object_of_clang_against_llvm() {
    let lock = mondo_core::source::Source::locate()
        .unwrap()
        .toolchain_lock();
    let mut request = toolchain::Request::from_environment(22, lock).unwrap();
    request.env_llvm_dir = None;
    let locked = toolchain::find(&request, &mondo_core::progress::Silent).unwrap();
    let mut bench = Bench::new();
    bench.linker = toolchain::linker(Some(&locked)).unwrap();
    assert!(bench.linker.is_clang());
    bench.write(
        "llvm/include/mlir/Late.h",
        "#pragma once\n#include <map>\n#include <string>\n\
         template <class T> T twice(T x) { return x + x; }\n\
         inline std::string late() { std::map<int, std::string> m; return twice(m[1]); }\n",
    );
    let text =
        MAIN.replace("int own();", "") + "std::string g() { return late() + twice(late()); }\n";
    bench.write("toy/include/toy/Toy.h", &OWN.replace("int own();", ""));
    bench.write("toy/lib/Toy.cpp", &text);
    bench.object(true).unwrap();
    bench.write(
        "toy/lib/Toy.cpp",
        &format!("{text}int h() {{ return 1; }}\n"),
    );
    let with = bench.object(true).unwrap();
    assert_eq!(bench.made().len(), 1);
    fs_err::remove_dir_all(bench.path("toy/objects")).unwrap();
    assert_eq!(bench.object(false).unwrap(), with);
}
