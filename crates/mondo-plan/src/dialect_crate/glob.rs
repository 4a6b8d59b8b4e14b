//! Paths with wildcards: `*` and `?` within a name, `**` for any folders.

use camino::{Utf8Path, Utf8PathBuf};

use mondo_core::error::Result;

/// The files below `folder` that `pattern` fits, sorted. A pattern without wildcards is the file it
/// names, which may be outside of the folder.
pub(super) fn files(folder: &Utf8Path, pattern: &str) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let parts: Vec<&str> = pattern.split('/').collect();
    walk(folder, &parts, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

fn walk(folder: &Utf8Path, parts: &[&str], found: &mut Vec<Utf8PathBuf>) -> Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        return Ok(());
    };
    if !part.contains(['*', '?']) {
        let path = folder.join(part);
        if rest.is_empty() {
            if path.is_file() {
                found.push(path);
            }
            return Ok(());
        }
        return walk(&path, rest, found);
    }
    if !folder.is_dir() {
        return Ok(());
    }
    if *part == "**" {
        walk(folder, rest, found)?;
    }
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if name.starts_with('.') || !fits(part.as_bytes(), name.as_bytes()) {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            walk(path, if *part == "**" { parts } else { rest }, found)?;
        } else if rest.is_empty() && *part != "**" {
            found.push(path.to_owned());
        }
    }
    Ok(())
}

/// Whether a name fits a pattern of `*`, `?` and plain characters.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.first(), name.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            fits(&pattern[1..], name) || (!name.is_empty() && fits(pattern, &name[1..]))
        }
        (Some(b'?'), Some(_)) => fits(&pattern[1..], &name[1..]),
        (Some(a), Some(b)) if a == b => fits(&pattern[1..], &name[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_their_patterns() {
        for (pattern, name, expected) in [
            ("*.cpp", "a.cpp", true),
            ("*.cpp", "a.h", false),
            ("?.cpp", "ab.cpp", false),
            ("a*b*c", "aXbYbc", true),
            ("**", "any", true),
        ] {
            assert_eq!(
                fits(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn folders_are_walked() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        for name in ["lib/a.cpp", "lib/x/b.cpp", "lib/x/y/c.cpp", "lib/x/d.h"] {
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
        assert_eq!(names("lib/*.cpp"), ["lib/a.cpp"]);
        assert_eq!(names("lib/*/*.cpp"), ["lib/x/b.cpp"]);
        assert_eq!(
            names("lib/**/*.cpp"),
            ["lib/a.cpp", "lib/x/b.cpp", "lib/x/y/c.cpp"]
        );
        assert_eq!(names("lib/x/d.h"), ["lib/x/d.h"]);
        assert!(names("none/*.cpp").is_empty());
    }
}
