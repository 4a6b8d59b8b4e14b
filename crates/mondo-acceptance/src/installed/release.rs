//! The wheels of a release as one set: `mondo check` takes them, and refuses each fault that an
//! index refuses. twine, which people upload with, says the same of the set.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_testbed::{Context, Venv};

use super::environment::{Environment, failed};

/// The bundles of a release, beside the wheels of the command and of its kit.
const BUNDLES: [&str; 3] = ["default", "standard", "core"];

/// The faults that `tests/python/release/faults.py` makes, with words of the errors.
const FAULTS: [(&str, &[&str]); 24] = [
    ("size", &["[record]", "another size"]),
    ("digest", &["[record]", "another hash"]),
    ("too-large", &["an index accepts at most 104857600"]),
    ("metadata-version", &["Metadata-Version", "not a version"]),
    ("requirement", &["Requires-Dist", "numpy >>3"]),
    ("direct-requirement", &["refuses requirements with a URL"]),
    ("extra", &["Provides-Extra", "a b is not a name"]),
    ("field", &["Colour", "not a field"]),
    ("import-name", &["Import-Name", "came with version 2.5"]),
    ("classifier", &["refuses the classifier Private"]),
    ("licence-classifier", &["beside License-Expression"]),
    ("long-summary", &["an index accepts at most 512"]),
    ("url", &["Project-URL", "not an http"]),
    ("email", &["Maintainer-email", "not an email address"]),
    ("name", &["Name", "is not the file's"]),
    ("summary", &["it has no summary"]),
    ("licence", &["licence file", "lacks the licence file"]),
    ("licence-expression", &["it has no licence expression"]),
    ("sbom", &["it has no bill of materials"]),
    ("tag", &["[tag]"]),
    ("attested-other", &["is for a file with SHA-256"]),
    ("attested-type", &["statement of type"]),
    ("attested-predicate", &["predicate of type"]),
    ("attested-unproved", &["missing field `certificate`"]),
];

/// An attestation of the wheel itself, beside it.
const ATTESTED: &str = "attested";

/// Checks the wheels of `own`, the command's and the kit's, with those of the bundles.
pub(super) fn check(
    environment: &Environment,
    own: &[Utf8PathBuf],
    scratch: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    sizes(own, context)?;
    let mut wheels = own.to_vec();
    for name in BUNDLES {
        wheels.push(context.bundle(name)?.wheel);
    }
    let said = environment
        .mondo(&["check", "--json"])
        .args(&wheels)
        .output()?
        .stdout;
    let ready: serde_json::Value = serde_json::from_str(&said)
        .map_err(|error| failed("`mondo check --json` prints no JSON").caused_by(error))?;
    let ready = ready.as_array().map_or(&[][..], Vec::as_slice);
    let names = ready.iter().filter_map(|one| one["distribution"].as_str());
    let names: Vec<&str> = names.collect();
    let expected = [
        "mondo-bundle",
        "mondo-kit-22",
        "mondo-mlir",
        "mondo-mlir-core",
        "mondo-mlir-standard",
    ];
    if names != expected {
        return Err(failed("these are not the wheels of a release").because(names.join(", ")));
    }
    if let Some(old) = ready.iter().find(|one| one["metadata"] != "2.4") {
        return Err(
            failed("a wheel of a release has other metadata than version 2.4")
                .because(old.to_string()),
        );
    }
    let list = context.workspace.join("tests/python/twine.txt");
    Venv::kept(context, "twine", &list)?
        .python("pass twine's checks")
        .args(["-m", "twine", "check", "--strict"])
        .args(&wheels)
        .output()?;
    let folder = scratch.join("faults");
    environment
        .python("make wheels with faults")
        .arg(context.workspace.join("tests/python/release/faults.py"))
        .arg(&folder)
        .args(&wheels)
        .output()?;
    for (fault, words) in FAULTS {
        let output = environment
            .mondo(&["check"])
            .args(with(&folder.join(fault), &wheels)?)
            .output_unchecked()?;
        let all = words.iter().all(|word| output.stderr.contains(word));
        if output.status.code() != Some(25) || !all {
            return Err(
                failed(format!("a release with the fault {fault} is not refused"))
                    .because(output.stderr)
                    .details(words.iter().map(ToString::to_string)),
            );
        }
    }
    let said = environment
        .mondo(&["check"])
        .args(with(&folder.join(ATTESTED), &wheels)?)
        .output()?
        .stdout;
    if !said.contains("attested by ") {
        return Err(failed("an attestation beside a wheel is not seen").because(said));
    }
    let made = folder.read_dir_utf8()?.count();
    if made != FAULTS.len() + 1 {
        return Err(failed(format!(
            "of {made} faults, {} are tried",
            FAULTS.len() + 1
        )));
    }
    console::err(format!(
        "a release of {} wheels; each of {} faults is refused",
        wheels.len(),
        FAULTS.len()
    ));
    Ok(())
}

/// The guide's table says how large the wheels of `own` are.
fn sizes(own: &[Utf8PathBuf], context: &Context<'_>) -> Result<()> {
    let page = context.workspace.join("docs/contributing/release.md");
    let text = fs_err::read_to_string(&page)?;
    let mut wrong = Vec::new();
    for wheel in own {
        let file = wheel.file_name().unwrap_or_default();
        let distribution = file.split('-').next().unwrap_or_default().replace('_', "-");
        let tenths = (fs_err::metadata(wheel)?.len() + 50_000) / 100_000;
        let row = format!("| `{distribution}` |");
        let size = format!("| {}.{} MB |", tenths / 10, tenths % 10);
        let mut rows = text.lines().filter(|line| line.starts_with(&row));
        if !rows.any(|line| line.ends_with(&size)) {
            wrong.push(format!("{row} … {size}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(failed("the guide's table of wheels has other sizes")
        .because(page)
        .details(wrong))
}

/// The wheels, with the one in `folder` in the place of that of its name.
fn with(folder: &Utf8Path, wheels: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>> {
    let changed = mondo_testbed::files::wheel_in(folder)?;
    let replace = |wheel: &Utf8PathBuf| {
        let same = wheel.file_name() == changed.file_name();
        if same { &changed } else { wheel }.clone()
    };
    Ok(wheels.iter().map(replace).collect())
}
