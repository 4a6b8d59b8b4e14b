//! The page of `mondo size --html` in a headless browser.
//!
//! The script `page.js` is appended to the page. It clicks and types there, and writes its observations into
//! the document, which the browser prints.

mod browser;

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::work_dir;
use mondo_build::size::contents::{Sizes, Tree, of_wheel};
use mondo_build::size::html::html;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Context;
use serde::Deserialize;

use self::browser::Browser;

/// The windows of the test: a name, the size, and whether the dark colour scheme is preferred.
const WINDOWS: &[(&str, (u32, u32), bool)] = &[
    ("light", (1200, 800), false),
    ("dark", (1200, 800), true),
    ("light-phone", (360, 740), false),
    ("dark-phone", (360, 740), true),
];

/// The archive that the script searches for on the page. Every bundle has it.
const FOUND: &str = "libMLIRIR.a";

/// The observations of `page.js`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Seen {
    errors: Vec<String>,
    requests: Vec<String>,
    unreadable: Vec<String>,
    width: u32,
    dark: bool,
    title: String,
    first: String,
    touched: bool,
    entered: Vec<String>,
    focused: bool,
    left: Vec<String>,
    returned: String,
    deep: String,
    deeper: Vec<String>,
    back: Vec<String>,
    parts: Vec<Part>,
    covered: f64,
    reached: bool,
    moved: bool,
    finding: bool,
    hits: Vec<String>,
    faded: usize,
    listed: Vec<String>,
    cleared: bool,
}

/// One of the adjacent boxes of the diagram.
#[derive(Debug, Deserialize)]
struct Part {
    name: String,
    area: f64,
}

/// Uses the page of the default wheel: light and dark, wide and on a phone.
///
/// # Errors
///
/// If the page shows or does anything wrong, or a broken page is not found to be so.
pub fn check(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let browser = Browser::find(context)?;
    let sizes = of_wheel(&wheel, &work_dir(context.workspace).join("reports"))?;
    let page = html(&sizes)?;
    let dir = context.scratch().join("page");
    fs_err::create_dir_all(&dir)?;
    let mut wrong = Vec::new();
    for (name, size, dark) in WINDOWS {
        let seen = visit(&browser, &dir, &page, *size, *dark)?;
        let found = wrongs(&seen, &sizes, *size, *dark);
        wrong.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    // The checks have to find the faults of this broken page.
    let broken = page.replace(
        "<header>",
        "<img src=\"http://127.0.0.1:9/x.png\" alt=\"\"><header style=\"width: 2000px; color: #888\">",
    );
    let seen = visit(&browser, &dir, &broken, (360, 740), false)?;
    for part in ["sideways", "contrast"] {
        if !seen.unreadable.iter().any(|fault| fault.contains(part)) {
            wrong.push(format!("a broken page is not found to be so: {part}"));
        }
    }
    if !seen.errors.iter().any(|fault| fault.contains("x.png")) {
        wrong.push("a broken page is not found to be so: x.png".to_owned());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        "the page with the sizes is not as it should be",
    )
    .at(dir)
    .details(wrong)
    .help("look at it: mondo size --html sizes.html"))
}

/// Opens `page` in a window of `size`.
fn visit(
    browser: &Browser,
    dir: &Utf8Path,
    page: &str,
    (width, height): (u32, u32),
    dark: bool,
) -> Result<Seen> {
    let file = dir.join("driven.html");
    let driver = include_str!("page.js");
    fs_err::write(&file, format!("{page}<script>{driver}</script>\n"))?;
    let profile = tempfile::tempdir()?;
    let profile = Utf8PathBuf::try_from(profile.path().to_owned())
        .map_err(camino::FromPathBufError::into_io_error)?;
    let tool = browser
        .tool(&profile, "open the page with the sizes")
        .time_limit(Duration::from_secs(60))
        .arg("--enable-logging=stderr")
        .arg(format!("--window-size={width},{height}"))
        .arg(format!(
            "--blink-settings=preferredColorScheme={}",
            u8::from(!dark)
        ))
        .args(["--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("file://{file}"));
    let output = tool.output()?;
    let shown = output.stdout.split_once("<pre id=\"seen\">");
    let json = shown.and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((json, _)) = json else {
        return Err(tool
            .failure(&output)
            .help("the page did not say what it saw"));
    };
    // If the script fails, it writes the error in place of the observations.
    let mut seen: Seen = serde_json::from_str(json).map_err(|_| {
        Error::new(ErrorKind::Check, "the page could not be used to the end")
            .at(&file)
            .because(json)
    })?;
    let console = output
        .stderr
        .lines()
        .filter(|line| line.contains("CONSOLE"));
    seen.errors.extend(console.map(str::to_owned));
    Ok(seen)
}

/// The list of observations that are wrong.
fn wrongs(seen: &Seen, sizes: &Sizes, (width, _): (u32, u32), dark: bool) -> Vec<String> {
    let tree = &sizes.tree;
    let first = tree.parts.first().map_or("", |part| &part.name);
    let title = format!(
        "{} {} in the wheel, {} installed",
        tree.name,
        shown(tree.packed.unwrap_or_default()),
        shown(tree.bytes)
    );
    let mut wrong: Vec<String> = [&seen.errors, &seen.requests, &seen.unreadable]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            wrong.push(what);
        }
    };
    expect(seen.width == width, format!("its width is {}", seen.width));
    expect(seen.dark == dark, format!("dark is {}", seen.dark));
    expect(
        seen.title == title,
        format!("title {:?}, expected {title:?}", seen.title),
    );
    expect(
        seen.first == first && seen.touched,
        format!("its first box is {}", seen.first),
    );
    expect(
        seen.entered == ["all", first] && seen.focused,
        format!("a click on {first} led to {:?}", seen.entered),
    );
    expect(
        seen.left == ["all"] && seen.returned == first,
        format!("Escape led to {:?}, {}", seen.left, seen.returned),
    );
    expect(
        seen.deeper.len() > 2 && seen.back == ["all"],
        format!(
            "a click on {} led to {:?}, and back to {:?}",
            seen.deep, seen.deeper, seen.back
        ),
    );
    expect(
        seen.reached,
        "something cannot be reached by keys".to_owned(),
    );
    expect(seen.moved, "the right arrow moved nothing".to_owned());
    expect(
        (0.98..1.02).contains(&seen.covered) && proportional(&seen.parts, tree),
        format!("its boxes do not show bytes: {:?}", seen.parts),
    );
    let found = seen.hits.iter().any(|hit| hit == FOUND) && seen.faded > 10;
    expect(
        seen.finding && found && seen.cleared && seen.listed == [first],
        format!("the search shows {:?} and {:?}", seen.hits, seen.listed),
    );
    wrong
}

/// A number of bytes in the format of the page.
fn shown(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with two decimals")]
    let mega = bytes as f64 / 1e6;
    format!("{mega:.2} MB")
}

/// Checks that the boxes have names of the tree, and that each box has an area in proportion to its bytes.
fn proportional(parts: &[Part], tree: &Tree) -> bool {
    let Some(here) = level(parts, tree) else {
        return false;
    };
    #[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
    let scales: Vec<f64> = parts
        .iter()
        .zip(&here.parts)
        .map(|(part, tree)| part.area / tree.bytes as f64)
        .collect();
    // Boxes have whole pixels, so that narrow ones on a phone deviate from the proportion.
    scales
        .iter()
        .all(|scale| (0.9..1.1).contains(&(scale / scales[0])))
}

/// Finds the node of `tree` whose first children have the names of `parts`.
fn level<'a>(parts: &[Part], tree: &'a Tree) -> Option<&'a Tree> {
    let names = parts.iter().map(|part| &part.name);
    let fits = parts.len() > 1 && tree.parts.len() >= parts.len();
    if fits && names.eq(tree.parts.iter().take(parts.len()).map(|part| &part.name)) {
        return Some(tree);
    }
    tree.parts.iter().find_map(|part| level(parts, part))
}
