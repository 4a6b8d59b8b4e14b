//! `mondo check`.

use mondo_build::{Result, publish};

use crate::args::CheckArgs;
use crate::console;
use crate::program::to_json;

/// Checks the wheels of a release and prints the digest of each.
pub(super) fn run(args: &CheckArgs, json: bool) -> Result<()> {
    let ready = publish::check(&args.wheels)?;
    if json {
        console::out(to_json(&ready)?);
        return Ok(());
    }
    for one in &ready {
        let attestations = match one.attestations.as_slice() {
            [] => String::new(),
            names => format!("\n  attested by {}", names.join(", ")),
        };
        console::out(format!(
            "{}\n  {} {}, metadata {}, {:.1} MB\n  sha256 {}{attestations}",
            one.file,
            one.distribution,
            one.version,
            one.metadata,
            one.bytes as f64 / 1e6,
            one.sha256
        ));
    }
    Ok(())
}
