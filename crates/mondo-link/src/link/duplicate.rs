//! From lld's complaint about a symbol with two definitions to whose they are: mostly two dialect
//! crates with one C++ class, or a crate with a class of MLIR's.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::demangle::demangled;
use mondo_core::error::{Error, ErrorKind};

use super::undefined::archive_and_member;

/// Turns lld's messages into an error, if symbols defined twice are what it complains about.
pub(super) fn explain(stderr: &str, place: &str) -> Option<Error> {
    let duplicates = parse(stderr);
    if duplicates.is_empty() {
        return None;
    }
    let type_id = |symbol: &str| symbol.contains("TypeIDResolver") && symbol.ends_with("2idE");
    let (type_ids, others): (Vec<_>, Vec<_>) = duplicates
        .into_iter()
        .partition(|(symbol, _)| type_id(symbol));
    let line = |(symbol, places): &(String, BTreeSet<String>)| {
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        format!("{}: {}", demangled(symbol), places.join(" and "))
    };
    let count = type_ids.len() + others.len();
    let symbols = if count == 1 {
        "symbol is"
    } else {
        "symbols are"
    };
    let of_cpp = !type_ids.is_empty() || others.iter().any(|(symbol, _)| symbol.starts_with("_Z"));
    let error = Error::new(ErrorKind::Link, format!("{count} {symbols} defined twice"))
        .at(place)
        .help(if of_cpp {
            "rename the C++ class or its namespace in one of the two, or remove one of them"
        } else {
            "rename it in one of the two, make it `static` there, or remove one of them"
        });
    // A TypeID says whose class it is; its functions, of which there are many, say nothing more.
    Some(if type_ids.is_empty() {
        error
            .because("everything is linked into one library, which can define a name only once")
            .details(others.iter().map(line))
    } else {
        error
            .because(
                "some of them are TypeIDs, which identify C++ classes in MLIR: two classes \
                 have the same name",
            )
            .details(type_ids.iter().map(line))
    })
}

/// Symbol to the places that define it.
fn parse(stderr: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut duplicates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in stderr.lines() {
        if let Some((_, symbol)) = line.split_once("duplicate symbol: ") {
            current = Some(symbol.trim());
            duplicates.entry(symbol.trim().to_owned()).or_default();
        } else if let Some(definition) = line.strip_prefix(">>>") {
            let Some(symbol) = current else { continue };
            let place = definition.trim().trim_start_matches("defined at ");
            if let (Some(places), Some(place)) =
                (duplicates.get_mut(symbol), archive_and_member(place))
            {
                places.insert(place);
            }
        } else {
            current = None;
        }
    }
    duplicates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typeid_of_two_crates_names_both() {
        let id = "_ZN4mlir6detail14TypeIDResolverIN1t8TDialectEvE2idE";
        let output = format!(
            "ld.lld: error: duplicate symbol: {id}\n>>> defined at Dialect.cpp\n>>>            \
             Dialect.cpp.o:({id}) in archive /w/liba.a\n>>> defined at Other.cpp\n>>>            \
             Other.cpp.o:(.bss+0x0) in archive /w/libb.a\n\nld.lld: error: duplicate symbol: f\n>>> \
             defined at x.o:(f) in archive /w/liba.a\n"
        );
        insta::assert_snapshot!(explain(&output, "lib.so").unwrap(), @r#"
        2 symbols are defined twice
           at: lib.so
          why: some of them are TypeIDs, which identify C++ classes in MLIR: two classes have the same name
            - mlir::detail::TypeIDResolver<t::TDialect, void>::id: liba.a(Dialect.cpp.o) and libb.a(Other.cpp.o)
         help: rename the C++ class or its namespace in one of the two, or remove one of them
        "#);
        assert!(explain("ld.lld: error: something else", "lib.so").is_none());
        let output = "ld.lld: error: duplicate symbol: f\n>>> defined at a.cpp\n>>>            a.cpp.o:(f) in archive \
                    /w/liba.a\n>>> defined at b.cpp\n>>>            b.cpp.o:(.text.f+0x0) in archive /w/libb.a\n";
        insta::assert_snapshot!(explain(output, "lib.so").unwrap(), @r#"
        1 symbol is defined twice
           at: lib.so
          why: everything is linked into one library, which can define a name only once
            - f: liba.a(a.cpp.o) and libb.a(b.cpp.o)
         help: rename it in one of the two, make it `static` there, or remove one of them
        "#);
    }
}
