//! The C API headers of a project: those that its C API libraries include and that declare exported
//! functions.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_plan::archive_symbols;
use mondo_plan::c_declarations::{bare, declarations, for_c};

use crate::declaring_headers::includes;
use crate::file_api::Target;
use crate::ninja::Ninja;

/// Words by which a header is recognised as one of the C API.
const SIGNS: &[&str] = &[
    "MLIR_CAPI_EXPORTED",
    "MLIR_DECLARE_CAPI_DIALECT_REGISTRATION",
    PASSES,
];

/// The end of the name of a file with declarations of functions that register passes (`-gen-pass-capi-header`).
const PASSES: &str = ".capi.h.inc";

/// The macro that declares the function that returns a dialect's handle.
const HANDLE: &str = "MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(";

/// The headers of a project's C API.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    /// Their paths.
    pub(crate) files: Vec<Utf8PathBuf>,
    /// The dialects whose handles they declare: `toy` for `mlirGetDialectHandle__toy__`.
    pub(crate) dialects: Vec<String>,
    /// The functions that register passes, to judge by their names: `toyRegisterAllPasses`.
    pub(crate) pass_functions: Vec<String>,
    /// Headers in the folders of `files` that are not taken although they declare functions in C, with these
    /// functions. A C++ file may include such a header inside of `extern "C" { }`.
    pub(crate) aside: Vec<(Utf8PathBuf, Vec<String>)>,
}

/// Finds the C API headers below `roots` that were read when the objects of `libraries` were compiled. `all` are the
/// names of all object files that Ninja makes.
pub(crate) fn headers(
    libraries: &[(&str, &Target)],
    all: &[String],
    roots: &[Utf8PathBuf],
    ninja: Ninja<'_>,
) -> Result<Headers> {
    let objects: Vec<&String> = libraries
        .iter()
        .flat_map(|(name, target)| objects(name, target, all))
        .collect();
    let mut found = Headers::default();
    let mut dialects = BTreeSet::new();
    let mut pass_functions = BTreeSet::new();
    let mut generated = Vec::new();
    for path in ninja.read_by(&objects)? {
        let ours = roots.iter().any(|root| path.starts_with(root));
        let header = path.extension() == Some("h");
        // Such a file has one function for each pass, and one for all passes of a group.
        let of_passes = path.as_str().ends_with(PASSES);
        if !ours || !(header || of_passes) {
            continue;
        }
        let Ok(text) = fs_err::read_to_string(&path) else {
            continue;
        };
        if of_passes {
            pass_functions.extend(registering(&text));
            generated.push(path);
            continue;
        }
        if SIGNS.iter().any(|sign| text.contains(sign)) || is_plain(&text) {
            dialects.extend(handles(&text));
            pass_functions.extend(registering(&text));
            found.files.push(path);
        } else if !is_cpp(&text) {
            found.aside.push((path, functions(&text)));
        }
    }
    let folders: BTreeSet<&Utf8Path> = found
        .files
        .iter()
        .filter_map(|file| file.parent())
        .collect();
    found.aside.retain(|(path, functions)| {
        let near = path.parent().is_some_and(|folder| folders.contains(folder));
        near && !functions.is_empty()
    });
    let beside = beside(&found.files, &generated);
    found.files.extend(beside);
    found.files.sort();
    found.dialects = dialects.into_iter().collect();
    found.pass_functions = pass_functions.into_iter().collect();
    Ok(found)
}

/// Those of `headers` that declare functions which `archives` define, with these functions. The comparison is by
/// symbol name, so a mangled C++ function never matches.
pub(crate) fn defined(
    mut headers: Vec<(Utf8PathBuf, Vec<String>)>,
    archives: &[Utf8PathBuf],
) -> Vec<(Utf8PathBuf, Vec<String>)> {
    if headers.is_empty() {
        return headers;
    }
    let defined = archive_symbols::defined(archives).unwrap_or_default();
    for (_, functions) in &mut headers {
        functions.retain(|function| defined.contains(function));
    }
    headers.retain(|(_, functions)| !functions.is_empty());
    headers
}

/// Further headers that include one of the `generated` files and are in a folder of `headers` or in its parent. An
/// object may include the generated file directly, while such a header is for users.
fn beside(headers: &[Utf8PathBuf], generated: &[Utf8PathBuf]) -> BTreeSet<Utf8PathBuf> {
    let folders: BTreeSet<&Utf8Path> = headers
        .iter()
        .flat_map(|header| header.ancestors().skip(1).take(2))
        .collect();
    // A folder that cannot be read has no header for users either.
    let entries = folders
        .into_iter()
        .flat_map(|folder| folder.read_dir_utf8().into_iter().flatten().flatten());
    let others = entries.map(camino::Utf8DirEntry::into_path).filter(|path| {
        path.extension() == Some("h") && !generated.is_empty() && !headers.contains(path)
    });
    let including = others.filter(|path| {
        let text = fs_err::read_to_string(path).unwrap_or_default();
        !is_cpp(&text) && generated.iter().any(|file| includes(&text, file))
    });
    including.collect()
}

/// True for a header with words of C++, outside of comments and of parts for C++ alone.
fn is_cpp(text: &str) -> bool {
    let bare = bare(&for_c(text));
    let mut words = bare.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.any(|word| matches!(word, "namespace" | "class" | "template" | "using"))
}

/// True for a C header that also works in C++ and declares its functions without a macro of MLIR. A C++ header that
/// contains some `extern "C"` does not count, because it is no part of a C API.
fn is_plain(text: &str) -> bool {
    if !text.contains("extern \"C\"") || is_cpp(text) {
        return false;
    }
    !functions(text).is_empty()
}

/// The functions that a header declares in C.
fn functions(text: &str) -> Vec<String> {
    let bare = bare(&for_c(text));
    let found = declarations((1..).zip(bare.lines())).into_iter();
    let functions = found.filter(|declaration| declaration.arguments.is_none());
    functions.map(|declaration| declaration.name).collect()
}

/// The dialects whose handles a header declares; the macro's own definition declares none.
fn handles(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    let names = text.split(HANDLE).skip(1).filter_map(|rest| {
        let (arguments, _) = rest.split_once(')')?;
        let (_, namespace) = arguments.split_once(',')?;
        let namespace = namespace.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (!namespace.is_empty() && namespace.chars().all(plain)).then(|| namespace.to_owned())
    });
    names.collect()
}

/// The functions of a header that register all passes of a group.
fn registering(text: &str) -> impl Iterator<Item = String> {
    let bare = bare(text);
    let found = declarations((1..).zip(bare.lines())).into_iter();
    let functions = found.filter(|declaration| declaration.arguments.is_none());
    functions
        .map(|declaration| declaration.name)
        .filter(|name| name.contains("egister") && name.ends_with("Passes"))
}

/// The object files of the target `name` among all that Ninja makes: CMake puts them into a folder that is named
/// after the target.
pub(crate) fn objects<'a>(
    name: &str,
    target: &Target,
    all: &'a [String],
) -> impl Iterator<Item = &'a String> {
    let folder = match target.paths.build.as_str() {
        "." => Utf8PathBuf::new(),
        other => Utf8PathBuf::from(other),
    };
    let folder = folder.join("CMakeFiles").join(format!("{name}.dir"));
    all.iter()
        .filter(move |object| Utf8Path::new(object).starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_read_from_the_macro() {
        let text = "#define MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Name, Namespace) x\n\
                    MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Toy, toy);\n\
                    MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(\n    TwoWords,\n    two_words);\n";
        assert_eq!(handles(text), ["toy", "two_words"]);
    }

    #[test]
    fn functions_that_register_passes_are_known_by_their_names() {
        let text = "MLIR_CAPI_EXPORTED void toyRegisterAllPasses(void);\n\
                    MLIR_CAPI_EXPORTED void mlirRegisterToyToyFold(void);\n\
                    // void registerOtherPasses(void);\n\
                    MLIR_CAPI_EXPORTED int toyCountPasses(void);\n\
                    MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Toy, toy);\n";
        assert_eq!(
            registering(text).collect::<Vec<_>>(),
            ["toyRegisterAllPasses"]
        );
    }

    #[test]
    fn a_header_that_no_object_reads_is_found_by_the_generated_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(&path, text).unwrap();
            path
        };
        let read = write("include/toy-c/Dialect/Toy.h", "");
        let conversion = write(
            "include/toy-c/Conversion.h",
            "#include \"toy/Passes.capi.h.inc\"\n",
        );
        write(
            "include/toy-c/Other.h",
            "#include \"goo/Passes.capi.h.inc\"\n",
        );
        write(
            "include/toy-c/Cpp.h",
            "#include \"toy/Passes.capi.h.inc\"\nnamespace toy {}\n",
        );
        let generated = folder.join("build/include/toy/Passes.capi.h.inc");
        let found = beside(&[read], &[generated]);
        assert_eq!(found, BTreeSet::from([conversion.clone()]));
        assert!(beside(&[conversion], &[]).is_empty());
    }

    #[test]
    fn plain_headers_are_of_c() {
        let guarded = |text: &str| {
            format!(
                "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{text}\n#ifdef __cplusplus\n}}\n#endif\n"
            )
        };
        assert!(is_plain(&guarded("int sum(int a, int b);")));
        assert!(!is_plain("int sum(int a, int b);"));
        assert!(!is_plain(&guarded(
            "typedef struct { int a; } Pair; // int sum(int a);"
        )));
        assert!(!is_plain(&guarded(
            "namespace a { class B; }\nint sum(int a, int b);"
        )));
        assert!(is_plain(
            &guarded("int sum(int a, int b);")
                .replace("extern", "namespace a { class B; }\nextern")
        ));
    }

    #[test]
    fn objects_are_those_in_the_folder_of_the_target() {
        let target: Target =
            serde_json::from_str(r#"{"paths": {"build": "lib/CAPI", "source": "lib/CAPI"}}"#)
                .unwrap();
        let all: Vec<String> = [
            "lib/CAPI/CMakeFiles/obj.ToyCAPI.dir/Dialects.cpp.o",
            "lib/CAPI/CMakeFiles/obj.ToyCAPI.dir/__/__/generated/g.cpp.o",
            "lib/CAPI/CMakeFiles/obj.ToyCAPI.dir/cmake_pch.hxx.gch",
            "lib/CAPI/CMakeFiles/obj.ToyCAPIMore.dir/Dialects.cpp.o",
            "CMakeFiles/obj.ToyCAPI.dir/Dialects.cpp.o",
        ]
        .map(str::to_owned)
        .into();
        let found: Vec<&String> = objects("obj.ToyCAPI", &target, &all).collect();
        assert_eq!(found, all[..3].iter().collect::<Vec<_>>());
    }
}
