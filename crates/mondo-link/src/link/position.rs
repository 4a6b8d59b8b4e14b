//! From lld's complaint about a relocation that a shared library cannot have to the archive whose code is not
//! position-independent: mostly a third party's static library, which its package compiled for programs only.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::demangle::demangled;
use mondo_core::error::{Error, ErrorKind};

use super::inputs::Inputs;
use super::undefined::archive_and_member;

/// The number of members of one archive that are listed.
const MEMBERS: usize = 5;

/// A relocation that lld refuses.
#[derive(Debug, Default, PartialEq, Eq)]
struct Refused {
    /// `R_X86_64_TPOFF32`.
    relocation: String,
    /// The symbol that it refers to.
    symbol: String,
    /// The path of the archive, or of an object file, whose code has it.
    file: Utf8PathBuf,
    /// `libthird.a(third.o)`, or the name of the object file.
    member: String,
}

/// Turns lld's messages into an error, if it complains about code that is not position-independent.
pub(super) fn explain(stderr: &str, inputs: Inputs<'_>) -> Option<Error> {
    let refused = parse(stderr);
    let mut files: BTreeMap<&Utf8Path, BTreeMap<&str, &Refused>> = BTreeMap::new();
    for one in &refused {
        let members = files.entry(&one.file).or_default();
        members.entry(&one.member).or_insert(one);
    }
    let (first, _) = files.first_key_value()?;
    let first = *first;
    let named: Vec<&str> = files.keys().filter_map(|file| file.file_name()).collect();
    let members = files
        .values()
        .flat_map(|members_of_file| members_of_file.values().take(MEMBERS));
    let mut details: Vec<String> = members
        .map(|member| {
            format!(
                "{}: {} against {}",
                member.member,
                member.relocation,
                demangled(&member.symbol)
            )
        })
        .collect();
    details.extend(files.iter().filter_map(|(file, members)| {
        let more = members
            .len()
            .checked_sub(MEMBERS)
            .filter(|count| *count > 0)?;
        Some(format!("{}: {more} more members", file.file_name()?))
    }));
    let reasons: Vec<String> = files.keys().filter_map(|file| who(file, inputs)).collect();
    Some(
        Error::new(
            ErrorKind::Link,
            format!(
                "{} {} not position-independent, which a shared library requires",
                named.join(", "),
                if named.len() == 1 { "is" } else { "are" }
            ),
        )
        .at(first)
        .because(if reasons.is_empty() {
            "the linker cannot apply these relocations in a shared library".to_owned()
        } else {
            reasons.join("\n")
        })
        .details(details)
        .help(
            "compile it with -fPIC (in its CMake, CMAKE_POSITION_INDEPENDENT_CODE=ON), and \
             point the project to it in `define` (`CMAKE_PREFIX_PATH`, or the variable of its \
             `find_package`); or disable the part of the project that needs it in `define`",
        ),
    )
}

/// The project, or the dialect crate, that brings the archive, and the targets that link it.
fn who(file: &Utf8Path, inputs: Inputs<'_>) -> Option<String> {
    // The link may take a copy of an archive, which has the same name in another folder.
    let is_it = |own: &Utf8Path| own.file_name() == file.file_name();
    if let Some((_, asked)) = inputs.asked.iter().find(|(path, _)| is_it(path)) {
        return Some(asked.clone());
    }
    let mut crates = inputs.compiled.crates.iter();
    let one = crates.find(|owner| {
        owner
            .whole
            .iter()
            .chain(&owner.by_need)
            .any(|own| is_it(own))
    })?;
    Some(format!(
        "`{}` adds {}",
        one.name,
        file.file_name().unwrap_or_default()
    ))
}

/// The refused relocations, in lld's order.
fn parse(stderr: &str) -> Vec<Refused> {
    let mut all = Vec::new();
    let mut current: Option<(String, String)> = None;
    for line in stderr.lines() {
        if let Some((_, rest)) = line.split_once("error: relocation ") {
            current = complaint(rest);
        } else if let Some(place) = line.strip_prefix(">>>") {
            let place = place.trim().trim_start_matches("referenced by ");
            // The definition of the symbol, which may be in another file.
            if place.starts_with("defined in ") {
                continue;
            }
            let Some((file, member)) = file_and_member(place) else {
                continue;
            };
            if let Some((relocation, symbol)) = current.take() {
                all.push(Refused {
                    relocation,
                    symbol,
                    file,
                    member,
                });
            }
        } else {
            current = None;
        }
    }
    all
}

/// The relocation and the symbol of `R_X86_64_32S cannot be used against symbol 'x'; recompile with -fPIC` and of
/// `R_X86_64_TPOFF32 against x cannot be used with -shared`.
fn complaint(rest: &str) -> Option<(String, String)> {
    let relocation = rest.split(' ').next()?.to_owned();
    if !rest.contains("recompile with -fPIC") && !rest.contains("cannot be used with -shared") {
        return None;
    }
    let (_, symbol) = rest.split_once(" against ")?;
    let symbol = symbol.strip_prefix("symbol ").unwrap_or(symbol);
    let end = symbol.find([' ', ';']).unwrap_or(symbol.len());
    // A local symbol has no name: `cannot be used against local symbol`.
    let symbol = match symbol[..end].trim_matches('\'') {
        "local" => "a local symbol",
        name => name,
    };
    Some((relocation, symbol.to_owned()))
}

/// The place of a reference: `x.o:(f) in archive /p/libA.a`, or `/p/x.o:(f)`. `None` for a line with the source file.
fn file_and_member(place: &str) -> Option<(Utf8PathBuf, String)> {
    if let Some(member) = archive_and_member(place) {
        let (_, archive) = place.rsplit_once(" in archive ")?;
        return Some((archive.into(), member));
    }
    let (object, _) = place.split_once(".o:(")?;
    let object = Utf8PathBuf::from(format!("{object}.o"));
    let member = object.file_name()?.to_owned();
    Some((object, member))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_relocations_have_their_archive_and_member() {
        let output = "ld.lld: error: relocation R_X86_64_TPOFF32 against _ZN1t4mineE cannot be used with -shared\n\
                    >>> defined in /w/libthird.a(third.o)\n>>> referenced by third.cpp\n\
                    >>>               third.o:(third) in archive /w/libthird.a\n\n\
                    ld.lld: error: relocation R_X86_64_32S cannot be used against symbol 'table'; recompile with \
                    -fPIC\n>>> defined in b.o\n>>> referenced by other.o:(.text+0x1) in archive /w/libother.a\n\n\
                    ld.lld: error: relocation R_X86_64_32 cannot be used against local symbol; recompile with \
                    -fPIC\n>>> defined in /w/x.o\n>>> referenced by x.cpp\n>>>               /w/x.o:(f())\n\n\
                    ld.lld: error: undefined symbol: f\n>>> referenced by y.o:(g) in archive /w/liby.a\n";
        let one = |relocation: &str, symbol: &str, file: &str, member: &str| Refused {
            relocation: relocation.into(),
            symbol: symbol.into(),
            file: file.into(),
            member: member.into(),
        };
        assert_eq!(
            parse(output),
            [
                one(
                    "R_X86_64_TPOFF32",
                    "_ZN1t4mineE",
                    "/w/libthird.a",
                    "libthird.a(third.o)"
                ),
                one(
                    "R_X86_64_32S",
                    "table",
                    "/w/libother.a",
                    "libother.a(other.o)"
                ),
                one("R_X86_64_32", "a local symbol", "/w/x.o", "x.o"),
            ]
        );
    }

    #[test]
    fn a_relocation_out_of_range_is_something_else() {
        let output = "ld.lld: error: relocation R_X86_64_PC32 out of range: 9 is not in [1, 2]\n\
                    >>> referenced by x.o:(f) in archive /w/libx.a\n";
        assert_eq!(parse(output), []);
    }
}
