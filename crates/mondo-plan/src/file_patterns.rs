//! Paths with wildcards: `*` and `?` within a name, `**` for any folders.

use camino::{Utf8Path, Utf8PathBuf};
use glob::{MatchOptions, Pattern};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;

/// The options of the matcher: no wildcard fits a dot at the beginning of a name, and none but `**`
/// fits a `/`.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The files below `folder` that `pattern` fits, sorted. A pattern without wildcards is the file it
/// names, which may be outside of the folder.
///
/// # Errors
/// [`ErrorKind::Manifest`] for a pattern that cannot be read; [`ErrorKind::Io`] for a folder.
pub(crate) fn files(folder: &Utf8Path, pattern: &str) -> Result<Vec<Utf8PathBuf>> {
    // A bracket is a character like any other.
    let below = Utf8PathBuf::from(Pattern::escape(folder.as_str()));
    let whole = below.join(pattern.replace('[', "[[]"));
    let paths = glob::glob_with(whole.as_str(), OPTIONS)
        .map_err(|error| Error::new(ErrorKind::Manifest, error.msg))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|error| {
            let place = error.path().display().to_string();
            Error::from(std::io::Error::from(error)).at(place)
        })?;
        if path.is_file() {
            found.push(utf8(&path)?.to_owned());
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        for name in [
            "lib/a.cpp",
            "lib/x/b.cpp",
            "lib/x/y/c.cpp",
            "lib/x/d.h",
            "lib/.e.cpp",
            "lib/[f].cpp",
        ] {
            fs_err::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs_err::write(root.join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<String> {
            files(root, pattern)
                .unwrap()
                .iter()
                .map(|path| path.strip_prefix(root).unwrap().to_string())
                .collect()
        };
        assert_eq!(names("lib/*.cpp"), ["lib/[f].cpp", "lib/a.cpp"]);
        assert_eq!(names("lib/?.cpp"), ["lib/a.cpp"]);
        assert_eq!(names("lib/[f]*"), ["lib/[f].cpp"]);
        assert_eq!(names("lib/x/../a.cpp"), ["lib/x/../a.cpp"]);
        assert_eq!(names("lib/*/*.cpp"), ["lib/x/b.cpp"]);
        assert_eq!(
            names("lib/**/*.cpp"),
            ["lib/[f].cpp", "lib/a.cpp", "lib/x/b.cpp", "lib/x/y/c.cpp"]
        );
        assert_eq!(names("lib/x/d.h"), ["lib/x/d.h"]);
        assert!(names("none/*.cpp").is_empty());
        assert!(files(root, "lib/x**").is_err());
    }
}
