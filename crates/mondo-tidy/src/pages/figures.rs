//! Figures that several pages name, such as the sizes of the wheels. A page of docs/measurements has each; the others
//! must say the same, and the wheels that the tests make must have it.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result};

/// The page with the sizes of the wheels: a row for each manifest and each other package.
const SIZES: &str = "docs/measurements/size.md";

/// The page with the times of the Python layer, of which `import` is one.
const TIMES: &str = "docs/measurements/speed.md";

const README: &str = "README.md";
const INSTALL: &str = "docs/guide/install.md";

/// The largest difference between a wheel that was made and the page, in millions of bytes.
const TOLERANCE: f64 = 0.05;

/// The figures that a row of a table must have, since a page of measurements has them.
#[derive(Debug, PartialEq, Eq)]
struct Claim {
    page: &'static str,
    /// The beginning of the row.
    row: String,
    figures: String,
    source: &'static str,
}

/// Complaints about pages whose figures are not those that were measured.
///
/// # Errors
///
/// If a page cannot be read, or a page of measurements lacks a row.
pub(super) fn differences(workspace: &Utf8Path) -> Result<Vec<String>> {
    let read = |page| fs_err::read_to_string(workspace.join(page));
    let claims = claims(&read(SIZES)?, &read(TIMES)?)?;
    let mut complaints = Vec::new();
    for claim in claims {
        let Claim {
            page,
            row,
            figures,
            source,
        } = claim;
        let text = read(page)?;
        let mut rows = text.lines().filter(|line| line.starts_with(&row));
        if !rows.any(|line| line.contains(&figures)) {
            complaints.push(format!(
                "{page}: the row `{row}` does not say `{figures}`, which follows from {source}"
            ));
        }
    }
    Ok(complaints)
}

/// The complaint about a wheel whose size is not the one that the page has, if it is not.
///
/// # Errors
///
/// If the page cannot be read, or has no row for the manifest.
pub fn other_size(workspace: &Utf8Path, manifest: &str, bytes: u64) -> Result<Option<String>> {
    let sizes = sizes(&fs_err::read_to_string(workspace.join(SIZES))?);
    let Some(page) = sizes.get(manifest) else {
        return Ok(None);
    };
    #[expect(clippy::cast_precision_loss, reason = "a wheel's size has few digits")]
    let made = bytes as f64 / 1e6;
    Ok(((made - page).abs() > TOLERANCE)
        .then(|| format!("{SIZES}: {manifest} has {page:.2} MB there, and {made:.2} MB now")))
}

fn claims(sizes_page: &str, times_page: &str) -> Result<Vec<Claim>> {
    let sizes = sizes(sizes_page);
    let size = |name: &str| {
        let found = sizes.get(name).copied();
        found.ok_or_else(|| missing(SIZES, name))
    };
    let mut claims = vec![Claim {
        page: README,
        row: "| [wheel]".to_owned(),
        figures: format!("| {:.1} to {:.1} MB |", size("core")?, size("default")?),
        source: SIZES,
    }];
    for name in ["core", "standard", "default"] {
        claims.push(Claim {
            page: INSTALL,
            row: format!("| `manifests/{name}.toml` |"),
            figures: format!("| {:.1} MB |", size(name)?),
            source: SIZES,
        });
    }
    let (upstream, ours) = import(times_page).ok_or_else(|| missing(TIMES, "import"))?;
    claims.push(Claim {
        page: README,
        row: "| [import]".to_owned(),
        figures: format!("| {ours:.0} ms | {upstream:.0} ms"),
        source: TIMES,
    });
    Ok(claims)
}

fn missing(page: &str, name: &str) -> Error {
    Error::new(
        ErrorKind::Check,
        format!("{page}: there is no row for {name}"),
    )
}

/// The cells of each row of the tables of a page, without emphasis.
fn rows(page: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    rows.map(|row| {
        row.split('|')
            .map(|cell| cell.trim().replace('*', ""))
            .collect()
    })
}

/// The sizes of the first table of the page, in millions of bytes, by the first word of the row.
fn sizes(page: &str) -> BTreeMap<String, f64> {
    let table = page.split("\n## ").nth(1).unwrap_or_default();
    let size = |row: Vec<String>| {
        let name = row.first()?.split([' ', ':']).next()?.to_owned();
        Some((name, row.get(2)?.parse().ok()?))
    };
    rows(table).filter_map(size).collect()
}

/// The times of an import of upstream's bindings and of ours, in milliseconds.
fn import(page: &str) -> Option<(f64, f64)> {
    let row = rows(page).find(|row| row.first().is_some_and(|name| name == "import"))?;
    let time = |cell: &String| cell.strip_suffix(" ms")?.parse().ok();
    Some((time(row.get(1)?)?, time(row.get(2)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE_PAGE: &str = "# Size\n\n## Wheels\n\n| wheel | aim | size | library |\n|---|--:|--:|--:|\n\
        | core | 2 | **2.10** | 1.1 |\n| standard | 8 | **9.04** | 7 |\n| default | 24 | **26.98** | 24 |\n\
        | gpu: default with more | | **31.1** | 29 |\n| torch-mlir 1 | | 80.4 | |\n\
        | iree-base-compiler 3 | | 83.6 | |\n| circt 1 | | 18.1 | |\n\n## Parts\n\n| core | a | 7 |\n";

    const TIMES_PAGE: &str = "| item | upstream | mondo | ratio |\n|---|--:|--:|--:|\n\
        | parse | 23.83 ms | 18.00 ms | 0.77 |\n| import | 83.08 ms | 12.10 ms | 0.15 |\n";

    #[test]
    fn claims_have_the_figures_of_the_measurements() {
        let claims = claims(SIZE_PAGE, TIMES_PAGE).expect("the pages have all rows");
        let figures: Vec<&str> = claims.iter().map(|claim| claim.figures.as_str()).collect();
        assert_eq!(
            figures,
            [
                "| 2.1 to 27.0 MB |",
                "| 2.1 MB |",
                "| 9.0 MB |",
                "| 27.0 MB |",
                "| 12 ms | 83 ms",
            ]
        );
    }

    #[test]
    fn pages_with_other_figures_and_other_wheels_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        let write = |page: &str, text: &str| {
            let path = root.join(page);
            fs_err::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs_err::write(path, text).expect("a page");
        };
        write(SIZES, SIZE_PAGE);
        write(TIMES, TIMES_PAGE);
        write(
            README,
            "| [wheel](s) | 2.1 to 26.9 MB | 18.1 MB (circt) |\n| [import](t) | 12 ms | 83 ms (upstream) |\n",
        );
        write(
            INSTALL,
            "| `manifests/core.toml` | 2.1 MB |\n| `manifests/standard.toml` | 9.0 MB |\n\
             | `manifests/default.toml` | 26.8 MB |\n",
        );
        let found = differences(root).expect("readable");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("README.md: the row `| [wheel]` does not say `| 2.1 to 27.0 MB")
        );
        assert!(found[1].contains("default.toml` |` does not say `| 27.0 MB"));

        let other = |name, bytes| other_size(root, name, bytes).expect("readable");
        assert_eq!(other("default", 26_977_722), None);
        assert_eq!(other("acme", 1), None);
        assert_eq!(
            other("default", 27_900_000).as_deref(),
            Some("docs/measurements/size.md: default has 26.98 MB there, and 27.90 MB now")
        );
    }
}
