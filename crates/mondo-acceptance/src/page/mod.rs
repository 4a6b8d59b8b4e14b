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
use mondo_testbed::verdict::{self, expect};
use serde_json::{Value, json};

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

/// Uses the page of the default wheel: light and dark, wide and on a phone.
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
        ("unreadable", "sideways"),
        ("unreadable", "contrast"),
        ("errors", "x.png"),
    ] {
        if !texts(&seen, faults)
            .iter()
            .any(|fault| fault.contains(part))
        {
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
) -> Result<Value> {
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
    let mut seen = verdict::json(json)?;
    let console = output
        .stderr
        .lines()
        .filter(|line| line.contains("CONSOLE"));
    if let Some(errors) = seen["errors"].as_array_mut() {
        errors.extend(console.map(Value::from));
    }
    Ok(seen)
}

fn texts<'a>(seen: &'a Value, key: &str) -> Vec<&'a str> {
    let texts = seen[key].as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).collect()
}

/// The observations of `page.js` that are wrong.
fn wrongs(seen: &Value, sizes: &Sizes, (width, _): (u32, u32), dark: bool) -> Vec<String> {
    let tree = &sizes.tree;
    let first = tree.parts.first().map_or("", |part| &part.name);
    let [packed, bytes] = [tree.packed.unwrap_or_default(), tree.bytes].map(shown);
    let expected = json!({
        "errors": [], "requests": [], "unreadable": [],
        "width": width, "dark": dark,
        "title": format!("{} {packed} in the wheel, {bytes} installed", tree.name),
        "first": first, "touched": true,
        // A click on the first box, and Escape.
        "entered": ["all", first], "focused": true, "left": ["all"], "returned": first,
        // A click on a box inside, and back.
        "back": ["all"],
        // Keys reach everything, and the right arrow moves.
        "reached": true, "moved": true,
        // The search.
        "finding": true, "cleared": true, "listed": [first],
    });
    let expected = expected.as_object().into_iter().flatten();
    let mut wrong: Vec<String> = expected
        .filter(|(key, value)| seen[key.as_str()] != **value)
        .map(|(key, value)| format!("{key} is {}, expected {value}", seen[key.as_str()]))
        .collect();
    for (holds, what) in [
        (
            texts(seen, "deeper").len() > 2,
            "a click on a box inside leads nowhere",
        ),
        (proportional(seen, tree), "boxes do not show bytes"),
        (
            texts(seen, "hits").contains(&FOUND),
            "the search finds nothing",
        ),
        (
            seen["faded"].as_u64() > Some(10),
            "the search fades nothing",
        ),
    ] {
        if !holds {
            wrong.push(format!("{what}: {seen}"));
        }
    }
    wrong
}

/// A number of bytes in the format of the page.
fn shown(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with two decimals")]
    let mega = bytes as f64 / 1e6;
    format!("{mega:.2} MB")
}

/// Checks that boxes cover the diagram and have names of the tree, and that the area of each is in proportion to its bytes.
fn proportional(seen: &Value, tree: &Tree) -> bool {
    let parts: Vec<(&str, f64)> = seen["parts"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| Some((part["name"].as_str()?, part["area"].as_f64()?)))
        .collect();
    let Some(here) = level(&parts, tree) else {
        return false;
    };
    #[expect(clippy::cast_precision_loss, reason = "compared with a tolerance")]
    let scale = |((_, area), part): (&(&str, f64), &Tree)| area / part.bytes as f64;
    let scales: Vec<f64> = parts.iter().zip(&here.parts).map(scale).collect();
    // Boxes have whole pixels, so that narrow ones on a phone deviate from the proportion.
    let is_even = |scale: &f64| (0.9..1.1).contains(&(scale / scales[0]));
    let covered = seen["covered"].as_f64().unwrap_or_default();
    (0.98..1.02).contains(&covered) && scales.iter().all(is_even)
}

/// Finds the node of `tree` whose first children have the names of `parts`.
fn level<'a>(parts: &[(&str, f64)], tree: &'a Tree) -> Option<&'a Tree> {
    let names = tree.parts.iter().map(|part| part.name.as_str());
    let fits = parts.len() > 1 && tree.parts.len() >= parts.len();
    if fits
        && names
            .take(parts.len())
            .eq(parts.iter().map(|(name, _)| *name))
    {
        return Some(tree);
    }
    tree.parts.iter().find_map(|part| level(parts, part))
}
