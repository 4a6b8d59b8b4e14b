//! The catalogue for an LLVM that the user names: mondo's own, compared with what the prefix has.

use mondo_core::error::Result;
use mondo_core::progress::Sink;
use mondo_link::prefix_contents;
use mondo_plan::catalogue::{Adapted, Catalogue};
use mondo_toolchain::{self as toolchain, Toolchain};

/// The number of differences that one note lists.
const LISTED: usize = 12;

/// The catalogue for a request, and the LLVM of the prefix if the request names one. Differences are notes; the plan
/// refuses a row that the manifest names and the prefix lacks.
///
/// # Errors
/// `ErrorKind::Toolchain` for a prefix that cannot be used.
pub(super) fn of(
    wanted: &toolchain::Request,
    sink: &dyn Sink,
) -> Result<(Catalogue, Option<Toolchain>)> {
    let catalogue = Catalogue::upstream()?;
    if wanted.llvm_dir.is_none() && wanted.env_llvm_dir.is_none() {
        return Ok((catalogue, None));
    }
    let toolchain = toolchain::find(wanted, sink)?;
    let present = prefix_contents(&toolchain, wanted.major)?;
    let adapted = catalogue.for_prefix(&present)?;
    for line in notes(&adapted, &present.called) {
        sink.note(&line);
    }
    Ok((adapted.catalogue, Some(toolchain)))
}

/// The differences, in at most two notes.
fn notes(adapted: &Adapted, called: &str) -> Vec<String> {
    let missing = adapted
        .missing
        .iter()
        .map(mondo_plan::catalogue::Difference::line);
    let missing = listed(missing.collect()).map(|lines| {
        format!("mondo leaves out what {called} lacks, compared with mondo's catalogue:{lines}")
    });
    let unlisted = listed(adapted.unlisted.clone()).map(|lines| {
        format!("mondo's catalogue lacks these parts of {called}, so no bundle has them:{lines}")
    });
    missing.into_iter().chain(unlisted).collect()
}

fn listed(mut lines: Vec<String>) -> Option<String> {
    let more = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("\n  {line}")).collect();
    (!lines.is_empty()).then(|| lines.concat())
}
