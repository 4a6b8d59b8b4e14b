//! From lld's complaint about an undefined symbol to what the reader should add: which archive
//! defines it, and which dialect or feature of the catalogue brings that archive.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_core::demangle::demangled;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_plan::catalogue::Catalogue;
use object::{Object, ObjectSymbol};

use super::inputs::{CrateExtension, EXTENSION_FILE, Inputs, Unlinked};
use crate::archive::{self, Archive};
use crate::exports::Exports;

/// Turns lld's messages into an error, if undefined symbols are what it complains about.
pub(super) fn explain(stderr: &str, inputs: Inputs<'_>) -> Result<Option<Error>> {
    let undefined = parse(stderr);
    if undefined.is_empty() {
        return Ok(None);
    }
    let place = inputs.plan.identity.soname.clone();
    if let Some(error) = unmet_glibc(&undefined, inputs, &place) {
        return Ok(Some(error));
    }
    describe(&undefined, inputs, &place).map(Some)
}

/// The error for symbols of a newer glibc than the manifest's minimum.
fn unmet_glibc(
    undefined: &BTreeMap<String, BTreeSet<String>>,
    inputs: Inputs<'_>,
    place: &str,
) -> Option<Error> {
    inputs
        .compiled
        .glibc_stubs
        .as_ref()?
        .unmet(undefined, place)
}

/// Checks the undefined symbols of the extension. It is linked with undefined symbols allowed, because the
/// interpreter defines Python's. All others must come from the mondo library or from a versioned libc.
pub(super) fn check_extension(extension: &Utf8Path, inputs: Inputs<'_>) -> Result<()> {
    let map = file::map(extension)?;
    let file = object::File::parse(&*map).map_err(|error| {
        Error::new(ErrorKind::Link, "cannot read the extension")
            .at(extension)
            .caused_by(error)
    })?;
    let undefined: BTreeMap<String, BTreeSet<String>> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_undefined() && !symbol.is_weak())
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| !inputs.exports.functions.contains(*name))
        .map(|name| {
            (
                name.to_owned(),
                BTreeSet::from(["the extension".to_owned()]),
            )
        })
        .collect();
    if let Some(error) = unmet_glibc(&undefined, inputs, EXTENSION_FILE) {
        return Err(error);
    }
    let undefined: BTreeMap<_, _> = undefined
        .into_iter()
        .filter(|(name, _)| name.starts_with("mlir") || name.starts_with("mondo"))
        .collect();
    if undefined.is_empty() {
        return Ok(());
    }
    Err(describe(&undefined, inputs, EXTENSION_FILE)?)
}

/// Does the same check for the extension of a dialect crate. There any undefined symbol without a version is an error
/// unless Python or the mondo library defines it. A symbol with a version is correct, because the linker took the
/// version from the library that defines the symbol.
pub(super) fn check_crate_extension(
    file: &Utf8Path,
    one: CrateExtension<'_>,
    inputs: Inputs<'_>,
) -> Result<()> {
    let bytes = file::map(file)?;
    let unreadable = |error: mondo_audit::ReadError| {
        Error::new(ErrorKind::Link, "cannot read the extension")
            .at(file)
            .because(error.to_string())
    };
    let facts = mondo_audit::read_image(one.file, &bytes).map_err(unreadable)?;
    let loose = facts
        .imports
        .iter()
        .filter(|import| !import.weak && import.version.is_none())
        .map(|import| import.name);
    let foreign = foreign_symbols(loose, inputs.exports);
    if foreign.is_empty() {
        return Ok(());
    }
    let places = |name: &str| (name.to_owned(), BTreeSet::from([one.module.to_owned()]));
    let undefined: BTreeMap<_, _> = foreign.into_iter().map(places).collect();
    if let Some(error) = unmet_glibc(&undefined, inputs, one.file) {
        return Err(error);
    }
    let variables = undefined
        .keys()
        .all(|name| inputs.exports.variables.contains_key(name));
    let error = describe(&undefined, inputs, one.file)?;
    Err(if variables {
        error
    } else {
        of_extension(error, one.module)
    })
}

/// The undefined symbols that neither Python nor the mondo library defines.
fn foreign_symbols<'a>(
    undefined: impl Iterator<Item = &'a str>,
    exports: &Exports,
) -> Vec<&'a str> {
    let python = |name: &str| name.starts_with("Py") || name.starts_with("_Py");
    undefined
        .filter(|name| !python(name) && !exports.functions.contains(*name))
        .collect()
}

/// The error of an extension that needs what nothing gives it.
fn of_extension(error: Error, module: &str) -> Error {
    error
        .because(format!(
            "the extension `{module}` can use the library's C API, Python's C API and its own \
         archives, but the library hides MLIR's C++ symbols"
        ))
        .help(
            "call C API functions in the extension, and link no archive that uses MLIR's C++ \
         (`extension.archives`, or PRIVATE_LINK_LIBS in a project's CMake)",
        )
}

/// Symbol to the places that refer to it.
pub(crate) fn parse(stderr: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut undefined: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in stderr.lines() {
        if let Some((_, symbol)) = line.split_once("undefined symbol: ") {
            current = Some(symbol.trim());
            undefined.entry(symbol.trim().to_owned()).or_default();
        } else if let Some(reference) = line.strip_prefix(">>>") {
            let Some(symbol) = current else { continue };
            // With debug information the first line names a source file; the object comes either
            // there or in the line after.
            let place = archive_and_member(reference.trim().trim_start_matches("referenced by "));
            if let (Some(places), Some(place)) = (undefined.get_mut(symbol), place) {
                places.insert(place);
            }
        } else {
            current = None;
        }
    }
    undefined
}

/// `x.cpp.o:(f()) in archive /p/libA.a` as `libA.a(x.cpp.o)`.
pub(super) fn archive_and_member(place: &str) -> Option<String> {
    let (object, archive) = place.rsplit_once(" in archive ")?;
    let member = object.split(":(").next()?;
    Some(format!("{}({member})", Utf8Path::new(archive).file_name()?))
}

/// The error for symbols that nothing defines.
fn undefined_error(count: usize) -> Error {
    let symbols = if count == 1 {
        "symbol is"
    } else {
        "symbols are"
    };
    Error::new(ErrorKind::Link, format!("{count} {symbols} undefined"))
}

fn describe(
    undefined: &BTreeMap<String, BTreeSet<String>>,
    inputs: Inputs<'_>,
    place: &str,
) -> Result<Error> {
    let lib = inputs
        .collected
        .whole
        .first()
        .and_then(|archive| archive.path.parent());
    let defining = match lib {
        Some(lib) => definitions_in(lib, &|name| undefined.contains_key(name))?,
        None => BTreeMap::new(),
    };
    let loose: Vec<&str> = undefined
        .keys()
        .filter(|symbol| !defining.contains_key(*symbol))
        .map(String::as_str)
        .collect();
    let unlinked = inputs.unlinked.definitions(&loose)?;
    let mut details = Vec::new();
    let mut remedies = BTreeSet::new();
    for (symbol, places) in undefined {
        let mut line = demangled(symbol);
        if let Some(first) = places.first() {
            line.push_str(&format!(", referenced by {first}"));
        }
        match (defining.get(symbol), unlinked.get(symbol)) {
            (Some((archive, member)), _) => {
                line.push_str(&format!(", defined in lib{archive}.a({member})"));
                remedies.extend(remedy(inputs.catalogue, archive));
            }
            (None, Some(own)) => {
                line.push_str(&format!(", defined at {}", own.place));
                remedies.insert(link_target(own, places.first()));
            }
            (None, None) => match inputs.exports.variables.get(symbol) {
                Some(header) => {
                    line.push_str(&format!(", a variable that {header} declares"));
                    remedies.insert(format!(
                        "the library exports only functions: declare a function that returns \
                         `{symbol}`"
                    ));
                }
                None => line.push_str(", not defined in any archive of this LLVM"),
            },
        }
        details.push(line);
    }
    let error = undefined_error(undefined.len()).at(place).details(details);
    Ok(if remedies.is_empty() {
        error.help(
            "add the archive, the dialect crate or the project's library (`libraries`, \
             `c-api`) that defines them to the manifest",
        )
    } else {
        error.help(remedies.into_iter().collect::<Vec<_>>().join("\n"))
    })
}

/// The next step for a symbol that a target of a project defines: the library that refers to it does not say that it
/// links the target.
fn link_target(own: &Unlinked, reference: Option<&String>) -> String {
    let Unlinked {
        target, project, ..
    } = own;
    let library = reference.and_then(|place| place.strip_prefix("lib")?.split_once(".a("));
    let library = library.map_or("the library that refers to it", |(library, _)| library);
    format!(
        "link `{target}` in the project's CMake, `target_link_libraries({library} PUBLIC {target})`, \
         or add `{target}` to `libraries` of the project `{project}`"
    )
}

/// The entries of a manifest that would bring `archive` into the bundle.
fn remedy(catalogue: &Catalogue, archive: &str) -> Vec<String> {
    let mut words = Vec::new();
    for dialect in &catalogue.dialects {
        if dialect.archive.get_ref() == archive {
            words.push(format!(
                "add {:?} to contents.dialects",
                dialect.name.get_ref()
            ));
        }
    }
    for group in &catalogue.pass_groups {
        if group.archive.get_ref() == archive {
            words.push(format!("add {:?} to contents.passes", group.name.get_ref()));
        }
    }
    for translation in &catalogue.translations {
        if translation
            .archives
            .iter()
            .any(|name| name.get_ref() == archive)
        {
            words.push(format!(
                "add {:?} to contents.translations",
                translation.name.get_ref()
            ));
        }
    }
    if catalogue.execution_engine.get_ref() == archive {
        words.push("set contents.execution-engine = true".into());
    }
    words
}

fn definitions_in(
    lib: &Utf8Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, (String, String)>> {
    let mut archives = Vec::new();
    for entry in lib.read_dir_utf8()? {
        let path = entry?.into_path();
        let name = path
            .file_name()
            .and_then(|name| name.strip_prefix("lib")?.strip_suffix(".a"));
        if let Some(name) = name {
            archives.push(Archive {
                name: name.to_owned(),
                path: path.clone(),
                size: 0,
                members: 0,
            });
        }
    }
    archives.sort_by(|a, b| a.name.cmp(&b.name));
    archive::definitions(&archives, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llds_messages_become_symbols_and_members() {
        let found = parse(
            "ld.lld: error: undefined symbol: _ZN4mlir1fEi\n>>> referenced by A.cpp\n>>>           \
             A.cpp.o:(_Z1gv) in archive /q/libMLIRX.a\n\nld.lld: error: undefined symbol: h\n>>> \
             referenced by B.cpp.o:(k) in archive libMLIRY.a\n",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(
            found["_ZN4mlir1fEi"],
            BTreeSet::from(["libMLIRX.a(A.cpp.o)".to_owned()])
        );
        assert_eq!(
            found["h"],
            BTreeSet::from(["libMLIRY.a(B.cpp.o)".to_owned()])
        );
    }
}
