//! The rules that need nothing but the text of the sources.

use super::{Rule, SourceFile};

/// Every rule, in the order of ARCHITECTURE.md.
pub(crate) const ALL: &[Rule] = &[
    Rule {
        name: "towers",
        check: towers,
    },
    Rule {
        name: "pure-audit",
        check: pure_audit,
    },
    Rule {
        name: "one-spawner",
        check: one_spawner,
    },
    Rule {
        name: "cpp-headers",
        check: cpp_headers,
    },
    Rule {
        name: "one-window",
        check: one_window,
    },
    Rule {
        name: "no-label",
        check: no_label,
    },
    Rule {
        name: "no-drawer",
        check: no_drawer,
    },
    Rule {
        name: "no-allow",
        check: no_allow,
    },
    Rule {
        name: "no-generated",
        check: no_generated,
    },
    Rule {
        name: "no-host",
        check: no_host,
    },
    Rule {
        name: "file-size",
        check: file_size,
    },
];

const BUILD_TOWER: &[&str] = &["xtask/", "crates/mondo-build/", "crates/mondo-audit/"];
const RUNTIME_TOWER: &[&str] = &[
    "bundle/",
    "crates/dialects/",
    "crates/mondo-dialect/",
    "crates/mondo-py/",
    "crates/mondo-runtime/",
    "crates/mondo-sys/",
];
const BUILD_CRATES: &[&str] = &["mondo-build", "mondo-audit", "xtask"];
const RUNTIME_CRATES: &[&str] = &[
    "mondo-bundle",
    "mondo-dialect",
    "mondo-py",
    "mondo-runtime",
    "mondo-sys",
];

fn under(file: &SourceFile, folders: &[&str]) -> bool {
    folders.iter().any(|folder| file.path.starts_with(folder))
}

/// Neither tower depends on a crate of the other: they meet in files.
fn towers(files: &[SourceFile]) -> Vec<String> {
    let depends = |line: &str, crates: &[&str]| {
        let key = line.split(['.', '=', ' ']).next()?;
        crates
            .contains(&key)
            .then(|| format!("depends on {key}, of the other tower"))
    };
    files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"))
        .flat_map(|file| {
            let other = if under(file, BUILD_TOWER) {
                RUNTIME_CRATES
            } else if under(file, RUNTIME_TOWER) {
                BUILD_CRATES
            } else {
                &[]
            };
            file.complaints(&file.text, |line| depends(line, other))
        })
        .collect()
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
    ];
    files
        .iter()
        .filter(|file| file.path.starts_with("crates/mondo-audit/src/"))
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let found = IMPURE.iter().find(|needle| line.contains(**needle))?;
                (!line.trim_start().starts_with("//")).then(|| format!("uses {found}"))
            })
        })
        .collect()
}

/// Only exec.rs starts programs. Build scripts run under cargo, before there is an exec.rs.
fn one_spawner(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_shipped_rust() && file.path != "crates/mondo-build/src/exec.rs")
        .filter(|file| !file.path.ends_with("/build.rs") && !file.path.ends_with("tidy/rules.rs"))
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let spawns = line.contains("process::Command") || line.contains("Command::new(");
                spawns.then(|| "starts a program outside exec.rs".to_owned())
            })
        })
        .collect()
}

/// MLIR's C++ headers stay behind the shim and inside C++ dialect crates.
fn cpp_headers(files: &[SourceFile]) -> Vec<String> {
    const ALLOWED: &[&str] = &[
        "crates/mondo-runtime/",
        "crates/mondo-extension/",
        "crates/dialects/",
        "examples/",
    ];
    const SOURCE: &[&str] = &[".h", ".hpp", ".cpp", ".cc", ".c", ".rs"];
    files
        .iter()
        .filter(|file| SOURCE.iter().any(|end| file.path.ends_with(end)) && !under(file, ALLOWED))
        .filter(|file| !file.path.ends_with("tidy/rules.rs"))
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

/// mondo-py sees MLIR through mondo-sys alone.
fn one_window(files: &[SourceFile]) -> Vec<String> {
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

/// A drawer for everything is where concepts go to hide.
fn no_drawer(files: &[SourceFile]) -> Vec<String> {
    const DRAWERS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc"];
    files
        .iter()
        .filter(|file| {
            let mut parts = file.path.split('/');
            parts.any(|part| DRAWERS.contains(&part.split('.').next().unwrap_or(part)))
        })
        .map(|file| format!("{}: is named after no concept", file.path))
        .collect()
}

/// A lint is expected where it must give way, and switched off only over what a generator wrote;
/// with a reason either way.
fn no_allow(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && !file.path.ends_with("tidy/rules.rs"))
        .flat_map(|file| {
            let attributes = ["#[allow(", "#![allow(", "#[expect(", "#![expect("];
            file.text
                .match_indices(['#'])
                .filter(|(at, _)| {
                    attributes
                        .iter()
                        .any(|start| file.text[*at..].starts_with(start))
                })
                .filter(|(at, _)| {
                    let attribute = file.text[*at..].split(")]").next().unwrap_or_default();
                    !attribute.contains("reason = ")
                })
                .map(|(at, _)| {
                    let line = file.text[..at].lines().count();
                    format!("{}:{line}: a lint gives way without a reason", file.path)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// What a tool generates is generated at build time.
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

/// How long a source file may be before it has to be split by concept.
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

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.into(),
            text: text.into(),
        }
    }

    /// Each rule fires on one file that breaks it, and on nothing in a file that does not.
    #[test]
    fn every_rule_can_fail() {
        let long = "x\n".repeat(MOST_LINES + 1);
        let generated = ["// Autogenerated by ", "mlir-tblgen"].concat();
        let host = ["https://", "deb.", "debian.org/x"].concat();
        let breaches = [
            (
                "towers",
                file(
                    "crates/mondo-build/Cargo.toml",
                    "mondo-sys.workspace = true",
                ),
            ),
            (
                "towers",
                file(
                    "crates/mondo-py/Cargo.toml",
                    "mondo-build = { path = \"x\" }",
                ),
            ),
            (
                "pure-audit",
                file("crates/mondo-audit/src/lib.rs", "use std::fs;"),
            ),
            (
                "one-spawner",
                file("xtask/src/x.rs", "std::process::Command::new(\"ls\")"),
            ),
            (
                "cpp-headers",
                file("crates/mondo-py/x.cpp", "#include \"mlir/IR/Block.h\""),
            ),
            (
                "one-window",
                file("crates/mondo-py/src/x.rs", "unsafe extern \"C\" {"),
            ),
            (
                "no-label",
                file("bundle/python/ir.py", "from mlir.ir import *"),
            ),
            ("no-drawer", file("xtask/src/utils.rs", "")),
            (
                "no-allow",
                file("xtask/src/x.rs", "#[allow(dead_code)]\n// reason = none"),
            ),
            ("no-generated", file("bundle/x.py", &generated)),
            ("no-host", file("manifests/x.toml", &host)),
            ("file-size", file("xtask/src/x.rs", &long)),
        ];
        let harmless = [
            file("xtask/src/plan.rs", "fn main() {}"),
            file("README.md", "mlir"),
        ];
        for rule in ALL {
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
