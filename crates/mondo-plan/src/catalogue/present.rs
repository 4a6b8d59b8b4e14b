//! The catalogue for an LLVM that no row was compared with: a prefix of the user, which may be a commit between two releases.
//! Rows whose archives, headers or functions the prefix lacks are left out, and the names that it has instead are listed.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::error::{Error, ErrorKind, Result};

use super::model::{Archive, Catalogue, Dialect};
use super::release::{Dated, Entry};
use crate::names;
use crate::spanned::Spanned;

/// The contents of a prefix, as far as a catalogue names them.
#[derive(Debug, Clone, Default)]
pub struct Present {
    /// LLVM's version, and where it is: `LLVM 24.0.0git in /opt/llvm`.
    pub called: String,
    /// LLVM's major version.
    pub major: u32,
    /// Archives without `lib` and `.a`, with the functions that a row may name.
    pub archives: BTreeMap<String, BTreeSet<String>>,
    /// The files below the include folder that a row may name: C API headers, generated ones among them, and ODS files.
    pub files: BTreeSet<String>,
    /// The words in each header of the C API that may be names of its functions.
    pub header_words: BTreeMap<String, BTreeSet<String>>,
}

/// A difference between the catalogue and a prefix.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The kind and the name of a row: ("dialect", "gpu").
    pub row: (&'static str, String),
    /// What the prefix lacks: an archive, a file or a function.
    pub lacks: String,
    /// A name of the same kind that only the prefix has, if one is similar.
    pub similar: Option<String>,
}

impl Difference {
    /// One line for people.
    #[must_use]
    pub fn line(&self) -> String {
        let (kind, name) = &self.row;
        let similar = self.similar.as_ref();
        let similar = similar.map_or_else(String::new, |name| format!(" (it has {name})"));
        format!("{kind} `{name}`: it lacks {}{similar}", self.lacks)
    }
}

/// A catalogue for one prefix.
#[derive(Debug, Clone)]
pub struct Adapted {
    /// The catalogue, without the rows that the prefix cannot have.
    pub catalogue: Catalogue,
    /// The rows that are missing or incomplete, sorted.
    pub missing: Vec<Difference>,
    /// Names that only the prefix has: C API archives and headers, handles of dialects, and functions that register
    /// passes; sorted.
    pub unlisted: Vec<String>,
}

const PASSES: &str = "Passes";
const HANDLE: &str = "mlirGetDialectHandle__";

impl Catalogue {
    /// The catalogue for the LLVM of a prefix. An LLVM after the newest of this catalogue has the rows of the newest.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` where the prefix is older than the newest LLVM and not in the catalogue, or lacks an archive
    /// that every bundle has.
    pub fn for_prefix(&self, present: &Present) -> Result<Adapted> {
        let newest = self.llvm.iter().copied().max().unwrap_or_default();
        let major = present.major;
        if major < newest && !self.llvm.contains(&major) {
            return Err(unsupported(present, &self.llvm));
        }
        if let Some(base) = self
            .base
            .iter()
            .find(|name| !present.archives.contains_key(name.get_ref()))
        {
            return Err(Error::new(
                ErrorKind::Toolchain,
                format!("{} lacks lib{}.a", present.called, base.get_ref()),
            )
            .because("every bundle has this archive of MLIR's C API")
            .help("install LLVM with MLIR, its static archives and its C API"));
        }
        let mut adapted = Adapted {
            unlisted: self.unlisted(present),
            catalogue: self.clone(),
            missing: Vec::new(),
        };
        if !adapted.catalogue.llvm.contains(&major) {
            adapted.catalogue.llvm.push(major);
        }
        adapted.filter(present);
        adapted.missing.sort();
        adapted.missing.dedup();
        let missing = adapted.missing.iter();
        adapted.catalogue.absent = missing
            .map(|difference| (difference.row.1.clone(), difference.lacks.clone()))
            .collect();
        Ok(adapted)
    }

    /// The names that only the prefix has.
    fn unlisted(&self, present: &Present) -> Vec<String> {
        let major = present.major;
        let rows = self.archives.iter().filter(|row| holds(*row, major));
        let archives: BTreeSet<&str> = rows
            .clone()
            .map(|row| row.name.get_ref().as_str())
            .collect();
        let headers: BTreeSet<&str> = rows
            .flat_map(|row| &row.headers)
            .chain(&self.headers_without_functions)
            .map(String::as_str)
            .collect();
        let handles: BTreeSet<&str> = self
            .dialects
            .iter()
            .filter_map(|row| row.handle.as_deref())
            .collect();
        let registered: BTreeSet<&str> = self
            .pass_groups
            .iter()
            .map(|row| row.register.as_str())
            .chain([self.everything.passes.as_str()])
            .collect();
        let of_c_api = present.archives.iter();
        let of_c_api = of_c_api.filter(|(name, _)| name.starts_with("MLIRCAPI"));
        let functions = of_c_api.clone().flat_map(|(_, functions)| functions);
        let functions = functions.filter(|name| {
            let name = name.as_str();
            (name.starts_with(HANDLE) && !handles.contains(name))
                || (name.starts_with("mlirRegister")
                    && name.ends_with(PASSES)
                    && !registered.contains(name))
        });
        let mut unlisted: Vec<String> = of_c_api
            .map(|(name, _)| name)
            .filter(|name| !archives.contains(name.as_str()))
            .map(|name| format!("lib{name}.a"))
            .chain(functions.cloned())
            .chain(
                present
                    .header_words
                    .keys()
                    .filter(|name| !headers.contains(name.as_str()))
                    .cloned(),
            )
            .collect();
        unlisted.sort();
        unlisted
    }
}

fn unsupported(present: &Present, known: &[u32]) -> Error {
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    Error::new(
        ErrorKind::Toolchain,
        format!("mondo does not support {}", present.called),
    )
    .because(format!(
        "mondo supports LLVM {}, and prefixes of newer versions",
        known.join(", ")
    ))
    .help("pass another LLVM with `--llvm-dir`")
}

fn holds<E: Dated>(row: &E, major: u32) -> bool {
    row.versions().contain(major)
}

impl Adapted {
    fn filter(&mut self, present: &Present) {
        let major = present.major;
        let Self {
            catalogue,
            missing,
            unlisted,
        } = self;
        let mut lacks = |kind: &'static str, name: &str, lacks: String| {
            missing.push(Difference {
                row: (kind, name.to_owned()),
                similar: names::nearest(&lacks, unlisted.iter(), 0.94).cloned(),
                lacks,
            });
        };
        let archive = |name: &Spanned<String>| present.archives.contains_key(name.get_ref());
        let anywhere: BTreeSet<&str> = present
            .archives
            .values()
            .flatten()
            .map(String::as_str)
            .collect();
        // Rows of the present version; those of others stay as they are.
        catalogue.archives.retain_mut(|row| {
            if !holds(row, major) {
                return true;
            }
            let name = row.name.get_ref().clone();
            if !archive(&row.name) {
                lacks("archive", &name, format!("lib{name}.a"));
                return false;
            }
            row.headers.retain(|header| {
                let there = present.files.contains(header);
                if !there {
                    lacks("archive", &name, header.clone());
                }
                there
            });
            true
        });
        let defines = |archive: &Spanned<String>, function: &str| {
            let functions = present.archives.get(archive.get_ref());
            functions.is_some_and(|functions| functions.contains(function))
        };
        catalogue.dialects.retain_mut(|row| {
            if !holds(row, major) || row.c_api_since.is_some_and(|since| major < since) {
                return true;
            }
            row.also.retain(archive);
            row.extensions.retain(|extension| {
                let files = extension.ods.iter().chain(&extension.enums);
                let absent = files
                    .into_iter()
                    .find(|file| !present.files.contains(*file));
                let absent = absent.filter(|_| holds(extension, major));
                if let Some(file) = absent {
                    lacks("module", &extension.name, file.clone());
                }
                absent.is_none()
            });
            match dialect_lacks(row, present, &defines) {
                Some(what) => {
                    lacks("dialect", row.name.get_ref(), what);
                    false
                }
                None => true,
            }
        });
        catalogue.dialect_extensions.retain(|row| {
            let there = !holds(row, major) || anywhere.contains(row.register.as_str());
            if !there {
                lacks("dialect extension", &row.register, row.register.clone());
            }
            there
        });
        catalogue.pass_groups.retain(|row| {
            let there = !holds(row, major)
                || row.c_api_since.is_some_and(|since| major < since)
                || defines(&row.archive, &row.register);
            if !there {
                lacks("pass group", row.name.get_ref(), row.register.clone());
            }
            there
        });
        catalogue.pass_parts.retain_mut(|row| {
            if holds(row, major) {
                row.names.retain(|name| {
                    let function = format!("mlirRegister{name}");
                    let there = anywhere.contains(function.as_str());
                    if !there {
                        lacks("pass", name, function);
                    }
                    there
                });
            }
            !row.names.is_empty()
        });
        catalogue.translations.retain(|row| {
            let absent = row.archives.iter().find(|name| !archive(name));
            let absent = absent.map(|name| format!("lib{}.a", name.get_ref()));
            let function = row.register.iter();
            let mut function = function.filter(|name| !anywhere.contains(name.as_str()));
            let absent = absent.or_else(|| function.next().cloned());
            let absent = absent.filter(|_| holds(row, major));
            let there = absent.is_none();
            if let Some(what) = absent {
                lacks("translation", row.name.get_ref(), what);
            }
            there
        });
        catalogue.tool_translations.retain(|row| {
            let there = !holds(row, major) || anywhere.contains(row.register.as_str());
            if !there {
                lacks("translation of tools", &row.register, row.register.clone());
            }
            there
        });
        catalogue.tools.retain(|row| {
            let there = !holds(row, major)
                || !row.sources.is_empty()
                || present.archives.contains_key(&row.archive);
            if !there {
                lacks("tool", row.name.get_ref(), format!("lib{}.a", row.archive));
            }
            there
        });
        catalogue.llvm_targets.retain(|row| {
            let mut functions = row.functions();
            let absent = functions.find(|name| !anywhere.contains(name.as_str()));
            let absent = absent.filter(|_| holds(row, major));
            let there = absent.is_none();
            if let Some(what) = absent {
                lacks("target", row.name.get_ref(), what);
            }
            there
        });
        catalogue
            .callback_archives
            .retain(|name| present.archives.contains_key(name));
        catalogue
            .headers_without_functions
            .retain(|name| present.files.contains(name));
        let placed = place_headers(&mut catalogue.archives, present);
        unlisted.retain(|name| !placed.contains(name));
    }
}

/// What a dialect needs and the prefix lacks.
fn dialect_lacks(
    row: &Dialect,
    present: &Present,
    defines: &dyn Fn(&Spanned<String>, &str) -> bool,
) -> Option<String> {
    if !present.archives.contains_key(row.archive.get_ref()) {
        return Some(format!("lib{}.a", row.archive.get_ref()));
    }
    let handle = row.handle.as_ref();
    if let Some(handle) = handle.filter(|handle| !defines(&row.archive, handle)) {
        return Some(handle.clone());
    }
    let mut files = row.ods.iter().chain(&row.enums);
    files.find(|file| !present.files.contains(*file)).cloned()
}

/// Gives each header that no row has to the archive that defines most of its functions. Without one, its functions are
/// not exported. The result has the headers with an archive.
fn place_headers(archives: &mut [Archive], present: &Present) -> BTreeSet<String> {
    let mut placed = BTreeSet::new();
    let listed: BTreeSet<String> = archives
        .iter()
        .filter(|row| holds(*row, present.major))
        .flat_map(|row| row.headers.iter().cloned())
        .collect();
    for (header, words) in &present.header_words {
        if listed.contains(header) {
            continue;
        }
        let rows = archives.iter_mut().filter(|row| holds(*row, present.major));
        let best = rows
            .filter_map(|row| {
                let defined = present.archives.get(row.name().get_ref())?;
                Some((words.intersection(defined).count(), row))
            })
            .max_by_key(|(count, _)| *count);
        if let Some((1.., row)) = best {
            row.headers.push(header.clone());
            placed.insert(header.clone());
        }
    }
    placed
}
