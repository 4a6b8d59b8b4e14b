//! Mistakes that are told before a project is compiled, which takes long: its only source does not compile.

use super::Case;

const BROKEN: &str = "#error compiled\n";

#[test]
fn a_wheel_with_the_name_of_another() {
    let case = Case::new().with_passes("one", "", "wheel = \"Bad_Projects\"");
    case.write("one/one.cpp", BROKEN);
    let said = case.fails(
        11,
        &["two wheels of this bundle would be named `Bad_Projects`"],
    );
    assert!(said.contains("bundle.toml:15:9"), "{said}");
    // Whether it has extensions is known once it is configured.
    let mut case = super::archives::extension("");
    case.manifest = case
        .manifest
        .replace("\"bad-projects\"", "\"badprojects-one\"");
    case.write("one/one.cpp", BROKEN);
    case.fails(
        11,
        &["would be named `badprojects-one`", "`package.distribution`"],
    );
}

#[test]
fn a_package_that_the_project_does_not_name() {
    let case = Case::new().with_passes("one", "", "python-root = true");
    case.write("one/one.cpp", BROKEN);
    case.fails(11, &["does not set the package that its users import"]);
}

#[test]
fn commands_that_differ_in_a_dash_alone() {
    let keys = "tools = { a = { command = \"one-opt\" }, b = { command = \"one_opt\" } }";
    let case = Case::new().with_passes("one", "", keys);
    case.write("one/one.cpp", BROKEN);
    case.fails(
        10,
        &["the commands `one-opt` and `one_opt` differ in `-` and `_` alone"],
    );
}

#[test]
fn a_tool_that_the_bundle_lacks() {
    let case = Case::new().with_passes("one", "", "tools = { one-opt = \"opt\" }");
    case.write("one/one.cpp", BROKEN);
    case.fails(11, &["names the tool `opt`, which the bundle lacks"]);
}
