//! Dialect crates that are wrong: each ends with a typed error that names the crate and the place.

use std::process::Command;

use super::{Case, MANIFEST, succeeds, wheel_bytes};

/// A case whose manifest picks the crates in these folders of it, and these dialects.
fn case(crates: &[&str], dialects: &str) -> Case {
    let list: Vec<String> = crates.iter().map(|name| format!("{name:?}")).collect();
    let contents = format!(
        "crates = [{}]\ndialects = [\"func\", \"arith\"{dialects}]",
        list.join(", ")
    );
    Case::new(&MANIFEST.replace("dialects = [\"func\", \"arith\"]", &contents))
}

/// Writes a file of the case.
fn write(case: &Case, path: &str, text: &str) {
    let path = case.dir.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn replace(case: &Case, path: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(case.dir.path().join(path)).unwrap();
    assert!(text.contains(from), "{path} has no {from:?}");
    write(case, path, &text.replacen(from, to, 1));
}

/// A case with a new dialect in C++, `toy`.
fn toy() -> Case {
    let case = case(&["toy"], ", \"toy\"");
    let mut new = Command::new(env!("CARGO_BIN_EXE_mondo"));
    new.args(["new-dialect", "toy", "--cpp", "--dir"]);
    succeeds({
        new.arg(case.dir.path());
        new
    });
    case
}

/// The text of a crate that has nothing but one C++ file and a function that registers passes.
fn tiny(name: &str) -> String {
    format!(
        "dialect-crate = 1\nname = \"{name}\"\n[[pass-group]]\nname = \"{name}\"\n\
         register = \"{name}Register\"\n[cpp]\nsources = [\"*.cpp\"]\n"
    )
}

#[test]
fn words_of_a_crate() {
    let case = toy();
    replace(&case, "toy/dialect.toml", "handle =", "handel =");
    case.fails(
        case.command(),
        10,
        &["toy/dialect.toml:13:1", "handel", "`handle`"],
    );
}

#[test]
fn a_crate_that_no_dialect_is_wanted_of() {
    let case = case(&["toy"], "");
    write(&case, "toy/a.cpp", "");
    write(
        &case,
        "toy/dialect.toml",
        &tiny("toy").replace(
            "[cpp]",
            "[[dialect]]\nname = \"toy\"\nhandle = \"f\"\n[cpp]",
        ),
    );
    case.fails(
        case.command(),
        11,
        &["contents.crates", "contents.dialects", "\"toy\""],
    );
}

#[test]
fn two_crates_with_one_dialect() {
    let case = case(&["one", "two"], ", \"toy\"");
    for name in ["one", "two"] {
        write(&case, &format!("{name}/a.cpp"), "");
        let text = tiny(name).replace(
            "[cpp]",
            "[[dialect]]\nname = \"toy\"\nhandle = \"f\"\n[cpp]",
        );
        write(&case, &format!("{name}/dialect.toml"), &text);
    }
    let words = [
        "`two` claims the dialect `toy`",
        "one/dialect.toml:7:8",
        "two/dialect.toml:7:8",
    ];
    case.fails(case.command(), 11, &words);
}

#[test]
fn dialects_in_a_circle() {
    let case = case(&["one", "two"], ", \"one\"");
    for (name, other) in [("one", "two"), ("two", "one")] {
        write(&case, &format!("{name}/a.cpp"), "");
        let dialect = format!(
            "[[dialect]]\nname = \"{name}\"\nhandle = \"{name}Handle\"\ndepends = [\"{other}\"]\n[cpp]"
        );
        write(
            &case,
            &format!("{name}/dialect.toml"),
            &tiny(name).replace("[cpp]", &dialect),
        );
    }
    case.fails(
        case.command(),
        11,
        &["one → two → one", "two/dialect.toml:9:12"],
    );
}

#[test]
fn an_archive_that_mlir_does_not_have() {
    let case = toy();
    let archives = "archives = [\"MLIRArithDialct\"";
    replace(
        &case,
        "toy/dialect.toml",
        "archives = [\"MLIRIR\"",
        archives,
    );
    let words = [
        "crate `toy`",
        "`cpp.archives`",
        "libMLIRArithDialct.a",
        "`MLIRArithDialect`",
    ];
    case.fails(case.command(), 21, &words);
}

#[test]
fn ods_that_is_wrong() {
    let case = toy();
    replace(
        &case,
        "toy/include/toy/Toy.td",
        "AnyType:$value",
        "AnyTyp:$value",
    );
    let words = [
        "crate `toy`",
        "mlir-tblgen cannot create",
        "Toy.td:",
        "AnyTyp",
    ];
    case.fails(case.command(), 20, &words);
}

#[test]
fn cpp_that_does_not_compile() {
    let case = toy();
    std::fs::remove_file(case.dir.path().join("toy/lib/Dialect.cpp")).unwrap();
    write(&case, "toy/lib/CAPI.cpp", "int x = nothing_of_this_name;\n");
    let words = [
        "crate `toy`: lib/CAPI.cpp does not compile",
        "nothing_of_this_name",
        "CAPI.cpp:1:9",
    ];
    case.fails(case.command(), 20, &words);
}

/// The same C++ class in two crates: the linker finds it, and the wheel of before stays.
#[test]
fn two_crates_with_one_typeid() {
    let case = case(&["one"], "");
    let class = "#include \"mlir/Support/TypeID.h\"\nnamespace toy { class Toy; }\n\
                 MLIR_DECLARE_EXPLICIT_TYPE_ID(::toy::Toy)\nMLIR_DEFINE_EXPLICIT_TYPE_ID(::toy::Toy)\n";
    for name in ["one", "two"] {
        let text = format!("{class}extern \"C\" void {name}Register(void) {{}}\n");
        write(&case, &format!("{name}/{name}.cpp"), &text);
        write(&case, &format!("{name}/dialect.toml"), &tiny(name));
    }
    succeeds(case.command());
    let before = wheel_bytes(&case.dist());
    replace(
        &case,
        "bundle.toml",
        "crates = [\"one\"]",
        "crates = [\"one\", \"two\"]",
    );
    case.fails(
        case.command(),
        22,
        &[
            "TypeID",
            "toy::Toy",
            "libone.a(one.cpp.o)",
            "libtwo.a(two.cpp.o)",
        ],
    );
    assert_eq!(
        wheel_bytes(&case.dist()),
        before,
        "the last good wheel is gone"
    );
}
