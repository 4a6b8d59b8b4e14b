//! Figures that several pages name, such as the sizes of the wheels. A page of docs/measurements has each; the other
//! pages must say the same, and so must the wheels that the tests make.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result};

/// The page with the sizes of the wheels: a row for each manifest and each package of somebody else.
const SIZES: &str = "docs/measurements/size.md";

/// The page with the times of the Python layer, one of which is `import`.
const TIMES: &str = "docs/measurements/speed.md";

const README: &str = "README.md";
const INSTALL: &str = "docs/guide/install.md";

/// The largest difference between a wheel and its row of the page, in millions of bytes.
const TOLERANCE: f64 = 0.05;

/// Complaints about pages whose figures are not the measured ones.
///
/// # Errors
///
/// If a page cannot be read, or a page of measurements lacks a row.
pub(super) fn differences(workspace: &Utf8Path) -> Result<Vec<String>> {
    let read = |page| fs_err::read_to_string(workspace.join(page));
    let mut complaints = Vec::new();
    for (page, row, figures) in claims(&read(SIZES)?, &read(TIMES)?)? {
        let says = |line: &str| line.starts_with(&row) && line.contains(&figures);
        if !read(page)?.lines().any(says) {
            complaints.push(format!("{page}: the row `{row}` does not say `{figures}`"));
        }
    }
    Ok(complaints)
}

/// Compares the size of a manifest's wheel with the page. Returns the complaint if they differ.
///
/// # Errors
///
/// If the page cannot be read.
pub fn other_size(workspace: &Utf8Path, manifest: &str, bytes: u64) -> Result<Option<String>> {
    let sizes = sizes(&fs_err::read_to_string(workspace.join(SIZES))?);
    #[expect(clippy::cast_precision_loss, reason = "a wheel's size has few digits")]
    let built = bytes as f64 / 1e6;
    let other = sizes
        .get(manifest)
        .filter(|size| (built - **size).abs() > TOLERANCE);
    Ok(other
        .map(|size| format!("{SIZES}: {manifest} has {size:.2} MB there, and {built:.2} MB now")))
}

/// The figures that rows of tables must have, given the pages of measurements: a page, the beginning of its row, and the
/// figures in the row.
fn claims(sizes_page: &str, times_page: &str) -> Result<Vec<(&'static str, String, String)>> {
    let missing = |page: &str, name: &str| {
        Error::new(
            ErrorKind::Check,
            format!("{page}: there is no row for {name}"),
        )
    };
    let sizes = sizes(sizes_page);
    let size = |name: &str| sizes.get(name).copied().ok_or_else(|| missing(SIZES, name));
    let wheels = format!("| {:.1} to {:.1} MB |", size("core")?, size("default")?);
    let mut claims = vec![(README, "| [wheel]".to_owned(), wheels)];
    for name in ["core", "standard", "default"] {
        let row = format!("| `manifests/{name}.toml` |");
        claims.push((INSTALL, row, format!("| {:.1} MB |", size(name)?)));
    }
    let (upstream, ours) = import(times_page).ok_or_else(|| missing(TIMES, "import"))?;
    let times = format!("| {ours:.0} ms | {upstream:.0} ms");
    claims.push((README, "| [import]".to_owned(), times));
    Ok(claims)
}

/// The cells of each row of the tables of a page, without emphasis.
fn rows(page: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let cell = |text: &str| text.trim().replace('*', "");
    rows.map(move |row| row.split('|').map(cell).collect())
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
        | gpu: default with more | | **31.1** | 29 |\n\n## Parts\n\n| core | a | 7 |\n";

    const TIMES_PAGE: &str = "| item | upstream | mondo | ratio |\n|---|--:|--:|--:|\n\
        | parse | 23.83 ms | 18.00 ms | 0.77 |\n| import | 83.08 ms | 12.10 ms | 0.15 |\n";

    #[test]
    fn claims_have_the_figures_of_the_measurements() {
        let claims = claims(SIZE_PAGE, TIMES_PAGE).expect("the pages have all rows");
        let figures: Vec<&str> = claims
            .iter()
            .map(|(_, _, figures)| figures.as_str())
            .collect();
        let [wheels, core, standard, default, import] = [
            "| 2.1 to 27.0 MB |",
            "| 2.1 MB |",
            "| 9.0 MB |",
            "| 27.0 MB |",
            "| 12 ms | 83 ms",
        ];
        assert_eq!(figures, [wheels, core, standard, default, import]);
    }

    /// A workspace with both pages of measurements, README and the guide.
    fn workspace(readme: &str, guide: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        for (page, text) in [
            (SIZES, SIZE_PAGE),
            (TIMES, TIMES_PAGE),
            (README, readme),
            (INSTALL, guide),
        ] {
            let path = root.join(page);
            fs_err::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs_err::write(path, text).expect("a page");
        }
        folder
    }

    #[test]
    fn a_page_with_other_figures_is_found() {
        let folder = workspace(
            "| [wheel](s) | 2.1 to 26.9 MB | 18.1 MB |\n| [import](t) | 12 ms | 83 ms (upstream) |\n",
            "| `manifests/core.toml` | 2.1 MB |\n| `manifests/standard.toml` | 9.0 MB |\n\
             | `manifests/default.toml` | 26.8 MB |\n",
        );
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        assert_eq!(
            differences(root).expect("readable"),
            [
                "README.md: the row `| [wheel]` does not say `| 2.1 to 27.0 MB |`",
                "docs/guide/install.md: the row `| `manifests/default.toml` |` does not say `| 27.0 MB |`",
            ]
        );
    }

    #[test]
    fn a_wheel_of_another_size_is_found() {
        let folder = workspace("", "");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        let other = |name, bytes| other_size(root, name, bytes).expect("readable");
        assert_eq!(other("default", 26_977_722), None);
        assert_eq!(other("acme", 1), None);
        assert_eq!(
            other("default", 27_900_000).as_deref(),
            Some("docs/measurements/size.md: default has 26.98 MB there, and 27.90 MB now")
        );
    }
}
