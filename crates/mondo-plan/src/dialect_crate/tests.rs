//! Tests of the values that a `dialect.toml` may have, and of the messages for those that it may
//! not.

use insta::assert_snapshot;

use camino::Utf8PathBuf;

use super::*;

/// A crate of C++ with every sort of file; tests replace words of it.
pub(crate) const BASE: &str = r#"dialect-crate = 1
name = "toy"

[[dialect]]
name = "toy"
handle = "mlirGetDialectHandle__toy__"
depends = ["arith"]
ods = ["include/toy/Toy.td"]
python = "toy"

[[pass-group]]
name = "toy"
register = "mlirRegisterToyPasses"

[cpp]
sources = ["lib/*.cpp"]
include = ["include"]
headers = ["include/toy-c/Toy.h"]
archives = ["MLIRArithDialect"]
tblgen = [
    { from = "include/toy/Toy.td", to = "toy/Toy.h.inc", args = ["-gen-op-decls"] },
]

[python]
sources = "python"

[[extension]]
module = "_toy"
kind = "nanobind"
sources = ["ext/Module.cpp"]
wheel = "mondo-toy"
"#;

/// Writes a crate with this text into `folder`, with the files that [`BASE`] names, all empty.
pub(crate) fn write(folder: &Utf8Path, text: &str) -> Utf8PathBuf {
    for file in [
        "include/toy/Toy.td",
        "include/toy-c/Toy.h",
        "lib/B.cpp",
        "lib/A.cpp",
        "python/dialects/toy.py",
        "ext/Module.cpp",
        "loose/Toy.h",
        "Cargo.toml",
        "libX.a",
    ] {
        let path = folder.join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, "").unwrap();
    }
    fs_err::write(folder.join(FILE_NAME), text).unwrap();
    folder.to_owned()
}

fn temporary() -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(dir.path()).unwrap();
    let path = path.canonicalize_utf8().unwrap();
    (dir, path)
}

/// The message for [`BASE`] with one text in another's place; its folder is `$DIR`.
fn refusal(from: &str, to: &str) -> String {
    assert!(BASE.contains(from), "{from}");
    let (_dir, path) = temporary();
    write(&path, &BASE.replacen(from, to, 1));
    let error = load(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest, "{error}");
    error.to_string().replace(path.as_str(), "$DIR")
}

#[test]
fn a_crate_is_read() {
    let (_dir, path) = temporary();
    write(&path, BASE);
    let toy = load(&path).unwrap();
    assert_eq!(toy.name.get_ref(), "toy");
    assert_eq!(toy.folder, path);
    let Code::Cpp(cpp) = &toy.code else {
        panic!("{:?}", toy.code)
    };
    assert_eq!(
        cpp.sources,
        [path.join("lib/A.cpp"), path.join("lib/B.cpp")]
    );
    assert_eq!(cpp.headers, ["toy-c/Toy.h"]);
    assert_eq!(cpp.tblgen[0].tool, Generator::MlirTblgen);
    assert_eq!(toy.python, Some(path.join("python")));
    assert_eq!(toy.extensions[0].module.get_ref(), "_toy");
    assert_eq!(toy.ods_roots(), [path.clone(), path.join("include")]);
}

#[test]
fn prebuilt_archives_are_whole_or_by_need() {
    let (_dir, path) = temporary();
    let head = &BASE[..BASE.find("[cpp]").unwrap()];
    fs_err::write(path.join("libY.a"), "").unwrap();
    let text = format!(
        "{head}[prebuilt]\narchives = [\"libX.a\", \"libY.a\"]\nwhole = [\"libX.a\"]\n\
         include = [\"include\"]\nheaders = [\"include/toy-c/Toy.h\"]\nlinks = [\"MLIRIR\"]\n"
    );
    write(&path, &text);
    let toy = load(&path).unwrap();
    let Code::Prebuilt(prebuilt) = &toy.code else {
        panic!("{:?}", toy.code)
    };
    assert_eq!(prebuilt.whole, [path.join("libX.a")]);
    assert_eq!(prebuilt.by_need, [path.join("libY.a")]);
    assert_eq!(toy.archives()[0].get_ref(), "MLIRIR");
    write(&path, &text.replace("\"libY.a\"", "\"libZ.a\""));
    let said = load(&path).unwrap_err().to_string();
    assert_snapshot!(said.replace(path.as_str(), "$DIR"), @r#"
    the dialect crate `toy`: `prebuilt.archives` names a file that is not there: `libZ.a`
       at: $DIR/dialect.toml:16:23
      why: `$DIR/libZ.a` was looked for
     help: paths are relative to the folder of dialect.toml
    "#);
}

#[test]
fn files_that_are_not_there_are_named() {
    assert_snapshot!(refusal("\"lib/*.cpp\"", "\"lib/*.cc\""), @r#"
    the dialect crate `toy`: `cpp.sources` has `lib/*.cc`, which no file fits
       at: $DIR/dialect.toml:16:12
      why: looked in $DIR
     help: `*` stands for any part of a name, `**` for any folders
    "#);
    assert_snapshot!(refusal("\"include/toy-c/Toy.h\"", "\"include/toy-c/Tyo.h\""), @r#"
    the dialect crate `toy`: `cpp.headers` names a file that is not there: `include/toy-c/Tyo.h`
       at: $DIR/dialect.toml:18:12
      why: `$DIR/include/toy-c/Tyo.h` was looked for
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("\"include/toy-c/Toy.h\"", "\"loose/Toy.h\""), @r#"
    the dialect crate `toy`: `cpp.headers` has `loose/Toy.h`, which is below no include folder
       at: $DIR/dialect.toml:18:12
      why: a header ships under the name by which it is included
     help: add the folder to `include`
    "#);
    assert_snapshot!(refusal("include = [\"include\"]", "include = [\"includes\"]"), @r#"
    the dialect crate `toy`: `cpp.include` names a folder that is not there: `includes`
       at: $DIR/dialect.toml:17:12
      why: `$DIR/includes` was looked for
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("from = \"include/toy/Toy.td\"", "from = \"Toy.td\""), @r#"
    the dialect crate `toy`: `cpp.tblgen.from` names a file that is not there: `Toy.td`
       at: $DIR/dialect.toml:21:14
      why: `$DIR/Toy.td` was looked for
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("\"python\"\n", "\"pyhton\"\n"), @r#"
    the dialect crate `toy`: `python.sources` names a folder that is not there: `pyhton`
       at: $DIR/dialect.toml:25:11
      why: `$DIR/pyhton` was looked for
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("[\"ext/Module.cpp\"]", "[\"ext/Modul.cpp\"]"), @r#"
    the dialect crate `toy`: `extension.sources` has `ext/Modul.cpp`, which no file fits
       at: $DIR/dialect.toml:30:12
      why: looked in $DIR
     help: `*` stands for any part of a name, `**` for any folders
    "#);
}

#[test]
fn words_that_mean_nothing_are_placed() {
    assert_snapshot!(refusal("dialect-crate = 1", "dialect-crate = 2"), @r#"
    dialect crate format 2 is not known
       at: $DIR/dialect.toml:1:17
      why: this mondo supports format 1
     help: update mondo, or write the dialect crate in the format that it supports
    "#);
    assert_snapshot!(refusal("dialect-crate = 1\n", ""), @r#"
    the dialect crate does not say its format
       at: $DIR/dialect.toml:1:1
     help: begin it with `dialect-crate = 1`
    "#);
    assert_snapshot!(refusal("sources = [\"lib", "source = [\"lib"), @r#"
    `source` is not a key of [cpp]
       at: $DIR/dialect.toml:16:1
     help: did you mean `sources`?
    "#);
    assert_snapshot!(refusal("name = \"toy\"\n", "name = \"To y\"\n"), @r#"
    the dialect crate `To y`: `name` cannot be "To y"
       at: $DIR/dialect.toml:2:8
     help: write lower-case letters, digits, `-` and `_`, a letter first
    "#);
    assert_snapshot!(refusal("handle = \"mlirGetDialectHandle__toy__\"\n", ""), @r#"
    the dialect crate `toy`: the dialect `toy` needs one of `handle` and `register`
       at: $DIR/dialect.toml:5:8
      why: that is the C function by which it gets into a registry: `MlirDialectHandle f(void)` or `void f(MlirDialectRegistry)`
    "#);
    assert_snapshot!(refusal("\"mlirRegisterToyPasses\"", "\"mlir::registerToy\""), @r#"
    the dialect crate `toy`: `pass-group.register` cannot be "mlir::registerToy"
       at: $DIR/dialect.toml:13:12
      why: it is the name of a C function
    "#);
    assert_snapshot!(refusal("python = \"toy\"", "python = \"class\""), @r#"
    the dialect crate `toy`: `dialect.python` cannot be "class"
       at: $DIR/dialect.toml:9:10
      why: it is the name of a Python module in `dialects`
    "#);
    assert_snapshot!(refusal("\"toy/Toy.h.inc\"", "\"../Toy.h.inc\""), @r#"
    the dialect crate `toy`: `cpp.tblgen.to` cannot be "../Toy.h.inc"
       at: $DIR/dialect.toml:21:41
      why: it is a path below the folder of generated files
    "#);
    assert_snapshot!(refusal("\"nanobind\"", "\"pybind\""), @r#"
    `extension.kind` cannot be `pybind`
       at: $DIR/dialect.toml:29:8
     help: what there is: nanobind
    "#);
    assert_snapshot!(refusal("\"_toy\"", "\"_mlir\""), @r#"
    the dialect crate `toy`: `extension.module` cannot be "_mlir"
       at: $DIR/dialect.toml:28:10
      why: that is the module that every bundle has
    "#);
    assert_snapshot!(refusal("[python]", "[rust]\npackage = \"toy\"\n[python]"), @r#"
    the dialect crate `toy`: it has more than one of `[cpp]`, `[prebuilt]` and `[rust]`
       at: $DIR/dialect.toml:24:1
     help: make one crate of each, and let their dialects depend on each other
    "#);
}

#[test]
fn the_schema_has_every_key_with_a_description() {
    let schema = schema();
    let definitions = schema["$defs"].as_object().unwrap();
    let tables = definitions.values().chain([&schema]);
    for table in tables {
        for (name, property) in table["properties"].as_object().into_iter().flatten() {
            assert!(
                property["description"].is_string() || property["$ref"].is_string(),
                "{name} has no description"
            );
        }
    }
    let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "dialect-crate",
            "name",
            "dialect",
            "pass-group",
            "cpp",
            "prebuilt",
            "rust",
            "python",
            "extension"
        ]
    );
}
