//! Tests of the values that a `dialect.toml` may have, and of the messages for those that it may
//! not.

use insta::assert_snapshot;

use camino::Utf8PathBuf;

use super::*;

mod python;

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

/// The C API of [`BASE`].
const HEADER: &str = "\
#include \"mlir-c/IR.h\"
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Toy, toy);
MLIR_CAPI_EXPORTED void mlirRegisterToyPasses(void);
";

/// A source file that defines what the header above declares.
const SOURCE: &str = "\
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Toy, toy, toy::ToyDialect)
void mlirRegisterToyPasses(void) { toy::registerPasses(); }
";

/// Writes a crate with this text into `folder`, with the files that [`BASE`] names, most of them empty.
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
        let text = match file {
            "include/toy-c/Toy.h" => HEADER,
            "lib/A.cpp" => SOURCE,
            _ => "",
        };
        fs_err::write(path, text).unwrap();
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
    assert_eq!(cpp.headers[0].get_ref(), "toy-c/Toy.h");
    assert_eq!(cpp.tblgen[0].tool, Tool::MlirTblgen);
    assert_eq!(toy.python[0].folder, path.join("python"));
    assert_eq!(toy.undefined, []);
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
    let message = load(&path).unwrap_err().to_string();
    assert_snapshot!(message.replace(path.as_str(), "$DIR"), @r#"
    the dialect crate `toy`: invalid `prebuilt.archives`: `libZ.a`, which matches no file
       at: $DIR/dialect.toml:16:23
      why: searched $DIR
     help: `*` matches any part of a name, `**` any number of folders
    "#);
}

#[test]
fn files_that_are_not_there_are_named() {
    assert_snapshot!(refusal("\"lib/*.cpp\"", "\"lib/*.cc\""), @r#"
    the dialect crate `toy`: invalid `cpp.sources`: `lib/*.cc`, which matches no file
       at: $DIR/dialect.toml:16:12
      why: searched $DIR
     help: `*` matches any part of a name, `**` any number of folders
    "#);
    assert_snapshot!(refusal("\"include/toy-c/Toy.h\"", "\"include/toy-c/Tyo.h\""), @r#"
    the dialect crate `toy`: `cpp.headers` lists a file that does not exist: `include/toy-c/Tyo.h`
       at: $DIR/dialect.toml:18:12
      why: searched $DIR, $DIR/include
     help: paths are relative to the folder of dialect.toml, or to an include folder
    "#);
    assert_snapshot!(refusal("\"include/toy-c/Toy.h\"", "\"loose/Toy.h\""), @r#"
    the dialect crate `toy`: `cpp.headers` lists `loose/Toy.h`, which is outside all include folders
       at: $DIR/dialect.toml:18:12
      why: a header ships under the name that `#include` uses
     help: add the folder to `include`
    "#);
    assert_snapshot!(refusal("include = [\"include\"]", "include = [\"includes\"]"), @r#"
    the dialect crate `toy`: `cpp.include` names a folder that does not exist: `includes`
       at: $DIR/dialect.toml:17:12
      why: `$DIR/includes` does not exist
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("from = \"include/toy/Toy.td\"", "from = \"Toy.td\""), @r#"
    the dialect crate `toy`: `cpp.tblgen.from` names a file that does not exist: `Toy.td`
       at: $DIR/dialect.toml:21:14
      why: `$DIR/Toy.td` does not exist
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("\"python\"\n", "\"pyhton\"\n"), @r#"
    the dialect crate `toy`: `python.sources` names a folder that does not exist: `pyhton`
       at: $DIR/dialect.toml:25:11
      why: `$DIR/pyhton` does not exist
     help: paths are relative to the folder of dialect.toml
    "#);
    assert_snapshot!(refusal("[\"ext/Module.cpp\"]", "[\"ext/Modul.cpp\"]"), @r#"
    the dialect crate `toy`: invalid `extension.sources`: `ext/Modul.cpp`, which matches no file
       at: $DIR/dialect.toml:30:12
      why: searched $DIR
     help: `*` matches any part of a name, `**` any number of folders
    "#);
}

#[test]
fn a_crate_has_a_known_format() {
    assert_snapshot!(refusal("dialect-crate = 1", "dialect-crate = 2"), @r#"
    unknown dialect crate format 2
       at: $DIR/dialect.toml:1:17
      why: this mondo supports format 1
     help: update mondo, or write the dialect crate in the supported format
    "#);
    assert_snapshot!(refusal("dialect-crate = 1\n", ""), @r#"
    the dialect crate has no format
       at: $DIR/dialect.toml:1:1
     help: begin it with `dialect-crate = 1`
    "#);
}

#[test]
fn an_unknown_key_or_kind_is_placed() {
    assert_snapshot!(refusal("sources = [\"lib", "source = [\"lib"), @r#"
    unknown key `source` in [cpp]
       at: $DIR/dialect.toml:16:1
     help: did you mean `sources`?
    "#);
    assert_snapshot!(refusal("\"nanobind\"", "\"pybind\""), @r#"
    invalid `extension.kind`: `pybind`
       at: $DIR/dialect.toml:29:8
     help: the choices are: nanobind
    "#);
}

#[test]
fn a_wrong_name_is_placed() {
    assert_snapshot!(refusal("name = \"toy\"\n", "name = \"To y\"\n"), @r#"
    the dialect crate `To y`: invalid `name`: "To y"
       at: $DIR/dialect.toml:2:8
     help: use lower-case letters, digits, `-` and `_`, beginning with a letter
    "#);
    assert_snapshot!(refusal("python = \"toy\"", "python = \"class\""), @r#"
    the dialect crate `toy`: invalid `dialect.python`: "class"
       at: $DIR/dialect.toml:9:10
      why: it must be the name of a Python module in `dialects`
    "#);
    assert_snapshot!(refusal("\"_toy\"", "\"_mlir\""), @r#"
    the dialect crate `toy`: invalid `extension.module`: "_mlir"
       at: $DIR/dialect.toml:28:10
      why: every bundle already has a module of this name
    "#);
}

#[test]
fn a_registration_that_cannot_be_called_is_placed() {
    assert_snapshot!(refusal("handle = \"mlirGetDialectHandle__toy__\"\n", ""), @r#"
    the dialect crate `toy`: the dialect `toy` needs one of `handle`, `register` and `class`
       at: $DIR/dialect.toml:5:8
      why: mondo registers a dialect through the C function `MlirDialectHandle f(void)` or `void f(MlirDialectRegistry)`, or through its C++ class
    "#);
    assert_snapshot!(refusal("\"mlirRegisterToyPasses\"", "\"mlir::registerToy\""), @r#"
    the dialect crate `toy`: `pass-group.register` is the C++ name `mlir::registerToy`, but `header` is missing
       at: $DIR/dialect.toml:13:12
     help: add `header`, the name of the file that declares it, as in `#include`
    "#);
}

#[test]
fn a_generated_file_stays_in_its_folder() {
    assert_snapshot!(refusal("\"toy/Toy.h.inc\"", "\"../Toy.h.inc\""), @r#"
    the dialect crate `toy`: invalid `cpp.tblgen.to`: "../Toy.h.inc"
       at: $DIR/dialect.toml:21:41
      why: it must be a path inside the folder of generated files
    "#);
}

#[test]
fn a_crate_has_one_kind_of_code() {
    assert_snapshot!(refusal("[python]", "[rust]\npackage = \"toy\"\n[python]"), @r#"
    the dialect crate `toy`: the crate has more than one of `[cpp]`, `[prebuilt]` and `[rust]`
       at: $DIR/dialect.toml:24:1
     help: create one crate for each, and connect their dialects with `depends`
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
            "package",
            "dialect",
            "pass-group",
            "dialect-extension",
            "translation",
            "tool-translation",
            "command",
            "cpp",
            "prebuilt",
            "rust",
            "generator",
            "python",
            "extension"
        ]
    );
}

/// The crate of [`BASE`] with one text in another's place.
fn with(from: &str, to: &str) -> DialectCrate {
    assert!(BASE.contains(from), "{from}");
    let (_dir, path) = temporary();
    write(&path, &BASE.replacen(from, to, 1));
    load(&path).unwrap()
}

#[test]
fn registration_functions_are_looked_for_in_the_headers() {
    let handle = "\"mlirGetDialectHandle__toy__\"";
    assert_snapshot!(refusal(handle, "\"mlirGetDialectHandle__tyo__\""), @r#"
    the dialect crate `toy`: `dialect.handle` is `mlirGetDialectHandle__tyo__`, which no header of the crate declares
       at: $DIR/dialect.toml:6:10
      why: its headers are toy-c/Toy.h
     help: did you mean `mlirGetDialectHandle__toy__`?
    "#);
    assert_snapshot!(refusal("\"mlirRegisterToyPasses\"", "\"mlirRegisterToyPass\""), @r#"
    the dialect crate `toy`: `pass-group.register` is `mlirRegisterToyPass`, which no header of the crate declares
       at: $DIR/dialect.toml:13:12
      why: its headers are toy-c/Toy.h
     help: did you mean `mlirRegisterToyPasses`?
    "#);
    // A header that includes what is generated later may declare anything.
    let (_dir, path) = temporary();
    write(
        &path,
        &BASE.replace("\"mlirRegisterToyPasses\"", "\"toyRegister\""),
    );
    let header = path.join("include/toy-c/Toy.h");
    fs_err::write(
        &header,
        format!("{HEADER}#include \"toy-c/Passes.capi.h.inc\"\n"),
    )
    .unwrap();
    load(&path).unwrap();
    // A header that calls a macro of its own may declare anything, too.
    fs_err::write(&header, format!("{HEADER}TOY_DECLARE(x)\n")).unwrap();
    load(&path).unwrap();
    fs_err::write(&header, HEADER).unwrap();
    assert!(load(&path).is_err());
}

#[test]
fn a_function_without_a_definition_is_told() {
    let (_dir, path) = temporary();
    write(&path, BASE);
    let header = path.join("include/toy-c/Toy.h");
    let more = "/* bool toyA(void); */\nbool toyB(int x);\nextern \"C\" bool toyC(void);\n";
    fs_err::write(&header, format!("{HEADER}{more}")).unwrap();
    fs_err::write(
        path.join("lib/B.cpp"),
        "// toyB\nbool toyC() { return 1; }\n",
    )
    .unwrap();
    let toy = load(&path).unwrap();
    let undefined = UndefinedFunction {
        function: "toyB".into(),
        header: header.clone(),
        line: 5,
    };
    assert_eq!(toy.undefined, [undefined]);
    // A name that is made by pasting is not seen.
    fs_err::write(
        path.join("lib/B.cpp"),
        "#define DEF(X) bool toy##X(int) {}\n",
    )
    .unwrap();
    assert_eq!(load(&path).unwrap().undefined, []);
}

#[test]
fn classes_and_functions_of_cpp_get_c_functions() {
    let toy = with(
        "handle = \"mlirGetDialectHandle__toy__\"",
        "class = \"toy::ToyDialect\"\nheader = \"toy/Toy.h\"",
    );
    assert_eq!(
        toy.registration_of(&toy.dialects[0]).unwrap(),
        "mondo_register_toy_toy__ToyDialect"
    );
    let more = "register = \"toy::registerPasses\"\nheader = \"toy/Toy.h\"\n\
        [[dialect-extension]]\nclass = \"toy::Extension\"\nheader = \"toy/Toy.h\"\n\
        [[dialect-extension]]\nregister = \"toyRegisterModels\"\n\
        [[translation]]\nregister = \"toy::registerToLLVM\"\nheader = \"toy/Toy.h\"\n\
        [[tool-translation]]\nregister = \"toy::registerCount\"\nheader = \"toy/Toy.h\"\n";
    let (_dir, path) = temporary();
    let text = BASE.replace("register = \"mlirRegisterToyPasses\"\n", more);
    write(
        &path,
        &text.replace("headers = [\"include/toy-c/Toy.h\"]\n", ""),
    );
    let toy = load(&path).unwrap();
    let symbols: Vec<String> = toy
        .cpp_registrations()
        .into_iter()
        .map(|registration| registration.symbol)
        .collect();
    assert_eq!(
        symbols,
        [
            "mondo_register_toy_toy__registerPasses",
            "mondo_register_toy_toy__registerCount",
            "mondo_register_toy_toy__Extension",
            "mondo_register_toy_toy__registerToLLVM"
        ]
    );
    assert_eq!(
        toy.function_of(&toy.dialect_extensions[1]),
        "toyRegisterModels"
    );
    let handle = "handle = \"mlirGetDialectHandle__toy__\"";
    assert_snapshot!(refusal(handle, "class = \"toy::ToyDialect\""), @r#"
    the dialect crate `toy`: `dialect.class` is the C++ name `toy::ToyDialect`, but `header` is missing
       at: $DIR/dialect.toml:6:9
     help: add `header`, the name of the file that declares it, as in `#include`
    "#);
    assert_snapshot!(refusal(handle, "class = \"toy.Toy\"\nheader = \"x\""), @r#"
    the dialect crate `toy`: invalid `dialect.class`: "toy.Toy"
       at: $DIR/dialect.toml:6:9
      why: it must be a qualified C++ name, such as `acme::AcmeDialect`
    "#);
    assert_snapshot!(refusal(handle, "handle = \"f\"\nheader = \"x\""), @r#"
    the dialect crate `toy`: the dialect `toy` has `header` without `class`
       at: $DIR/dialect.toml:7:10
     help: list the headers of C functions in `cpp.headers`
    "#);
}

#[test]
fn options_of_the_compiler() {
    let toy = with(
        "[cpp]",
        "[cpp]\nstd = \"c++20\"\nflags = [\"-fexceptions\"]\ndefines = [\"A=1\"]",
    );
    let Code::Cpp(cpp) = &toy.code else { panic!() };
    assert_eq!(
        cpp.options.arguments(),
        ["-std=c++20", "-DA=1", "-fexceptions"]
    );
    assert_eq!(CppOptions::default().arguments(), ["-std=c++17"]);
    let flag = |flag: &str| refusal("[cpp]", &format!("[cpp]\nflags = [\"-O3\", \"{flag}\"]"));
    assert_snapshot!(flag("-static-libstdc++"), @r#"
    the dialect crate `toy`: `-static-libstdc++` is not allowed in `cpp.flags`
       at: $DIR/dialect.toml:16:17
      why: it is a linker option, and the bundle already contains the C++ library
    "#);
    for (word, why) in [
        ("-std=c++20", "`std`"),
        ("-fvisibility=default", "are exported"),
        ("-flto=thin", "machine code"),
        ("-march=native", "other machines"),
        ("-fsanitize=address", "runtime"),
        ("-lfoo", "`archives`"),
        ("-I/usr/include", "`cpp.include`"),
        ("-Wl,-z,now", "link"),
        ("-fno-pic", "position-independent"),
        ("-c", "mondo chooses"),
        ("-include x.h", "a separate word"),
        ("O3", "begins with `-`"),
    ] {
        let message = flag(word);
        assert!(message.contains(why), "{word}: {message}");
    }
    assert_snapshot!(refusal("[cpp]", "[cpp]\nstd = \"c++14\""), @r#"
    the dialect crate `toy`: invalid `cpp.std`: "c++14"
       at: $DIR/dialect.toml:16:7
      why: MLIR's headers are written in C++17
     help: write `c++17`, `c++20`, `c++23` or `c++26`, or `gnu++…`
    "#);
    assert_snapshot!(refusal("[cpp]", "[cpp]\ndefines = [\"-DX\"]"), @r#"
    the dialect crate `toy`: `-DX` is not allowed in `cpp.defines`
       at: $DIR/dialect.toml:16:12
      why: a definition is `NAME` or `NAME=value`
    "#);
}

#[test]
fn files_are_taken_out_by_a_pattern() {
    let toy = with("[\"lib/*.cpp\"]", "[\"lib/*.cpp\", \"!lib/B*\"]");
    let Code::Cpp(cpp) = &toy.code else { panic!() };
    assert_eq!(cpp.sources, [toy.folder.join("lib/A.cpp")]);
    assert_snapshot!(refusal("[\"lib/*.cpp\"]", "[\"lib/*.cpp\", \"!lib/*\"]"), @r#"
    the dialect crate `toy`: `cpp.sources` excludes all files that it lists
       at: $DIR/dialect.toml:16:12
    "#);
}

#[test]
fn headers_may_be_named_as_they_are_included() {
    let toy = with("\"include/toy-c/Toy.h\"", "\"toy-c/Toy.h\"");
    assert_eq!(toy.headers()[0].get_ref(), "toy-c/Toy.h");
}

#[test]
fn a_package_says_whose_it_is() {
    let package = "[package]\nlicense = \"MIT\"\nlicense-files = [\"Cargo.toml\"]\nversion = \"1.2\"\n\
                   authors = [{ name = \"A\" }]\n\n[[dialect]]";
    let toy = with("[[dialect]]", package);
    assert_eq!(toy.package.license.as_deref(), Some("MIT"));
    assert_eq!(toy.package.license_files, [toy.folder.join("Cargo.toml")]);
    assert_eq!(toy.package.authors[0].name.as_deref(), Some("A"));
    assert_snapshot!(refusal("[[dialect]]", "[package]\nlicense = \"mit license\"\n\n[[dialect]]"), @r#"
    the dialect crate `toy`: invalid `package.license`: "mit license"
       at: $DIR/dialect.toml:5:11
      why: it is not an SPDX expression
     help: use identifiers from the SPDX licence list, joined by AND, OR and WITH
    "#);
}

#[test]
fn a_dialects_generated_files_in_one_line() {
    let runs = "tblgen = [\n    { from = \"include/toy/Toy.td\", to = \"toy/Toy.h.inc\", args = [\"-gen-op-decls\"] },\n]";
    let short = "tblgen-dialect = [{ td = \"include/toy/Toy.td\", prefix = \"toy/Toy\" }]";
    let toy = with(runs, short);
    let Code::Cpp(cpp) = &toy.code else { panic!() };
    let shown: Vec<String> = cpp
        .tblgen
        .iter()
        .map(|run| format!("{} {}", run.to.get_ref(), run.args.join(" ")))
        .collect();
    assert_snapshot!(shown.join("\n"), @r#"
    toy/ToyDialect.h.inc -gen-dialect-decls -dialect=toy
    toy/ToyTypes.h.inc -gen-typedef-decls -typedefs-dialect=toy
    toy/ToyAttributes.h.inc -gen-attrdef-decls -attrdefs-dialect=toy
    toy/ToyEnums.h.inc -gen-enum-decls
    toy/ToyOps.h.inc -gen-op-decls
    toy/ToyDialect.cpp.inc -gen-dialect-defs -dialect=toy
    toy/ToyTypes.cpp.inc -gen-typedef-defs -typedefs-dialect=toy
    toy/ToyAttributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=toy
    toy/ToyEnums.cpp.inc -gen-enum-defs
    toy/ToyOps.cpp.inc -gen-op-defs
    "#);
    let both = format!(
        "{short}\n{}",
        runs.replace("toy/Toy.h.inc", "toy/ToyOps.h.inc")
    );
    assert_snapshot!(refusal(runs, &both), @r#"
    the dialect crate `toy`: `cpp.tblgen.to` lists `toy/ToyOps.h.inc` twice
       at: $DIR/dialect.toml:22:41
    "#);
}

#[test]
fn generators_say_what_they_read_and_write() {
    let generator = "[[generator]]\nname = \"toy-gen\"\nsources = [\"ext/*.cpp\"]\n\
        [[generator.run]]\nargs = [\"{out}/toy/X.inc\"]\ninputs = [\"include/toy/*.td\"]\n\
        outputs = [\"toy/X.inc\"]\n\n[python]";
    let toy = with("[python]", generator);
    assert_eq!(
        toy.generators[0].runs[0].inputs,
        [toy.folder.join("include/toy/Toy.td")]
    );
    assert_snapshot!(refusal("[python]", &generator.replace("toy/X.inc\"]\n\n", "toy/Toy.h.inc\"]\n\n")), @r#"
    the dialect crate `toy`: `generator.run.outputs` lists `toy/Toy.h.inc` twice
       at: $DIR/dialect.toml:30:12
    "#);
    let never = generator.split("[[generator.run]]").next().unwrap();
    assert_snapshot!(refusal("[python]", &format!("{never}run = []\n[python]")), @r#"
    the dialect crate `toy`: the generator `toy-gen` has no runs
       at: $DIR/dialect.toml:25:8
     help: add `[[generator.run]]` with `args`, `inputs` and `outputs`
    "#);
}

#[test]
fn a_manifest_is_no_crate_and_a_crate_no_manifest() {
    let manifest = refusal("dialect-crate = 1", "manifest = 1");
    assert_snapshot!(manifest, @r#"
    this is a manifest, not a dialect crate
       at: $DIR/dialect.toml:1:1
     help: pass it to `mondo bundle --manifest`; `contents.crates` lists folders with a dialect.toml
    "#);
    let error = crate::manifest::parse(BASE, "dialect.toml".into()).unwrap_err();
    assert_snapshot!(error.to_string(), @r#"
    this is a dialect crate, not a manifest
       at: dialect.toml:1:1
     help: check it with `mondo manifest`; to bundle it, add its folder to `contents.crates` of a manifest
    "#);
    let (_dir, path) = temporary();
    write(&path, BASE);
    assert!(is_crate_file(&path.join(FILE_NAME)));
    fs_err::write(path.join("other.toml"), BASE).unwrap();
    assert!(is_crate_file(&path.join("other.toml")));
    assert!(load_file(&path.join("other.toml")).is_ok());
    fs_err::write(path.join("m.toml"), "manifest = 1").unwrap();
    assert!(!is_crate_file(&path.join("m.toml")));
}
