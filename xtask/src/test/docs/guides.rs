//! The guides: each says what tests its task, in a paragraph that begins with "Tested by:".

use camino::Utf8Path;
use clap::ValueEnum;

use crate::group::Group;

const MARK: &str = "Tested by: ";

/// Complaints about a page of docs/guide or docs/contributing: no such paragraph, no group in it, or a name of what is not there.
pub(super) fn untested(workspace: &Utf8Path, page: &str, text: &str) -> Vec<String> {
    let mut paragraphs = text.split("\n\n");
    let Some(paragraph) = paragraphs.find_map(|paragraph| paragraph.strip_prefix(MARK)) else {
        return vec![format!("{page}: no paragraph begins with `{MARK}`")];
    };
    // Split at backquotes, each second part is code.
    let names: Vec<&str> = paragraph.split('`').skip(1).step_by(2).collect();
    let groups: Vec<Group> = names.iter().filter_map(|name| group(name)).collect();
    let mut complaints = Vec::new();
    if groups.is_empty() {
        complaints.push(format!("{page}: `{MARK}` names no group of the tests"));
    }
    let outside = groups.iter().find(|group| !group.in_gate());
    if let Some(outside) = outside.filter(|_| !names.contains(&"--all")) {
        let name = outside.name();
        complaints.push(format!("{page}: the group `{name}` runs with `--all` only"));
    }
    for name in names {
        let is_known = group(name).is_some()
            || name == "--all"
            // A name with blanks is a command with its arguments, which the check of commands reads.
            || name.contains(' ')
            || workspace.join(name).exists()
            || workspace.join("tests/python").join(name).is_dir();
        if !is_known {
            complaints.push(format!("{page}: `{name}` is neither a group nor a file"));
        }
    }
    complaints
}

fn group(name: &str) -> Option<Group> {
    Group::from_str(name, false).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_names_what_tests_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        fs_err::create_dir_all(root.join("tests/python/moved")).expect("a folder");
        let said = |text: &str| untested(root, "p.md", text);
        let right = "# T\n\nTested by: the group `wheel`, and `moved` and `tests/python` of\n`installed` with `--all`.\n\nText.";
        assert_eq!(said(right), [""; 0]);
        assert_eq!(said("# T\n\nText. Tested by: the group `wheel`.").len(), 1);
        assert_eq!(
            said("# T\n\nTested by: `cargo xtask tidy`."),
            ["p.md: `Tested by: ` names no group of the tests"]
        );
        assert_eq!(
            said("# T\n\nTested by: the groups `installed`, `wheels`."),
            [
                "p.md: the group `installed` runs with `--all` only",
                "p.md: `wheels` is neither a group nor a file"
            ]
        );
    }
}
