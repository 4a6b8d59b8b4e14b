//! The registration table: the one object file of the library that depends on what a manifest picks.
//!
//! It has the C API functions that register dialects, passes and translations, in the layout of
//! `mondo-runtime/src/registration.rs`, and hidden definitions in place of functions that the
//! plan excludes. It is written in assembly, so that it takes no time to make.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::plan::{Plan, Registration};
use mondo_toolchain::Linker;

use super::assemble::{self, Table};
use crate::machine::HOST;

/// The symbol of the table.
const SYMBOL: &str = "mondo_registration";

/// The translation for which the runtime needs functions of LLVM's C API.
const LLVM_IR: &str = "llvm-ir";

/// The functions of LLVM's C API that the runtime calls for this translation, in the order of
/// `mondo-runtime/src/llvm_ir.rs`.
const LLVM_IR_FUNCTIONS: [&str; 6] = [
    "LLVMContextCreate",
    "mlirTranslateModuleToLLVMIR",
    "LLVMPrintModuleToString",
    "LLVMDisposeMessage",
    "LLVMDisposeModule",
    "LLVMContextDispose",
];

/// The parts of a plan that the table is made from.
struct Contents<'a> {
    calls: &'a Registration,
    dialects: BTreeSet<&'a str>,
    translations: &'a [String],
    entry_points: &'a [String],
    unreachable: &'a [String],
    null: &'a [String],
}

impl<'a> Contents<'a> {
    fn of(plan: &'a Plan) -> Self {
        Self {
            calls: &plan.registration,
            dialects: plan
                .dialects
                .iter()
                .map(|dialect| dialect.name.as_str())
                .collect(),
            translations: &plan.translations,
            entry_points: &plan.excluded_entry_points,
            unreachable: &plan.unreachable_functions,
            null: &plan.null_functions,
        }
    }
}

/// Makes the object file for `plan`.
///
/// # Errors
/// [`ErrorKind::Compile`] where a name is not one that a linker knows, or the assembler fails.
pub(super) fn object(plan: &Plan, linker: &Linker, work: &Utf8Path) -> Result<Utf8PathBuf> {
    assemble::object("registration", &text(&Contents::of(plan))?, linker, work)
}

/// The assembly.
fn text(contents: &Contents<'_>) -> Result<String> {
    check(contents)?;
    let calls = contents.calls;
    let mut table = Table::new(SYMBOL);
    for functions in [
        &calls.handles,
        &calls.registries,
        &calls.passes,
        &calls.contexts,
    ] {
        table.list(functions.iter().map(String::as_str));
    }
    table.strings(contents.dialects.iter().copied());
    table.strings(calls.runtime.iter().map(String::as_str));
    let runners: Vec<String> = calls.runtime.iter().map(|action| runner(action)).collect();
    table.list(runners.iter().map(String::as_str));
    table.list(calls.finish.iter().map(String::as_str));
    if contents.translations.iter().any(|name| name == LLVM_IR) {
        table.structure(LLVM_IR_FUNCTIONS);
    } else {
        table.null();
    }
    let mut text = table.finish();
    // Entry points of excluded code generators are defined strongly: LLVM's own definitions are in archives that the linker
    // searches later, so that it never extracts their members.
    stubs(
        &mut text,
        ".globl",
        "entry_points",
        contents.entry_points,
        HOST.return_,
    );
    // Weak definitions: where the real function is linked for another reason, it overrides the stub.
    stubs(
        &mut text,
        ".weak",
        "excluded",
        contents.unreachable,
        HOST.jump_to_excluded,
    );
    stubs(&mut text, ".weak", "null", contents.null, HOST.return_null);
    Ok(text)
}

/// The linker name of a function of a runtime library (`RUNNER` of `mondo-runtime/runners/runner.h`).
fn runner(name: &str) -> String {
    format!("mondo_runner_{name}")
}

/// Writes one piece of code that is defined under all of `names`.
fn stubs(text: &mut String, binding: &str, section: &str, names: &[String], code: &str) {
    if names.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\t.section .text.mondo_{section},\"ax\",@progbits");
    for name in names {
        let _ = writeln!(
            text,
            "\t{binding} {name}\n\t.hidden {name}\n\t.type {name}, @function\n{name}:"
        );
    }
    let _ = writeln!(text, "\t{code}");
}

/// Refuses a name that the assembler would read as something else than one symbol.
fn check(contents: &Contents<'_>) -> Result<()> {
    let refused = |name: &str, why: &str| {
        Error::new(
            ErrorKind::Compile,
            format!("the bundle cannot register `{name}`"),
        )
        .because(why)
        .help("correct the name in the catalogue or in the crate's dialect.toml")
    };
    let calls = contents.calls;
    let functions = [
        calls.handles.as_slice(),
        &calls.registries,
        &calls.passes,
        &calls.contexts,
        &calls.runtime,
        &calls.finish,
        contents.entry_points,
        contents.unreachable,
        contents.null,
    ];
    let mut seen = BTreeSet::new();
    for name in functions.into_iter().flatten() {
        if !is_identifier(name) {
            return Err(refused(name, "it is not a C identifier"));
        }
        if !seen.insert(name) {
            return Err(refused(name, "it is listed twice"));
        }
    }
    match contents.dialects.iter().find(|name| !is_identifier(name)) {
        Some(name) => Err(refused(name, "it is not the name of a dialect")),
        None => Ok(()),
    }
}

fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_kind_of_function_is_in_the_table() {
        let calls = Registration {
            handles: words(&["mlirGetDialectHandle__func__"]),
            registries: words(&["mlirRegisterAllDialects"]),
            passes: words(&["mlirRegisterAllPasses"]),
            contexts: words(&["mlirRegisterAllLLVMTranslations"]),
            runtime: words(&["memrefCopy", "printI64"]),
            finish: words(&["mondo_runner_finish_async"]),
        };
        let text = text(&Contents {
            calls: &calls,
            dialects: BTreeSet::from(["scf", "func"]),
            translations: &words(&["llvm-ir"]),
            entry_points: &words(&["LLVMInitializeBPFTarget"]),
            unreachable: &words(&["_ZN1a1bEv", "_ZN1a1cEv"]),
            null: &words(&["_ZN1a1dEv"]),
        })
        .unwrap();
        insta::assert_snapshot!(text.replace('\t', "  "));
    }

    #[test]
    fn nothing_picked_gives_an_empty_table() {
        let text = text(&Contents {
            calls: &Registration::default(),
            dialects: BTreeSet::new(),
            translations: &[],
            entry_points: &[],
            unreachable: &[],
            null: &[],
        })
        .unwrap();
        let (_, table) = text.split_once("mondo_registration:\n").unwrap();
        let words: Vec<&str> = table
            .lines()
            .filter(|line| line.contains(".quad"))
            .collect();
        assert_eq!(words.len(), 9, "{text}");
        assert!(
            words[..8].iter().all(|line| line.ends_with(", 0")),
            "{text}"
        );
        assert_eq!(words[8].trim(), ".quad 0");
    }

    #[test]
    fn names_that_are_not_identifiers_or_are_there_twice_are_refused() {
        for (handle, pass, dialect, why) in [
            ("f(); evil", "g", "d", "not a C identifier"),
            ("f", "", "d", "not a C identifier"),
            ("1f", "g", "d", "not a C identifier"),
            ("f", "g\"", "d", "not a C identifier"),
            ("f", "f", "d", "listed twice"),
            ("f", "g", "a\"b", "not the name of a dialect"),
        ] {
            let calls = Registration {
                handles: words(&[handle]),
                passes: words(&[pass]),
                ..Registration::default()
            };
            let error = text(&Contents {
                calls: &calls,
                dialects: BTreeSet::from([dialect]),
                translations: &[],
                entry_points: &[],
                unreachable: &[],
                null: &[],
            })
            .unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
