//! The size of each dialect: the bytes of its archives in the linked library.
//!
//! The link map lists sizes by archive. The dialect of an archive follows from MLIR's naming convention:
//! `MLIRFuncDialect`, `MLIRFuncTransforms` and `MLIRCAPIFunc` belong to the dialect whose C API archive is
//! `MLIRCAPIFunc`. An archive between two dialects (`MLIRSCFToControlFlow`), and code that dialects share, belong to
//! none.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_link::link::map::{SizeMap, Sized};
use mondo_plan::dialect_crate::Code;
use mondo_plan::plan::{Plan, PlannedTool};

/// Bytes by dialect, largest first. The dialects of one crate are summed. Dialects in Rust are not listed, because
/// they are part of the bundle's one staticlib and cannot be separated.
#[must_use]
pub fn by_dialect(plan: &Plan, sizes: &SizeMap) -> Vec<Sized> {
    let owners = owners(plan, sizes);
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    for archive in &sizes.archives {
        if let Some(owner) = owners.get(&archive.name) {
            *bytes.entry(owner).or_default() += archive.bytes;
        }
    }
    let mut list: Vec<Sized> = bytes
        .into_iter()
        .map(|(name, bytes)| Sized {
            name: name.to_owned(),
            bytes,
        })
        .collect();
    list.sort_by_key(|one| std::cmp::Reverse(one.bytes));
    list
}

/// The archive with the C++ of tools that is compiled for the bundle.
const COMPILED_TOOLS: &str = "libmondo_tools.a";

/// Bytes of the archive of each of MLIR's tools, in the order of `tools`; tools that are compiled from LLVM's sources are summed.
/// Other code of MLIR that a tool needs may be shared with other tools, so it counts for none.
#[must_use]
pub fn by_tool(tools: &[PlannedTool], sizes: &SizeMap) -> Vec<Sized> {
    let bytes_of = |file: &str| {
        let archives = sizes.archives.iter().filter(|archive| archive.name == file);
        archives.map(|archive| archive.bytes).sum()
    };
    let of_mlir = tools.iter().filter(|tool| tool.main.is_none());
    let (installed, compiled): (Vec<_>, Vec<_>) = of_mlir.partition(|tool| tool.sources.is_empty());
    let sized = |name: String, file: &str| Sized {
        name,
        bytes: bytes_of(file),
    };
    let mut found: Vec<Sized> = installed
        .iter()
        .map(|tool| sized(tool.name.clone(), &format!("lib{}.a", tool.archive)))
        .collect();
    if !compiled.is_empty() {
        let names: Vec<&str> = compiled.iter().map(|tool| tool.name.as_str()).collect();
        found.push(sized(names.join(" "), COMPILED_TOOLS));
    }
    found
}

/// The archives that belong to dialects, each with the names of its dialects.
#[must_use]
pub fn owners(plan: &Plan, sizes: &SizeMap) -> BTreeMap<String, String> {
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for one in &plan.crates {
        let dialects: Vec<&str> = one
            .dialects
            .iter()
            .map(|dialect| dialect.name.get_ref().as_str())
            .collect();
        let name = dialects.join(" ");
        match &one.code {
            Code::Cpp(_) => {
                owners.insert(format!("lib{}.a", one.name.get_ref()), name);
            }
            Code::Prebuilt(prebuilt) => {
                let archives = prebuilt.whole.iter().chain(&prebuilt.by_need);
                let files = archives.filter_map(|path| path.file_name());
                owners.extend(files.map(|file| (file.to_owned(), name.clone())));
            }
            Code::Rust(_) => {}
        }
    }
    let stems: BTreeMap<&str, &str> = plan
        .dialects
        .iter()
        .filter_map(|dialect| {
            let stem = dialect.archive.as_deref()?.strip_prefix("MLIRCAPI")?;
            Some((stem, dialect.name.as_str()))
        })
        // The archive of MLIR's core, which is also that of `builtin`.
        .filter(|(stem, _)| *stem != "IR")
        .collect();
    let archives = sizes.archives.iter();
    let owned = archives.filter_map(|archive| {
        let owner = owners
            .get(&archive.name)
            .map(String::as_str)
            .or_else(|| owner(&archive.name, &stems))?;
        Some((archive.name.clone(), owner.to_owned()))
    });
    owned.collect()
}

/// The dialect whose stem is the longest one that the archive's name begins with. The stem must end at a word
/// boundary.
fn owner<'a>(archive: &str, stems: &BTreeMap<&str, &'a str>) -> Option<&'a str> {
    let name = Utf8Path::new(archive)
        .file_stem()?
        .strip_prefix("libMLIR")?;
    let name = name.strip_prefix("CAPI").unwrap_or(name);
    if is_conversion(name) {
        return None;
    }
    let ends_a_word = |stem: &str| {
        let rest = name.strip_prefix(stem)?;
        rest.chars()
            .next()
            .is_none_or(char::is_uppercase)
            .then_some(())
    };
    let fitting = stems.iter().filter(|(stem, _)| ends_a_word(stem).is_some());
    fitting
        .max_by_key(|(stem, _)| stem.len())
        .map(|(_, dialect)| *dialect)
}

fn is_conversion(name: &str) -> bool {
    name.match_indices("To").any(|(at, _)| {
        let after = name[at + 2..].chars().next();
        at > 0 && after.is_some_and(char::is_uppercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_the_bytes_of_their_archives() {
        let tool = |name: &str, archive: &str, sources: &[&str]| PlannedTool {
            name: name.to_owned(),
            command: format!("mlir-{name}"),
            archive: archive.to_owned(),
            sources: sources.iter().map(|source| (*source).to_owned()).collect(),
            main: None,
        };
        let archive = |name: &str, bytes: u64| Sized {
            name: name.to_owned(),
            bytes,
        };
        let sizes = SizeMap {
            archives: vec![
                archive("libLLVMScalarOpts.a", 7),
                archive("libMLIRReduceLib.a", 3),
                archive("libMLIROptLib.a", 5),
                archive("libmondo_tools.a", 9),
            ],
            ..SizeMap::default()
        };
        let mut tools = vec![
            tool("opt", "MLIROptLib", &[]),
            tool("reduce", "MLIRReduceLib", &[]),
        ];
        let installed = [archive("opt", 5), archive("reduce", 3)];
        assert_eq!(by_tool(&tools, &sizes), installed);
        tools.insert(1, tool("a-server", "ALib", &["lib/a"]));
        tools.push(tool("b-server", "BLib", &["lib/b"]));
        tools.push(PlannedTool {
            main: Some("toyMain".to_owned()),
            ..tool("toy-opt", "", &[])
        });
        let both = archive("a-server b-server", 9);
        assert_eq!(by_tool(&tools, &sizes), [&installed[..], &[both]].concat());
    }

    #[test]
    fn archives_are_told_by_whole_words() {
        let stems = BTreeMap::from([
            ("Func", "func"),
            ("PDL", "pdl"),
            ("PDLInterp", "pdl_interp"),
        ]);
        for (archive, expected) in [
            ("libMLIRFuncDialect.a", Some("func")),
            ("libMLIRCAPIFunc.a", Some("func")),
            ("libMLIRFuncToSPIRV.a", None),
            ("libMLIRFunctionInterfaces.a", None),
            ("libMLIRPDLInterpDialect.a", Some("pdl_interp")),
            ("libMLIRPDLDialect.a", Some("pdl")),
            ("libLLVMCore.a", None),
        ] {
            assert_eq!(owner(archive, &stems), expected, "{archive}");
        }
    }
}
