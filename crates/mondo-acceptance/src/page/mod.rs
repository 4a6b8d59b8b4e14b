//! The page of `mondo size --html` in a headless browser.
//!
//! The script `page.js` is appended to the page. It clicks and types there, and writes its observations into
//! the document, which the browser prints.

mod browser;

use std::time::Duration;

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle::work_dir;
use mondo_build::path::utf8;
use mondo_build::size::contents::{Sizes, Tree, of_wheel};
use mondo_build::size::html::html;
use mondo_testbed::Context;
use mondo_testbed::verdict::{expect, failed};
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
    for (faults, part) in [
        (&seen.unreadable, "sideways"),
        (&seen.unreadable, "contrast"),
        (&seen.errors, "x.png"),
    ] {
        if !faults.iter().any(|fault| fault.contains(part)) {
            wrong.push(format!("a broken page is not found to be so: {part}"));
        }
    }
    let what = "the page with the sizes is not as it should be";
    expect(wrong.is_empty(), what, wrong.join("\n"))
        .map_err(|error| error.help("look at it: mondo size --html sizes.html"))
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
    let tool = browser
        .tool(utf8(profile.path())?, "open the page with the sizes")
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
        failed("the page could not be used to the end")
            .at(&file)
            .because(json)
    })?;
    let lines = output.stderr.lines();
    let console = lines.filter(|line| line.contains("CONSOLE"));
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
    let found = seen.hits.iter().any(|hit| hit == FOUND) && seen.faded > 10;
    let is_covered = (0.98..1.02).contains(&seen.covered);
    let expected = [
        (seen.width == width, "its width"),
        (seen.dark == dark, "its colours"),
        (seen.title == title, "its title"),
        (seen.first == first && seen.touched, "its first box"),
        (
            seen.entered == ["all", first] && seen.focused,
            "a click on the first box",
        ),
        (seen.left == ["all"] && seen.returned == first, "Escape"),
        (
            seen.deeper.len() > 2 && seen.back == ["all"],
            "a click on a box inside, and back",
        ),
        (seen.reached, "reaching everything by keys"),
        (seen.moved, "the right arrow"),
        (
            is_covered && proportional(&seen.parts, tree),
            "boxes in proportion to bytes",
        ),
        (
            seen.finding && found && seen.cleared && seen.listed == [first],
            "the search",
        ),
    ];
    let broken = expected.into_iter().filter(|(holds, _)| !holds);
    let broken = broken
        .map(|(_, what)| format!("{what} is wrong: expected {title:?} and {first}, seen {seen:?}"));
    let faults = [&seen.errors, &seen.requests, &seen.unreadable]
        .into_iter()
        .flatten()
        .cloned();
    faults.chain(broken).collect()
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
