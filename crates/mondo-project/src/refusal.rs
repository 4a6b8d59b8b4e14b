//! The errors of `CMake`, with file and line, their cause and the next step.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind};
use mondo_plan::manifest::Project;

use crate::not_found::not_found;

/// The output of a `CMake` that could not configure a project, and the error made of it.
pub(crate) struct Refusal {
    pub(crate) said: String,
    pub(crate) error: Error,
}

/// The first error that `CMake` reported, at its place.
pub(crate) fn refused(project: &Project, said: &str, log: &Utf8Path) -> Error {
    let name = project.name.get_ref();
    let own = |place: &str| {
        let place = Utf8Path::new(place);
        // What `CMake` generates is in the build tree, which may be below the project's folder.
        let generated = log.parent().is_some_and(|tree| place.starts_with(tree));
        let of_project = place.starts_with(&project.folder);
        (of_project && !generated) || (place.is_relative() && !project.unified)
    };
    let (place, message) =
        first_error(said, own).unwrap_or_else(|| (String::new(), said.to_owned()));
    let place = if place.is_empty() {
        project.folder.join("CMakeLists.txt").into_string()
    } else if Utf8Path::new(&place).is_absolute() || project.unified {
        place
    } else {
        project.folder.join(&place).into_string()
    };
    let folded = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = format!("the full output of CMake is in {log}");
    let failed = format!("CMake cannot configure the project `{name}`");
    let (kind, what, help) = if wants_another_llvm(&folded) {
        (
            ErrorKind::Toolchain,
            format!("the project `{name}` requires another version of LLVM or MLIR"),
            "change the version in its `find_package`, or `llvm.version` in the manifest"
                .to_owned(),
        )
    } else if let Some(source) = download(said) {
        (
            ErrorKind::Compile,
            format!("{failed}, which downloads `{source}`"),
            format!(
                "set its folder, or an archive with its digest, in its `[[project]]`: `sources = {{ {source} = \
                 \"folder\" }}` (for FetchContent alone, FETCHCONTENT_SOURCE_DIR_{} in `define` does the same); {all}",
                source.to_uppercase()
            ),
        )
    } else if let Some(absent) = not_found(&folded) {
        (
            ErrorKind::Compile,
            format!("{failed}, which needs {}", absent.what),
            format!("{}; {all}", absent.help),
        )
    } else if folded.contains("could not find requested file: AddMLIR")
        || folded.contains("could not find requested file: AddLLVM")
        || folded.contains("could not find requested file: TableGen")
        || folded.contains("Unknown CMake command \"add_mlir")
        || folded.contains("Unknown CMake command \"mlir_tablegen")
    {
        (
            ErrorKind::Compile,
            failed,
            "it uses MLIR's functions without `find_package(MLIR REQUIRED CONFIG)`; if it expects \
             to be part of LLVM's own build, set `unified = true` in its `[[project]]`"
                .to_owned(),
        )
    } else if !project.unified && wants_llvms_build(&folded) {
        (
            ErrorKind::Compile,
            failed,
            format!(
                "if it expects to be part of LLVM's own build, set `unified = true` in its `[[project]]`; {all}"
            ),
        )
    } else {
        (ErrorKind::Compile, failed, all)
    };
    Error::new(kind, what)
        .at(place)
        .because(message.trim().to_owned())
        .help(help)
}

/// The next step where a package that was not found is another project of the manifest.
pub(crate) fn missing_need(project: &Project, all: &[Project], said: &str) -> Option<String> {
    let folded = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = folded.split_once("package configuration file provided by \"")?;
    let package = plain(rest.split('"').next()?);
    let mut others = all.iter().map(|project| project.name.get_ref());
    let other = others.find(|name| plain(name) == package && !project.needs.contains(name))?;
    Some(format!(
        "`{other}` is a project of this manifest: `needs = [\"{other}\"]` in the `[[project]]` of `{}` builds it \
         first, and lets CMake find its package",
        project.name.get_ref()
    ))
}

/// A name reduced to its letters and digits, in lower case, so that a project and the package of `find_package`
/// compare equal.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_lowercase()
}

/// True for the message about a version of LLVM or of one of its packages that the bundle does not have.
fn wants_another_llvm(message: &str) -> bool {
    let Some((_, rest)) = message.split_once("Could not find a configuration file for package ")
    else {
        return false;
    };
    ["\"LLVM\"", "\"MLIR\"", "\"Clang\"", "\"LLD\"", "\"Flang\""]
        .iter()
        .any(|name| rest.starts_with(name))
}

/// True for the message of a project that refuses to be the top of a build.
fn wants_llvms_build(message: &str) -> bool {
    let small = message.to_lowercase();
    ["llvm_external_", "unified build", "llvm_enable_projects"]
        .iter()
        .any(|word| small.contains(word))
}

/// The name of the source that could not be downloaded, in the messages of `FetchContent` and of mondo's
/// `ExternalProject_Add`.
fn download(said: &str) -> Option<String> {
    // CMake breaks lines anywhere.
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let forms = [
        ("Build step for ", " failed"),
        ("CMake step for ", " failed"),
        (
            "ExternalProject_Add(",
            ") downloads, and the build is offline",
        ),
        (
            "source directory for dependency ",
            " to already be populated",
        ),
    ];
    forms.iter().find_map(|(start, end)| {
        let (_, rest) = said.split_once(start)?;
        let (name, _) = rest.split_once(end)?;
        (!name.contains(' ')).then(|| name.to_owned())
    })
}

/// The place and the text of the first `CMake Error` that has a line of the project, else of the first.
fn first_error(said: &str, own: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let starts = said.match_indices("CMake Error").map(|(at, _)| at);
    let mut errors = starts.filter_map(|at| error_at(&said[at..], &own));
    let first = errors.next()?;
    if own(&first.0) || first.0.is_empty() {
        return Some(first);
    }
    Some(
        match errors.find(|(place, _)| own(place) && !place.is_empty()) {
            Some((place, text)) => (place, format!("{text}\n{}", first.1)),
            None => first,
        },
    )
}

/// The place and the text of the `CMake Error` that `said` begins with. CMake indents the text of an error that has a place, and the
/// lines after it are the project's output. If the place is in a module outside of the project, the returned place is
/// the project's line that called the module.
fn error_at(said: &str, own: &impl Fn(&str) -> bool) -> Option<(String, String)> {
    let rest = said.strip_prefix("CMake Error")?;
    let (head, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let Some(place) = head.strip_prefix(" at ") else {
        let end = ["\nCMake Error", "\n-- ", "\nCMake Warning"];
        let end = end.iter().filter_map(|heading| body.find(heading)).min();
        let body = &body[..end.unwrap_or(body.len())];
        let head = head.trim_start_matches(':').trim();
        return Some((String::new(), format!("{head}\n{body}")));
    };
    let mut lines = body.lines().peekable();
    let mut text = Vec::new();
    while let Some(line) = lines.next_if(|line| line.is_empty() || line.starts_with(' ')) {
        text.push(line);
    }
    let has_callers = lines
        .next_if(|line| line.starts_with("Call Stack"))
        .is_some();
    let callers = lines.map_while(|line| line.strip_prefix("  ").filter(|_| has_callers));
    let mut places = [place].into_iter().chain(callers).map(|place| {
        place
            .split(" (")
            .next()
            .unwrap_or(place)
            .trim_end_matches(':')
    });
    let first = places.clone().next().unwrap_or_default();
    let place = places.find(|place| own(place)).unwrap_or(first);
    Some((place.to_owned(), text.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_has_its_place() {
        let own = |place: &str| !place.starts_with("/llvm");
        let said = "-- ok\nCMake Error at lib/CMakeLists.txt:7 (add_toy):\n  Unknown CMake command \
                    \"add_toy\".\nCall Stack (most recent call first):\n  CMakeLists.txt:3\n\
                    CMake Error: other\n";
        let (place, message) = first_error(said, own).unwrap();
        assert_eq!(place, "lib/CMakeLists.txt:7");
        assert_eq!(message.trim(), "Unknown CMake command \"add_toy\".");
        let (place, message) = first_error("CMake Error: no such generator\n", own).unwrap();
        assert_eq!((place.as_str(), message.trim()), ("", "no such generator"));
    }

    #[test]
    fn an_error_in_a_module_of_llvm_is_at_the_line_that_called_it() {
        let own = |place: &str| !place.starts_with("/llvm");
        let said = "CMake Error at /llvm/AddLLVM.cmake:586 (add_dependencies):\n  The target \"a\"\n  \
                    does not exist.\nCall Stack (most recent call first):\n  /llvm/AddMLIR.cmake:3 (b)\n  \
                    /toy/lib/CMakeLists.txt:9 (c)\n\n\nno Doxygen\n";
        let (place, message) = first_error(said, own).unwrap();
        assert_eq!(place, "/toy/lib/CMakeLists.txt:9");
        assert_eq!(message, "  The target \"a\"\n  does not exist.");
        let said = "CMake Error at /llvm/A.cmake:5 (message):\n  no\n\n\nno Doxygen\n";
        let (place, message) = first_error(said, own).unwrap();
        assert_eq!((place.as_str(), message.trim()), ("/llvm/A.cmake:5", "no"));
    }

    #[test]
    fn a_source_that_cannot_be_downloaded_is_named() {
        for said in [
            "CMake Error at /b/_deps/dep-subbuild/x.cmake:1 (message):\n  Each download failed!\n\n\n\
             CMake Error at /cmake/FetchContent.cmake:9 (message):\n  Build step for dep failed: 1\n\
             Call Stack (most recent call first):\n  /toy/CMakeLists.txt:5 (FetchContent_MakeAvailable)\n",
            "  directory, the source\n  directory for dependency dep to already be\n  populated.",
            "  ExternalProject_Add(dep) downloads, and the build is\n  offline\n",
        ] {
            assert_eq!(download(said).as_deref(), Some("dep"), "{said}");
        }
        assert_eq!(download("Build step for the library failed"), None);
    }

    #[test]
    fn an_error_of_a_generated_file_is_at_the_projects_line() {
        let own = |place: &str| place.starts_with("/toy");
        let said = "CMake Error at /b/x.cmake:1 (message):\n  Each download failed!\n\n\n\
                    CMake Error at /cmake/FetchContent.cmake:9 (message):\n  Build step for dep failed: 1\n\
                    Call Stack (most recent call first):\n  /toy/CMakeLists.txt:5 (FetchContent_MakeAvailable)\n";
        let (place, message) = first_error(said, own).unwrap();
        assert_eq!(place, "/toy/CMakeLists.txt:5");
        assert!(message.contains("Each download failed!"), "{message}");
    }
}
