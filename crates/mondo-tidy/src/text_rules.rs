//! The rules that need nothing but the text of the sources.

use crate::sources::{Rule, SourceFile};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "pure-audit",
        check: pure_audit,
    },
    Rule {
        name: "pure-plan",
        check: pure_plan,
    },
    Rule {
        name: "user-files",
        check: user_files,
    },
    Rule {
        name: "cpp-headers",
        check: cpp_headers,
    },
    Rule {
        name: "foreign-functions",
        check: foreign_functions,
    },
    Rule {
        name: "no-label",
        check: no_label,
    },
    Rule {
        name: "concept-names",
        check: concept_names,
    },
    Rule {
        name: "module-layout",
        check: module_layout,
    },
    Rule {
        name: "no-generated",
        check: no_generated,
    },
    Rule {
        name: "text-only",
        check: text_only,
    },
    Rule {
        name: "no-host",
        check: no_host,
    },
    Rule {
        name: "product-name",
        check: product_name,
    },
    Rule {
        name: "file-size",
        check: file_size,
    },
];

fn under(file: &SourceFile, folders: &[&str]) -> bool {
    folders.iter().any(|folder| file.path.starts_with(folder))
}

/// mondo-audit gets bytes and gives findings.
fn pure_audit(files: &[SourceFile]) -> Vec<String> {
    const IMPURE: &[&str] = &[
        "std::fs",
        "fs_err",
        "std::process",
        "std::net",
        "std::env",
        "std::thread",
        "mondo_build",
        "mondo_core",
    ];
    unused(files, "crates/mondo-audit/src/", IMPURE)
}

/// mondo-plan reads files and returns a plan.
fn pure_plan(files: &[SourceFile]) -> Vec<String> {
    const IMPURE: &[&str] = &[
        "fs_err::copy",
        "fs_err::create",
        "fs_err::hard_link",
        "fs_err::os",
        "fs_err::remove",
        "fs_err::rename",
        "fs_err::set_permissions",
        "fs_err::write",
        "fs_err::File",
        "fs_err::OpenOptions",
        "use fs_err",
        "std::fs",
        "std::process",
        "std::net",
        "std::env",
        "std::thread",
        "tempfile::",
        "mondo_core::exec",
        "file::replace",
    ];
    unused(files, "crates/mondo-plan/src/", IMPURE)
}

/// Files that a user names are opened by mondo-core, which refuses pipes and devices.
fn user_files(files: &[SourceFile]) -> Vec<String> {
    const OPENS: &[&str] = &["fs_err::read(", "fs_err::read_to_string(", "File::open("];
    const READERS: &[&str] = &[
        "crates/mondo/src/",
        "crates/mondo-plan/src/",
        "crates/mondo-build/src/audit.rs",
        "crates/mondo-build/src/kit/",
        "crates/mondo-build/src/publish/",
        "crates/mondo-build/src/size/",
    ];
    let readers = READERS.iter();
    readers
        .flat_map(|folder| unused(files, folder, OPENS))
        .collect()
}

/// Complains about each line of code in `folder`, but for tests, that has one of `needles` in it.
fn unused(files: &[SourceFile], folder: &str, needles: &[&str]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.starts_with(folder) && !file.is_test())
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let found = needles.iter().find(|needle| line.contains(**needle))?;
                (!line.trim_start().starts_with("//")).then(|| format!("uses {found}"))
            })
        })
        .collect()
}

/// MLIR's C++ headers stay behind the shim and inside C++ dialect crates.
fn cpp_headers(files: &[SourceFile]) -> Vec<String> {
    const ALLOWED: &[&str] = &[
        "crates/mondo-runtime/",
        "bundle/include/",
        "crates/dialects/",
        // Text of C++ that is generated for dialect crates.
        "crates/mondo-link/src/compile/data_classes/",
        "crates/mondo-project/fixtures/",
        "examples/",
    ];
    const SOURCE: &[&str] = &[".h", ".hpp", ".cpp", ".cc", ".c", ".rs"];
    files
        .iter()
        .filter(|file| SOURCE.iter().any(|end| file.path.ends_with(end)) && !under(file, ALLOWED))
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let line = line.trim_start();
                let cpp = ["#include \"mlir/", "#include <mlir/", "#include \"llvm/"];
                cpp.iter()
                    .any(|include| line.starts_with(include))
                    .then(|| "includes a C++ header of MLIR".to_owned())
            })
        })
        .collect()
}

/// mondo-py sees MLIR through mondo-ir alone.
fn foreign_functions(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.starts_with("crates/mondo-py/src/"))
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let block = line.trim_end().ends_with("extern \"C\" {");
                block.then(|| "declares foreign functions; they belong in mondo-sys".to_owned())
            })
        })
        .collect()
}

/// The Python package does not know what it is called: its imports of itself are relative.
fn no_label(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.starts_with("bundle/python/"))
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let line = line.trim_start();
                let absolute = ["import mlir", "from mlir", "import acme", "from acme"];
                absolute
                    .iter()
                    .any(|start| line.starts_with(start))
                    .then(|| "imports itself by a name that a label changes".to_owned())
            })
        })
        .collect()
}

/// A module named after no concept collects unrelated code.
fn concept_names(files: &[SourceFile]) -> Vec<String> {
    const CATCH_ALLS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc"];
    files
        .iter()
        .filter(|file| {
            let mut parts = file.path.split('/');
            parts.any(|part| CATCH_ALLS.contains(&part.split('.').next().unwrap_or(part)))
        })
        .map(|file| format!("{}: is named after no concept", file.path))
        .collect()
}

/// A module with modules below it is their folder's `mod.rs`, so that a folder is whole.
fn module_layout(files: &[SourceFile]) -> Vec<String> {
    // These crates were being changed when the rule came.
    const BEFORE: &[&str] = &[
        "crates/mondo-link/src/precompiled.rs",
        "crates/mondo-toolchain/src/package_tree.rs",
    ];
    let is_module = |path: &str| path.contains("/src/") && path.ends_with(".rs");
    let paths = files.iter().map(|file| file.path.as_str());
    let modules: Vec<&str> = paths.filter(|path| is_module(path)).collect();
    modules
        .iter()
        .filter(|path| !BEFORE.contains(path))
        .filter_map(|path| {
            let folder = format!("{}/", path.strip_suffix(".rs")?);
            let has_modules = modules.iter().any(|other| other.starts_with(&folder));
            has_modules.then(|| format!("{path}: move it to {folder}mod.rs"))
        })
        .collect()
}

/// The output of a generator is made while building, not committed.
fn no_generated(files: &[SourceFile]) -> Vec<String> {
    let marks = [
        ["Autogenerated by ", "mlir-tblgen"].concat(),
        ["automatically generated by ", "rust-bindgen"].concat(),
    ];
    files
        .iter()
        .filter(|file| marks.iter().any(|mark| file.text.contains(mark)))
        .map(|file| format!("{}: is the output of a generator", file.path))
        .collect()
}

/// A binary file is a result that was added by accident: tests make theirs while they run.
fn text_only(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.text.contains('\0'))
        .map(|file| format!("{}: is not text; git rm it", file.path))
        .collect()
}

/// Clients know their registries; our files do not.
fn no_host(files: &[SourceFile]) -> Vec<String> {
    let hosts = [
        ["deb", "debian", "org"].join("."),
        ["security", "debian", "org"].join("."),
        ["snapshot", "debian", "org"].join("."),
        ["files", "pythonhosted", "org"].join("."),
        ["pypi", "org"].join("."),
        ["static", "crates", "io"].join("."),
        ["registry", "npmjs", "org"].join("."),
    ];
    files
        .iter()
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let host = hosts.iter().find(|host| line.contains(host.as_str()))?;
                Some(format!("names the host {host}"))
            })
        })
        .collect()
}

/// Messages name the command that their readers have, which is `mondo`: only xtask's own commands, and
/// the scripts of this repository, are run by `cargo xtask`.
fn product_name(files: &[SourceFile]) -> Vec<String> {
    const SHIPPED: &[&str] = &["crates/", "bundle/"];
    // Programs of this repository, not of its users.
    const OURS: &[&str] = &[
        "crates/mondo-acceptance/",
        "crates/mondo-testbed/",
        "crates/mondo-tidy/",
    ];
    files
        .iter()
        .filter(|file| SHIPPED.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| !OURS.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| file.is_shipped_rust() || file.path.ends_with(".py"))
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let code = line.split("//").next().unwrap_or_default();
                code.contains("cargo xtask")
                    .then(|| "names `cargo xtask` to people who have none".to_owned())
            })
        })
        .collect()
}

/// The length at which a source file has to be split by concept, in lines.
const MOST_LINES: usize = 600;

fn file_size(files: &[SourceFile]) -> Vec<String> {
    const SOURCE: &[&str] = &[".rs", ".py", ".pyi", ".cpp", ".h"];
    files
        .iter()
        .filter(|file| SOURCE.iter().any(|end| file.path.ends_with(end)))
        .filter_map(|file| {
            let lines = file.text.lines().count();
            (lines > MOST_LINES).then(|| {
                format!(
                    "{}: has {lines} lines, more than {MOST_LINES}; split it by concept",
                    file.path
                )
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    /// Each rule fires on one file that breaks it, and on nothing in a file that does not.
    #[test]
    fn every_rule_can_fail() {
        let long = "x\n".repeat(MOST_LINES + 1);
        let generated = ["// Autogenerated by ", "mlir-tblgen"].concat();
        let host = ["https://", "deb.", "debian.org/x"].concat();
        let breaches = [
            (
                "pure-audit",
                file("crates/mondo-audit/src/lib.rs", "use std::fs;"),
            ),
            (
                "pure-plan",
                file(
                    "crates/mondo-plan/src/new.rs",
                    "    fs_err::write(path, text)?;",
                ),
            ),
            (
                "user-files",
                file(
                    "crates/mondo/src/x.rs",
                    "    let text = fs_err::read(path)?;",
                ),
            ),
            (
                "cpp-headers",
                file("crates/mondo-py/x.cpp", "#include \"mlir/IR/Block.h\""),
            ),
            (
                "foreign-functions",
                file("crates/mondo-py/src/x.rs", "unsafe extern \"C\" {"),
            ),
            (
                "no-label",
                file("bundle/python/ir.py", "from mlir.ir import *"),
            ),
            ("concept-names", file("xtask/src/utils.rs", "")),
            ("no-generated", file("bundle/x.py", &generated)),
            ("text-only", file("x", "ML\u{fffd}R\0")),
            ("no-host", file("manifests/x.toml", &host)),
            (
                "product-name",
                file(
                    "crates/a/src/b.rs",
                    "// cargo xtask\nf(\"run cargo xtask doctor\")",
                ),
            ),
            ("file-size", file("xtask/src/x.rs", &long)),
        ];
        let harmless = [
            file("xtask/src/plan.rs", "fn main() {}"),
            file("README.md", "mlir"),
        ];
        let split = ["xtask/src/x.rs", "xtask/src/x/y.rs"].map(|path| file(path, ""));
        assert_eq!(module_layout(&split).len(), 1);
        for rule in RULES.iter().filter(|rule| rule.name != "module-layout") {
            let own: Vec<_> = breaches
                .iter()
                .filter(|(name, _)| *name == rule.name)
                .collect();
            assert!(!own.is_empty(), "no breach for {}", rule.name);
            for (_, breach) in own {
                let found = (rule.check)(std::slice::from_ref(breach));
                assert_eq!(found.len(), 1, "{}: {found:?}", rule.name);
            }
            assert!((rule.check)(&harmless).is_empty(), "{}", rule.name);
        }
    }

    #[test]
    fn unit_tests_may_do_what_the_crate_may_not() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests { use std::fs; }";
        assert!(pure_audit(&[file("crates/mondo-audit/src/lib.rs", text)]).is_empty());
    }
}
