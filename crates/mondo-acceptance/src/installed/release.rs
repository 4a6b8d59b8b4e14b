//! The wheels of a release as one set: `mondo check` takes them, and refuses each fault that an
//! index refuses. twine, which people upload with, says the same of the set.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_testbed::files::wheel_in;
use mondo_testbed::verdict::{expect, expect_end, json};
use mondo_testbed::{Context, Venv};

use super::environment::Environment;

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
    ("url", &["Project-URL", "has no http or https URL"]),
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
    let mut wheels = own.to_vec();
    for name in BUNDLES {
        wheels.push(context.bundle(name)?.wheel);
    }
    let said = environment
        .mondo(&["check", "--json"])
        .args(&wheels)
        .output()?
        .stdout;
    let ready = json(&said)?;
    let of_wheels = |key: &str| -> Vec<&str> {
        let wheels = ready.as_array().into_iter().flatten();
        wheels.filter_map(|wheel| wheel[key].as_str()).collect()
    };
    let names = of_wheels("distribution").join(" ");
    let expected = "mondo-bundle mondo-kit-22 mondo-mlir mondo-mlir-core mondo-mlir-standard";
    let what = "these are not the wheels of a release";
    expect(names == expected, what, names)?;
    let versions = of_wheels("metadata");
    let what = "a wheel of a release has other metadata than version 2.4";
    expect(versions == ["2.4"; 5], what, versions.join(", "))?;
    Venv::kept(context, "twine")?
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
    let attested = (ATTESTED, 0, &["attested by "][..]);
    let faults = FAULTS.map(|(fault, words)| (fault, 25, words));
    for (name, code, words) in faults.into_iter().chain([attested]) {
        let wheels = with(&folder.join(name), &wheels)?;
        let output = environment
            .mondo(&["check"])
            .args(wheels)
            .output_unchecked()?;
        expect_end(&format!("a release with `{name}`"), &output, code, words)?;
    }
    let made = folder.read_dir_utf8()?.count();
    let what = format!("not all of {made} faults are tried");
    expect(made == FAULTS.len() + 1, what, folder)?;
    console::err(format!(
        "a release of {} wheels; each of {} faults is refused",
        wheels.len(),
        FAULTS.len()
    ));
    Ok(())
}

/// The wheels, with the one in `folder` in place of that of its name.
fn with(folder: &Utf8Path, wheels: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>> {
    let changed = wheel_in(folder)?;
    let replace = |wheel: &Utf8PathBuf| {
        let same = wheel.file_name() == changed.file_name();
        if same { &changed } else { wheel }.clone()
    };
    Ok(wheels.iter().map(replace).collect())
}
