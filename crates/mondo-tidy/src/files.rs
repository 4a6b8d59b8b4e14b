//! The rules about names and lengths of files.

use crate::sources::SourceFile;

/// A module named after no concept collects unrelated code.
pub(crate) fn concept_names(files: &[SourceFile]) -> Vec<String> {
    const CATCH_ALLS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc"];
    let is_catch_all = |part: &str| CATCH_ALLS.contains(&part.split('.').next().unwrap_or(part));
    files
        .iter()
        .filter(|file| file.path.split('/').any(is_catch_all))
        .map(|file| format!("{}: is named after no concept", file.path))
        .collect()
}

/// A module with modules below it is the `mod.rs` of their folder, so that the folder is complete.
pub(crate) fn module_layout(files: &[SourceFile]) -> Vec<String> {
    let paths = files.iter().map(|file| file.path.as_str());
    let modules: Vec<&str> = paths
        .filter(|path| path.contains("/src/") && path.ends_with(".rs"))
        .collect();
    let misplaced = |path: &&str| {
        let folder = format!("{}/", path.strip_suffix(".rs")?);
        let has_modules = modules.iter().any(|other| other.starts_with(&folder));
        has_modules.then(|| format!("{path}: move it to {folder}mod.rs"))
    };
    modules.iter().filter_map(misplaced).collect()
}

/// The length at which a source file has to be split by concept, in lines.
const MOST_LINES: usize = 600;

/// Files that a generator writes and a test compares with what they are made from.
const GENERATED: &[&str] = &["crates/mondo-sys/src/declarations.rs"];

pub(crate) fn file_size(files: &[SourceFile]) -> Vec<String> {
    const SOURCE: &[&str] = &[".rs", ".py", ".pyi", ".cpp", ".h"];
    let sources = files
        .iter()
        .filter(|file| SOURCE.iter().any(|end| file.path.ends_with(end)))
        .filter(|file| !GENERATED.contains(&file.path.as_str()));
    let lengths = sources.map(|file| (&file.path, file.text.lines().count()));
    lengths
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| {
            format!("{path}: has {lines} lines, more than {MOST_LINES}; split it by concept")
        })
        .collect()
}

/// The files and crates in the last column of the glossary exist.
pub(crate) fn glossary(files: &[SourceFile]) -> Vec<String> {
    let page = files
        .iter()
        .find(|file| file.path == "docs/reference/glossary.md");
    let is_missing = |path: &&str| {
        let folder = format!("{path}/");
        !files
            .iter()
            .any(|file| file.path == *path || file.path.starts_with(&folder))
    };
    page.map_or_else(Vec::new, |page| {
        page.complaints(&page.text, |line| {
            let places = line.strip_suffix('|')?.rsplit('|').next()?;
            let missing = places.split('`').skip(1).step_by(2).find(is_missing)?;
            Some(format!("there is no {missing}"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn a_catch_all_is_found() {
        assert_eq!(concept_names(&[file("xtask/src/utils.rs", "")]).len(), 1);
        assert_eq!(concept_names(&[file("xtask/src/plan.rs", "")]), [""; 0]);
    }

    #[test]
    fn a_module_beside_its_folder_is_found() {
        let files = ["xtask/src/x.rs", "xtask/src/x/y.rs"].map(|path| file(path, ""));
        assert_eq!(module_layout(&files).len(), 1);
        assert_eq!(module_layout(&files[1..]), [""; 0]);
    }

    #[test]
    fn a_long_file_is_found() {
        let long = |lines: usize| file("xtask/src/x.rs", &"x\n".repeat(lines));
        assert_eq!(file_size(&[long(MOST_LINES + 1)]).len(), 1);
        assert_eq!(file_size(&[long(MOST_LINES)]), [""; 0]);
        let generated = file(GENERATED[0], &"x\n".repeat(MOST_LINES + 1));
        assert_eq!(file_size(&[generated]), [""; 0]);
    }

    #[test]
    fn the_glossary_names_files_that_exist() {
        let row = "| kit | an SDK, `x` | `crates/mondo-core`, [x](y.md) |\n";
        let page = file("docs/reference/glossary.md", row);
        let manifest = file("crates/mondo-core/Cargo.toml", "");
        assert_eq!(glossary(&[page.clone(), manifest]), [""; 0]);
        assert_eq!(glossary(&[page]).len(), 1);
    }
}
