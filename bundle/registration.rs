//! From the plan's JSON to Rust: part of the build script, a file of its own so that
//! `tests/registration.rs` can include it too.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Deserialize;

/// What the JSON file says. Every entry but the last three is the name of a C function.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Source {
    /// `MlirDialectHandle f(void)`.
    pub(crate) handles: Vec<String>,
    /// `void f(MlirDialectRegistry)`.
    pub(crate) registries: Vec<String>,
    /// `void f(void)`.
    pub(crate) passes: Vec<String>,
    /// `void f(MlirContext)`.
    pub(crate) contexts: Vec<String>,
    /// `void f(void)`, entry points of code generators that are left out: each gets a hidden
    /// definition that does nothing.
    pub(crate) stub_entry_points: Vec<String>,
    /// Functions of MLIR's and LLVM's, by their linker names, that nothing can reach: each gets a weak
    /// hidden definition that ends the process, so that the linker leaves out what the real one needs.
    pub(crate) unreachable_functions: Vec<String>,
    /// Functions by their linker names, each of which gets a weak hidden definition that does nothing
    /// and answers null.
    pub(crate) null_functions: Vec<String>,
    /// Names of dialects.
    pub(crate) dialects: Vec<String>,
    /// The catalogue's names of translations.
    pub(crate) translations: Vec<String>,
    /// Names of Rust libraries that some of these functions are of, and which are linked for them.
    pub(crate) rust_crates: Vec<String>,
}

/// Reads the JSON and checks every name, since they become Rust and linker symbols.
pub(crate) fn parse(text: &str) -> Result<Source, String> {
    let source: Source = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let functions = [
        ("handles", &source.handles),
        ("registries", &source.registries),
        ("passes", &source.passes),
        ("contexts", &source.contexts),
        ("stub_entry_points", &source.stub_entry_points),
        ("unreachable_functions", &source.unreachable_functions),
        ("null_functions", &source.null_functions),
    ];
    let mut seen = BTreeSet::new();
    for (key, names) in functions {
        for name in names {
            if !is_identifier(name) {
                return Err(format!("`{key}` has {name:?}, which is not a C identifier"));
            }
            if !seen.insert(name) {
                return Err(format!("`{key}` has {name:?}, which is named twice"));
            }
        }
    }
    let of_words = |name: &&String| name.split('-').all(is_identifier);
    if let Some(name) = source.translations.iter().find(|name| !of_words(name)) {
        return Err(format!(
            "`translations` has {name:?}, which is not a translation's name"
        ));
    }
    for (key, names) in [
        ("dialects", &source.dialects),
        ("rust_crates", &source.rust_crates),
    ] {
        if let Some(name) = names.iter().find(|name| !is_identifier(name)) {
            return Err(format!("`{key}` has {name:?}, which is not an identifier"));
        }
    }
    Ok(source)
}

fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The Rust text of `registration.rs`; the order of the input does not show in it, but for the
/// order of calls within one table.
pub(crate) fn generate(source: &Source) -> String {
    let mut out = String::new();
    for name in &source.rust_crates {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "extern crate {name} as _;");
    }
    out.push_str("unsafe extern \"C\" {\n");
    for (names, signature) in [
        (&source.handles, "() -> ::mondo_sys::MlirDialectHandle"),
        (
            &source.registries,
            "(registry: ::mondo_sys::MlirDialectRegistry)",
        ),
        (&source.passes, "()"),
        (&source.contexts, "(context: ::mondo_sys::MlirContext)"),
    ] {
        for name in names {
            let _ = writeln!(out, "    fn {name}{signature};");
        }
    }
    out.push_str("}\n\npub(super) static REGISTRATION: ::mondo_runtime::Registration =\n");
    out.push_str("    ::mondo_runtime::Registration {\n");
    for (field, names) in [
        ("handles", &source.handles),
        ("registries", &source.registries),
        ("passes", &source.passes),
        ("contexts", &source.contexts),
    ] {
        let _ = writeln!(out, "        {field}: &[{}],", names.join(", "));
    }
    let dialects: BTreeSet<String> = source
        .dialects
        .iter()
        .map(|name| format!("{name:?}"))
        .collect();
    let dialects: Vec<String> = dialects.into_iter().collect();
    let _ = writeln!(
        out,
        "        dialects: &[{}],\n    }};",
        dialects.join(", ")
    );
    for name in &source.stub_entry_points {
        let _ = write!(
            out,
            "\n#[unsafe(no_mangle)]\n#[allow(non_snake_case, reason = \"the name is of LLVM\")]\nextern \"C\" fn {name}() {{}}\n"
        );
    }
    for (names, section, code) in [
        (
            &source.unreachable_functions,
            "mondo_left_out",
            [
                ("x86_64", "jmp mondoLeftOut@PLT"),
                ("aarch64", "b mondoLeftOut"),
            ],
        ),
        (
            &source.null_functions,
            "mondo_null",
            [
                ("x86_64", "xor eax, eax; ret"),
                ("aarch64", "mov x0, #0; ret"),
            ],
        ),
    ] {
        if !names.is_empty() {
            out.push_str(&stand_ins(names, section, code));
        }
    }
    out
}

/// One piece of code with all these names, as assembly, because Rust has no weak definitions. Where
/// the real one is linked for another reason, it is that one that counts.
fn stand_ins(names: &[String], section: &str, code: [(&str, &str); 2]) -> String {
    let mut out = String::from("\n::core::arch::global_asm!(\n");
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "    r#\".pushsection .text.{section}, \"ax\", @progbits\"#,"
    );
    for name in names {
        let _ = writeln!(
            out,
            "    \".weak {name}\", \".hidden {name}\", \".type {name}, @function\", \"{name}:\","
        );
    }
    for (arch, code) in code {
        let _ = writeln!(out, "    #[cfg(target_arch = \"{arch}\")]\n    \"{code}\",");
    }
    out.push_str("    \".popsection\",\n);\n");
    out
}
