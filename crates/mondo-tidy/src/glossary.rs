//! The glossary names files and crates that exist.

use crate::sources::{Rule, SourceFile};

pub(crate) const RULES: &[Rule] = &[Rule {
    name: "glossary",
    check: glossary,
}];

const GLOSSARY: &str = "docs/reference/glossary.md";

/// Complains about a file or crate in the glossary's last column that does not exist.
fn glossary(files: &[SourceFile]) -> Vec<String> {
    let Some(page) = files.iter().find(|file| file.path == GLOSSARY) else {
        return Vec::new();
    };
    let exists = |path: &str| {
        let folder = format!("{path}/");
        files
            .iter()
            .any(|file| file.path == path || file.path.starts_with(&folder))
    };
    page.complaints(&page.text, |line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').collect();
        let [_, _, places, _] = cells[..] else {
            return None;
        };
        let missing = places.split('`').skip(1).step_by(2);
        let missing: Vec<&str> = missing.filter(|path| !exists(path)).collect();
        (!missing.is_empty()).then(|| format!("there is no {}", missing.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn the_glossary_names_files_that_exist() {
        let row = "| term | meaning | defined in |\n|---|---|---|\n| kit | an SDK | `crates/mondo-core`, [x](y.md) |\n";
        let manifest = file("crates/mondo-core/Cargo.toml", "");
        let page = file(GLOSSARY, row);
        assert_eq!(glossary(&[page.clone(), manifest]), [""; 0]);
        assert_eq!(
            glossary(&[page]),
            [format!("{GLOSSARY}:3: there is no crates/mondo-core")]
        );
    }
}
