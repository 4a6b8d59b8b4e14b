//! The relative links of Markdown pages: the file is there, and so is the heading that an anchor names.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A complaint for each link of this page that leads nowhere.
///
/// # Errors
///
/// If the page, or a page that it links to, cannot be read.
pub fn broken(workspace: &Utf8Path, page: &Utf8Path) -> Result<Vec<String>> {
    let text = fs_err::read_to_string(workspace.join(page))?;
    let mut complaints = Vec::new();
    for (line, target) in links(&text) {
        if let Some(why) = wrong(workspace, page, &text, &target)? {
            complaints.push(format!("{page}:{line}: {target}: {why}"));
        }
    }
    Ok(complaints)
}

/// The files of the workspace that a page links to.
///
/// # Errors
///
/// If the page cannot be read.
pub fn targets(workspace: &Utf8Path, page: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let text = fs_err::read_to_string(workspace.join(page))?;
    let folder = page.parent().unwrap_or(Utf8Path::new(""));
    Ok(links(&text)
        .into_iter()
        .filter_map(|(_, target)| inside(&folder.join(target.split('#').next()?)))
        .filter(|path| path != folder)
        .collect())
}

/// The reason why a link of a page leads nowhere, if it does.
fn wrong(
    workspace: &Utf8Path,
    page: &Utf8Path,
    text: &str,
    target: &str,
) -> Result<Option<&'static str>> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let file = if path.is_empty() {
        page.to_owned()
    } else {
        let folder = page.parent().unwrap_or(Utf8Path::new(""));
        let Some(file) = inside(&folder.join(path)) else {
            return Ok(Some("it leads out of the repository"));
        };
        file
    };
    if !workspace.join(&file).exists() {
        return Ok(Some("there is no such file"));
    }
    let Some(anchor) = anchor else {
        return Ok(None);
    };
    if file.extension() != Some("md") {
        return Ok(Some("only pages have anchors"));
    }
    let there = if file == page {
        anchors(text)
    } else {
        anchors(&fs_err::read_to_string(workspace.join(&file))?)
    };
    Ok((!there.contains(anchor)).then_some("the page has no such heading"))
}

/// A relative path without `.` and `..`, unless it leaves the folder that it starts in.
fn inside(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Utf8Component::Normal(name) => plain.push(name),
            Utf8Component::RootDir | Utf8Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_GFM)
}

/// The links and images that name no other site, with the lines they are on.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (event, range) in parser(text).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
            continue;
        };
        let target = dest_url.to_string();
        if !has_scheme(&target) {
            let line = text[..range.start].matches('\n').count() + 1;
            links.push((line, target));
        }
    }
    links
}

/// True if the target is a whole URL, such as `https://…` or `mailto:…`.
fn has_scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|each| each.is_ascii_alphanumeric() || "+-.".contains(each))
    })
}

/// The anchors of a page's headings, by GitHub's rule: lower case, without punctuation, a hyphen for
/// each space, and a number behind what is there already.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut seen = BTreeMap::<String, usize>::new();
    let mut heading: Option<String> = None;
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let plain = slug(&heading.take().unwrap_or_default());
                let before = seen.entry(plain.clone()).or_default();
                anchors.insert(match *before {
                    0 => plain,
                    number => format!("{plain}-{number}"),
                });
                *before += 1;
            }
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = |each: &char| each.is_alphanumeric() || " -_".contains(*each);
    heading
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|each| if each == ' ' { '-' } else { each })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# A page: `one` & two
## Twice
## Twice
[here](#twice-1), [there](b/other.md#whole), [file](b/x.toml), [site](https://a.b/c.md),
[mail](mailto:a@b), [ref], ![picture](b/none.png)
`[code](not/a/link.md)`

[ref]: ../outside.md

| table |
|---|
| [cell](b/other.md#none) |

    [block](no/link.md)
";

    #[test]
    fn every_link_that_leads_nowhere_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        fs_err::create_dir(root.join("b")).expect("a folder");
        fs_err::write(root.join("page.md"), PAGE).expect("a page");
        fs_err::write(root.join("b/x.toml"), "").expect("a file");
        fs_err::write(
            root.join("b/other.md"),
            "# Whole\n[back](../page.md#nowhere)\n[up](#up)\n",
        )
        .expect("a page");
        assert_eq!(
            broken(root, Utf8Path::new("page.md")).expect("readable"),
            [
                "page.md:5: ../outside.md: it leads out of the repository",
                "page.md:5: b/none.png: there is no such file",
                "page.md:12: b/other.md#none: the page has no such heading",
            ]
        );
        assert_eq!(
            broken(root, Utf8Path::new("b/other.md")).expect("readable"),
            [
                "b/other.md:2: ../page.md#nowhere: the page has no such heading",
                "b/other.md:3: #up: the page has no such heading",
            ]
        );
    }

    #[test]
    fn anchors_are_those_of_github() {
        let found: Vec<String> = anchors(PAGE).into_iter().collect();
        assert_eq!(found, ["a-page-one--two", "twice", "twice-1"]);
    }
}
