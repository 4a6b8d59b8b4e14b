//! Generated C++ for those registrations of a dialect crate that name a C++ class or a C++ function: for each of them
//! one C function, which the registration table calls.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use mondo_plan::dialect_crate::{CppRegistrationKind, DialectCrate};

/// The source of a crate's registrations. `None` if it has only C functions.
pub(super) fn source(one: &DialectCrate) -> Option<String> {
    let registrations = one.cpp_registrations();
    if registrations.is_empty() {
        return None;
    }
    let headers: BTreeSet<&str> = registrations
        .iter()
        .map(|registration| registration.target.header.get_ref().as_str())
        .collect();
    let mut text =
        String::from("#include \"mlir/CAPI/IR.h\"\n#include \"mlir/IR/DialectRegistry.h\"\n");
    // Writing to a String cannot fail.
    for header in headers {
        let _ = writeln!(text, "#include \"{header}\"");
    }
    for registration in &registrations {
        let name = registration.target.name.get_ref().trim_start_matches("::");
        let (parameter, body) = match registration.kind {
            CppRegistrationKind::Passes => ("void", format!("::{name}()")),
            CppRegistrationKind::Dialect => {
                (REGISTRY, format!("unwrap(registry)->insert<::{name}>()"))
            }
            CppRegistrationKind::Registry => (REGISTRY, format!("::{name}(*unwrap(registry))")),
            CppRegistrationKind::Extension => (
                REGISTRY,
                format!("unwrap(registry)->addExtensions<::{name}>()"),
            ),
        };
        let _ = writeln!(
            text,
            "extern \"C\" void {}({parameter}) {{ {body}; }}",
            registration.symbol
        );
    }
    Some(text)
}

const REGISTRY: &str = "MlirDialectRegistry registry";
