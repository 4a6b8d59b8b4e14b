//! Dialects defined in Rust: the SDK's own tests, and wheels with such dialects under pytest.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle;
use mondo_testbed::{Context, Venv};

use super::{python, rust};

/// Manifests, and the folders of `tests/python` that run against their wheels. The second is of a
/// dialect that fails when told to; it is in no wheel that ships.
const SUITES: &[(&str, &str)] = &[
    ("manifests/units.toml", "units"),
    ("tests/python/faulty/bundle.toml", "faulty"),
];

pub(super) fn check(context: &Context<'_>) -> Result<()> {
    rust::dialects(context)?;
    SUITES
        .iter()
        .try_for_each(|(manifest, folder)| suite(context, manifest.as_ref(), folder))
}

fn suite(context: &Context<'_>, manifest: &Utf8Path, folder: &str) -> Result<()> {
    let options = bundle::Options::new(context.workspace.join(manifest), context.workspace);
    let wheel = bundle::bundle(&options, context.sink)?.wheel;
    let venv = Venv::with_wheels(context, folder, [&wheel])?;
    python::pytest(context, &venv, &[], folder)
}
