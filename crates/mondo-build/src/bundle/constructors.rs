//! The check of static initialisers (global constructors) and of passes: the library of a bundle with projects is
//! loaded once before it ships, and registers its passes.
//!
//! If two projects register the same name in a process-wide table of LLVM, such as a command line option, the process
//! fails only when the library is loaded. The linker cannot find it, because these are two different variables.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file;
use mondo_link::collect::Collected;
use mondo_link::compile::CompiledCrate;
use mondo_link::extension;
use object::read::archive::ArchiveFile;

/// A Python program that loads the library which its first argument names, says so, and registers its passes.
const PROGRAM: &str = "import ctypes, sys; library = ctypes.CDLL(sys.argv[1]); \
                       print('loaded', flush=True); library.mondoRegisterBundlePasses()";

/// The variable that lets the library report each pass whose name another one has (mondo-runtime's `pass_names.cpp`),
/// and the beginning of such a line.
const REPORT_PASSES: &str = "MONDO_REPORT_PASS_NAMES";
const OF_PASS: &str = "mondo: the pass ";

/// The owner of an option that no project defines.
const LLVM: &str = "LLVM";

/// Loads the library in a separate process. Returns a sentence for each pass that is not registered since another one
/// has its name.
///
/// # Errors
/// `ErrorKind::Audit` where it cannot be loaded, with the projects whose constructors clash, or cannot register its
/// passes.
pub(super) fn check(
    library: &Utf8Path,
    crates: &[CompiledCrate],
    collected: &Collected,
) -> Result<Vec<String>> {
    let tool = Tool::new(extension::program(), "load the library").fails_as(ErrorKind::Audit);
    let tool = tool.args(["-c", PROGRAM, library.as_str()]);
    let tool = tool.env(REPORT_PASSES, "1");
    let output = tool.output_unchecked()?;
    if output.status.success() {
        let lines = output.stderr.lines();
        let lines = lines.filter_map(|line| Some(line.strip_prefix(OF_PASS)?.trim_end()));
        return Ok(lines.map(|name| format!("the pass {name}")).collect());
    }
    if output.stdout.contains("loaded") {
        let what = "the library cannot register its passes";
        let help = "it ends the process that creates the first pass pipeline: check the functions in \
             `passes`";
        return Err(Error::new(ErrorKind::Audit, what)
            .at(library)
            .because(tool.said(&output))
            .help(help));
    }
    let names = repeated(&output.stderr);
    if names.is_empty() {
        return Err(Error::new(ErrorKind::Audit, "the library cannot be loaded")
            .at(library)
            .because(format!(
                "the process that loaded it ended with {}\n{}",
                output.status,
                tool.said(&output)
            ))
            .details(with_constructors(crates)?)
            .help(
                "loading runs its global constructors: look for one that ends the process, \
                 first in these parts of the projects",
            ));
    }
    let mut details = Vec::new();
    for name in &names {
        let mut found = Vec::new();
        for one in crates {
            for archive in one.archives() {
                found.extend(
                    members(Some(name), archive)?
                        .into_iter()
                        .map(|member| (one.name.as_str(), member)),
                );
            }
        }
        // The link takes a copy of an archive whose functions are made visible, under the same name.
        let theirs = |path: &Utf8PathBuf| {
            let mut all = crates.iter().flat_map(CompiledCrate::archives);
            all.any(|own| own.file_name() == path.file_name())
        };
        let archives = collected.whole.iter().chain(&collected.by_need);
        for archive in archives
            .map(|archive| &archive.path)
            .filter(|archive| !theirs(archive))
        {
            let all = members(Some(name), archive)?.into_iter();
            found.extend(all.map(|member| (LLVM, member)));
        }
        found.sort();
        found.dedup();
        let places = found.iter().map(|(owner, place)| match *owner {
            LLVM => format!("{place} of LLVM"),
            owner => format!("{place} of `{owner}`"),
        });
        let places: Vec<String> = places.collect();
        details.push(format!("`-{name}`: {}", places.join(" and ")));
    }
    let count = names.len();
    let what = if count == 1 {
        "a command-line option is registered twice".to_owned()
    } else {
        format!("{count} command-line options are registered twice")
    };
    Err(Error::new(ErrorKind::Audit, what)
        .at(library)
        .because(
            "LLVM keeps one table of options per process, which global constructors fill, and \
             ends the process if two options have the same name",
        )
        .details(details)
        .help("rename the `cl::opt` in one of the projects, or remove one of the projects"))
}

/// The names of options that LLVM reports as registered twice, sorted.
fn repeated(said: &str) -> Vec<String> {
    let mut names: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once("CommandLine Error: Option '")?;
            let (name, _) = rest.split_once("' registered more than once")?;
            Some(name.to_owned())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The objects of the projects that have global constructors, for an error.
fn with_constructors(crates: &[CompiledCrate]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for one in crates {
        for archive in one.archives() {
            let all = members(None, archive)?.into_iter();
            found.extend(all.map(|member| format!("{member} of `{}`", one.name)));
        }
    }
    Ok(found)
}

/// The members of an archive that have global constructors: `libToy.a(Toy.cpp.o)`. With `name`, those that have this
/// text, too.
fn members(name: Option<&str>, archive: &Utf8Path) -> Result<Vec<String>> {
    let data = file::map(archive)?;
    let mut found = Vec::new();
    let Ok(parsed) = ArchiveFile::parse(&*data) else {
        return Ok(found);
    };
    for member in parsed.members().flatten() {
        let Ok(bytes) = member.data(&*data) else {
            continue;
        };
        if name.is_none_or(|name| has_text(bytes, name)) && has(bytes, b".init_array") {
            let file = archive.file_name().unwrap_or_default();
            found.push(format!(
                "{file}({})",
                String::from_utf8_lossy(member.name())
            ));
        }
    }
    Ok(found)
}

/// True if the bytes contain the text as a complete NUL-terminated string, and not as the end of a longer one.
fn has_text(bytes: &[u8], text: &str) -> bool {
    let wanted = [text.as_bytes(), b"\0"].concat();
    let letter = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    let mut windows = bytes.windows(wanted.len()).enumerate();
    windows.any(|(at, window)| window == wanted && (at == 0 || !letter(bytes[at - 1])))
}

fn has(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_read_from_what_llvm_says() {
        let output = ": CommandLine Error: Option 'toy-limit' registered more than once!\n\
                    LLVM ERROR: inconsistency in registered CommandLine options\n";
        assert_eq!(repeated(output), ["toy-limit"]);
        assert!(repeated("Segmentation fault").is_empty());
    }

    #[test]
    fn a_text_is_a_whole_string() {
        assert!(has_text(b"\x7fELF\0limit\0", "limit"));
        assert!(!has_text(b"\0toy-limit\0", "limit"));
        assert!(!has_text(b"\0limits\0", "limit"));
    }
}
