//! The exports phase: the version script, from the C API headers of what is linked.
//!
//! The headers are read as the C compiler reads them (`-E`), because registration functions are
//! made by macros and by tablegen'd includes. What they declare with default visibility and the
//! archives define is exported; a difference in either direction is reported. In the headers that a
//! dialect crate lists, a declaration without an attribute counts, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::slice;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::source::Source;
use mondo_plan::c_declarations::declarations;
use mondo_plan::dialect_crate::DialectCrate;
use mondo_plan::plan::Plan;
use mondo_toolchain::Toolchain;
use rayon::prelude::*;
use serde::Serialize;

use crate::archive::{self, Archive};
use crate::collect::Collected;
use crate::compile::Compiled;

/// The result of the exports phase.
#[derive(Debug, Clone, Serialize)]
pub struct Exports {
    /// The functions that the library exports, sorted.
    pub functions: BTreeSet<String>,
    /// Declared in a header of the plan, defined nowhere: function to header.
    pub declared_only: BTreeMap<String, String>,
    /// Those of `declared_only` that a dialect crate's own header declares, with header and line.
    pub undefined: BTreeMap<String, String>,
    /// Defined in an archive of the plan, declared in none of its headers: function to archive.
    pub defined_only: BTreeMap<String, String>,
    /// Variables that the headers declare for export, to the header. The library exports functions alone.
    #[serde(skip)]
    pub variables: BTreeMap<String, String>,
    /// Every header that was read, as it is included, to where it is.
    #[serde(skip)]
    pub headers: BTreeMap<String, Utf8PathBuf>,
}

impl Exports {
    /// The linker's version script: every function under `node`, everything else local.
    #[must_use]
    pub fn version_script(&self, node: &str) -> String {
        let mut script = format!("{node} {{\n  global:\n");
        for function in &self.functions {
            // Writing to a String cannot fail.
            let _ = writeln!(script, "    {function};");
        }
        script.push_str("  local: *;\n};\n");
        script
    }
}

/// Reads the headers and archives of `plan` and decides what is exported.
///
/// # Errors
/// `ErrorKind::Exports` where headers and archives disagree.
pub fn exports(
    plan: &Plan,
    toolchain: &Toolchain,
    source: &Source,
    collected: &Collected,
    compiled: &Compiled,
    cxx: &str,
    work: &Utf8Path,
) -> Result<Exports> {
    let mut roots = vec![source.runtime_headers()];
    roots.extend(compiled.crates.iter().flat_map(|one| one.include.clone()));
    roots.push(toolchain.prefix.join("include"));
    let listed = plan.crates.iter().flat_map(DialectCrate::headers);
    let listed = listed.map(|header| header.get_ref().clone());
    let data = compiled.crates.iter().flat_map(|owner| &owner.data);
    let of_crates = OfCrates {
        listed: listed.chain(data.map(|data| data.header.clone())).collect(),
        folders: compiled
            .crates
            .iter()
            .flat_map(|owner| &owner.include)
            .collect(),
    };
    let mut names = vec!["mondo.h".to_owned()];
    names.extend(plan.headers.iter().chain(&of_crates.listed).cloned());
    missing_headers(&names, &roots)?;

    let mut declared = preprocess(&names, &roots, &of_crates, cxx, work)?;
    // A header that gave nothing may share its include guard with one before it, as ArmSME.h and
    // ArmSVE.h of LLVM 22 do: each such header is read again alone.
    let silent = names
        .iter()
        .filter(|name| !declared.functions.values().any(|by| by == *name));
    let silent: Vec<String> = silent.cloned().collect();
    let alone: Result<Vec<Declared>> = silent
        .par_iter()
        .map(|name| preprocess(slice::from_ref(name), &roots, &of_crates, cxx, work))
        .collect();
    for alone in alone? {
        declared.functions.extend(alone.functions);
        declared.headers.extend(alone.headers);
        declared.lines.extend(alone.lines);
        declared.variables.extend(alone.variables);
    }
    let Declared {
        functions,
        variables,
        headers,
        lines,
    } = declared;

    let runtime = Archive {
        name: "mondo_bundle".into(),
        path: compiled.bundle.clone(),
        size: 0,
        members: 0,
    };
    let tools = compiled.tools.as_ref().map(|path| Archive {
        name: "mondo_tools".into(),
        path: path.clone(),
        size: 0,
        members: 0,
    });
    let mondo_archives = [&runtime].into_iter().chain(&tools);
    let defined = archive::definitions(collected.whole.iter().chain(mondo_archives), &|name| {
        is_c_api(name) || functions.contains_key(name)
    })?;

    let declared_only: BTreeMap<String, String> = functions
        .iter()
        // A header that another one includes, but whose archive is not part of the plan, promises
        // nothing for this bundle.
        .filter(|(_, header)| !header.starts_with("mlir-c/") || names.contains(header))
        .filter(|(name, _)| !defined.contains_key(*name))
        .map(|(name, header)| (name.clone(), header.clone()))
        .collect();
    let defined_only = defined
        .iter()
        .filter(|(name, _)| !functions.contains_key(*name))
        // The runtime's own C++ and Rust call each other by C names that are nobody else's business.
        .filter(|(_, (archive, _))| *archive != runtime.name)
        .map(|(name, (archive, _))| (name.clone(), archive.clone()))
        .collect();
    silent_headers(plan, &functions, &headers, &defined)?;
    let undefined = declared_only
        .iter()
        .filter_map(|(name, header)| Some((name, headers.get(header)?, lines.get(name)?)))
        .map(|(name, path, line)| (name.clone(), format!("{path}:{line}")))
        .collect();
    // The header of a dialect may include another header that the plan excludes, such as that of the dialect's
    // passes.
    let unasked: BTreeSet<String> = functions
        .iter()
        .filter(|(_, header)| plan.excluded_headers.binary_search(header).is_ok())
        .map(|(name, _)| name.clone())
        .collect();
    let functions: BTreeSet<String> = functions
        .into_keys()
        .filter(|name| defined.contains_key(name))
        .filter(|name| !unasked.contains(name))
        .filter(|name| plan.excluded_functions.binary_search(name).is_err())
        .collect();
    if functions.is_empty() {
        return Err(
            Error::new(ErrorKind::Exports, "the library would export nothing").because(
                "the archives define none of the functions that the C API headers declare",
            ),
        );
    }
    Ok(Exports {
        functions,
        declared_only,
        undefined,
        defined_only,
        variables,
        headers,
    })
}

/// The declarations of the headers, compiled in one unit.
fn preprocess(
    names: &[String],
    roots: &[Utf8PathBuf],
    of_crates: &OfCrates<'_>,
    cxx: &str,
    work: &Utf8Path,
) -> Result<Declared> {
    let text: String = names
        .iter()
        .map(|name| format!("#include \"{name}\"\n"))
        .collect();
    let unit = work.join(format!("c-api-{}.c", digest::short(&text)));
    fs_err::write(&unit, text)?;
    let preprocessed = Tool::new(cxx, "read the C API headers")
        .fails_as(ErrorKind::Exports)
        .installed_by("apt-get install g++")
        .args(["-E", "-x", "c", "-std=c11"])
        .args(roots.iter().map(|root| format!("-I{root}")))
        .arg(&unit)
        .output()?
        .stdout;
    Ok(declared(&preprocessed, roots, of_crates))
}

/// Refuses a header that a dialect crate lists if no function that it declares is defined: it would export nothing.
fn silent_headers(
    plan: &Plan,
    functions: &BTreeMap<String, String>,
    headers: &BTreeMap<String, Utf8PathBuf>,
    defined: &BTreeMap<String, (String, String)>,
) -> Result<()> {
    for one in &plan.crates {
        for header in one.headers() {
            let name = header.get_ref();
            let generated = headers.get(name).map(|path| generated_parts(path));
            let generated = generated.transpose()?.unwrap_or_default();
            let of_crate = functions
                .iter()
                .filter(|(_, by)| *by == name || generated.contains(*by));
            let declared: Vec<&String> = of_crate.map(|(function, _)| function).collect();
            if declared
                .iter()
                .any(|function| defined.contains_key(*function))
            {
                continue;
            }
            let error = one.error(
                ErrorKind::Exports,
                header.span(),
                format!(
                    "the dialect crate `{}`: its header `{name}` exports nothing",
                    one.name.get_ref()
                ),
            );
            return Err(if declared.is_empty() {
                error
                    .because("it declares no C function")
                    .help("remove it from `headers`; headers that it includes ship anyway")
            } else {
                error
                    .because("no function that it declares is defined")
                    .details(declared)
                    .help("add the sources or archives that define them as `extern \"C\"`")
            });
        }
    }
    Ok(())
}

/// The generated files that a header includes, which declare functions in its place.
fn generated_parts(header: &Utf8Path) -> Result<BTreeSet<String>> {
    let text = fs_err::read_to_string(header)?;
    let included = text.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("#include \"")?;
        name.strip_suffix("\"")
            .filter(|name| name.ends_with(".inc"))
    });
    Ok(included.map(str::to_owned).collect())
}

fn missing_headers(names: &[String], roots: &[Utf8PathBuf]) -> Result<()> {
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !roots.iter().any(|root| root.join(name).is_file()))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Exports, "C API headers of the plan are missing")
            .details(missing)
            .because(format!(
                "searched {}",
                roots
                    .iter()
                    .map(|root| root.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            ))
            .help("install the MLIR development package of this version"),
    )
}

/// The headers of dialect crates. Their authors wrote them as the crate's C API.
#[derive(Default)]
struct OfCrates<'a> {
    /// Those that they list, as they are included.
    listed: BTreeSet<String>,
    /// Their include folders, with those of generated files.
    folders: Vec<&'a Utf8PathBuf>,
}

impl OfCrates<'_> {
    /// True if whatever the header exports counts, by any name.
    fn owns(&self, path: &Utf8Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// True if a declaration counts without an attribute: in a listed header, and in what was generated
    /// for it.
    fn lists(&self, name: &str, path: &Utf8Path) -> bool {
        self.listed.contains(name) || (name.ends_with(".inc") && self.owns(path))
    }
}

struct Declared {
    /// Function to the header that declares it, as it is included.
    functions: BTreeMap<String, String>,
    /// Variable to the header that declares it.
    variables: BTreeMap<String, String>,
    headers: BTreeMap<String, Utf8PathBuf>,
    /// Function of a dialect crate to the line of its declaration.
    lines: BTreeMap<String, usize>,
}

/// True for a function of MLIR's or mondo's C API. The headers of translations also include LLVM's own C API, which
/// the library does not export.
fn is_c_api(name: &str) -> bool {
    // The shim's own functions for MLIR's objects have names with underscores.
    let ours = name.strip_prefix("mondo");
    name.starts_with("mlir") || ours.is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

const EXPORTED: &str = "__attribute__((visibility(\"default\")))";

/// Finds the exported declarations in preprocessed C.
fn declared(preprocessed: &str, roots: &[Utf8PathBuf], of_crates: &OfCrates<'_>) -> Declared {
    let mut found = Declared {
        functions: BTreeMap::new(),
        variables: BTreeMap::new(),
        headers: BTreeMap::new(),
        lines: BTreeMap::new(),
    };
    // The lines of the headers in which every declaration counts.
    let mut plain: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
    let mut header: Option<(String, Utf8PathBuf)> = None;
    let mut number = 0;
    let mut pending: Option<String> = None;
    for line in preprocessed.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            number = line_of(marker);
            header = header_of(marker, roots);
            if let Some((name, path)) = &header {
                found.headers.insert(name.clone(), path.clone());
            }
            continue;
        }
        if let Some((name, path)) = &header
            && of_crates.lists(name, path)
        {
            plain.entry(name.clone()).or_default().push((number, line));
        }
        number += 1;
        let mut rest = line;
        // A declaration ends at its semicolon; the registration macros put several on one line.
        loop {
            if let Some(text) = &mut pending {
                let end = rest.find([';', '{']);
                text.push_str(&rest[..end.unwrap_or(rest.len())]);
                text.push(' ');
                let Some(end) = end else { break };
                if let (Some(name), Some((header, _))) = (variable_name(text), &header) {
                    found.variables.insert(name.to_owned(), header.clone());
                }
                if let (Some(name), Some((header, path))) = (function_name(text), &header)
                    && (is_c_api(name) || of_crates.owns(path))
                {
                    found
                        .functions
                        .entry(name.to_owned())
                        .or_insert_with(|| header.clone());
                }
                pending = None;
                rest = &rest[end + 1..];
            } else {
                let Some(start) = rest.find(EXPORTED) else {
                    break;
                };
                rest = &rest[start + EXPORTED.len()..];
                pending = Some(String::new());
            }
        }
    }
    for (header, lines) in plain {
        for function in declarations(lines) {
            if function.arguments.is_some() {
                continue;
            }
            let name = function.name;
            found.lines.entry(name.clone()).or_insert(function.line);
            found
                .functions
                .entry(name)
                .or_insert_with(|| header.clone());
        }
    }
    found
}

/// The number of the line after a line marker.
fn line_of(marker: &str) -> usize {
    let number = marker.split(' ').next().unwrap_or_default();
    number.parse().unwrap_or_default()
}

/// The file of a line marker (`12 "/usr/include/x.h" 1 3`) if it is under one of the roots.
fn header_of(marker: &str, roots: &[Utf8PathBuf]) -> Option<(String, Utf8PathBuf)> {
    let file = Utf8Path::new(marker.split('"').nth(1)?);
    let name = roots.iter().find_map(|root| file.strip_prefix(root).ok())?;
    Some((name.to_string(), file.to_owned()))
}

/// The identifier before the parameter list of a declaration without its semicolon.
fn function_name(declaration: &str) -> Option<&str> {
    let before = declaration[..declaration.find('(')?].trim_end();
    let start = before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .map_or(0, |position| position + 1);
    Some(&before[start..]).filter(|name| !name.is_empty())
}

/// The identifier of `extern const char *const name[2]`.
fn variable_name(declaration: &str) -> Option<&str> {
    if !declaration.trim_start().starts_with("extern ") || declaration.contains('(') {
        return None;
    }
    let name = declaration.split('[').next()?.trim_end();
    name.rsplit([' ', '*'])
        .next()
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_over_lines_and_several_on_one() {
        let text = format!(
            "# 1 \"/p/include/mlir-c/IR.h\" 1\n{EXPORTED} MlirStringRef\nmlirA(MlirStringRef (*f)(int),\n \
             void *x);\n# 9 \"/usr/include/stdio.h\"\n{EXPORTED} int other(void);\n# 3 \
             \"/p/include/mlir-c/IR.h\" 2\n{EXPORTED} int LLVMX(void);{EXPORTED} void mlirB(void); {EXPORTED} int mlirC(int);\nstatic \
             inline int mlirD(void) {{ return 0; }}\n"
        );
        let found = declared(&text, &["/p/include".into()], &OfCrates::default());
        let names: Vec<_> = found.functions.keys().map(String::as_str).collect();
        assert_eq!(names, ["mlirA", "mlirB", "mlirC"]);
        assert_eq!(found.functions["mlirA"], "mlir-c/IR.h");
        assert_eq!(found.headers.len(), 1);
    }

    #[test]
    fn variables_are_known_and_are_no_functions() {
        let text = format!(
            "# 1 \"/p/include/toy-c/Toy.h\" 1\n{EXPORTED} extern const char *const toyName;\n{EXPORTED} extern \
             int toySizes[2];\n{EXPORTED} extern void toyA(void);\n"
        );
        let folders: Vec<Utf8PathBuf> = vec!["/p/include".into()];
        let of_crates = OfCrates {
            listed: ["toy-c/Toy.h".to_owned()].into(),
            folders: folders.iter().collect(),
        };
        let found = declared(&text, &folders, &of_crates);
        assert_eq!(found.functions.keys().collect::<Vec<_>>(), ["toyA"]);
        assert_eq!(
            found.variables.keys().collect::<Vec<_>>(),
            ["toyName", "toySizes"]
        );
    }

    #[test]
    fn plain_declarations_count_in_the_headers_that_crates_list() {
        let text = format!(
            "# 1 \"/p/include/toy-c/Toy.h\" 1\n\n{EXPORTED} void toyA(void);\n# 1 \
             \"/p/include/toy-c/Types.h\" 1\nvoid toyHidden(void);\n{EXPORTED} int toyT(void);\n# 1 \
             \"/p/gen/toy-c/Passes.inc\" 1\nvoid toyPass(void);\n# 9 \"/p/include/toy-c/Toy.h\" 2\nextern \
             \"C\" {{\nstatic inline int toyNo(void) {{ return 0; }}\nint\ntoyB(int x);\n}}\n# 1 \
             \"/usr/include/stdlib.h\"\nvoid abort(void);\n"
        );
        let folders: Vec<Utf8PathBuf> = vec!["/p/include".into(), "/p/gen".into()];
        let of_crates = OfCrates {
            listed: ["toy-c/Toy.h".to_owned()].into(),
            folders: folders.iter().collect(),
        };
        let found = declared(&text, &folders, &of_crates);
        let names: Vec<_> = found.functions.keys().map(String::as_str).collect();
        assert_eq!(names, ["toyA", "toyB", "toyPass", "toyT"]);
        assert_eq!(found.lines["toyB"], 11);
        assert_eq!(found.lines["toyA"], 2);
    }

    #[test]
    fn the_version_script_hides_everything_else() {
        let exports = Exports {
            functions: ["mlirB".to_owned(), "mlirA".to_owned()].into(),
            declared_only: BTreeMap::new(),
            undefined: BTreeMap::new(),
            defined_only: BTreeMap::new(),
            variables: BTreeMap::new(),
            headers: BTreeMap::new(),
        };
        assert_eq!(
            exports.version_script("ACME_MLIR_22"),
            "ACME_MLIR_22 {\n  global:\n    mlirA;\n    mlirB;\n  local: *;\n};\n"
        );
    }
}
