//! `cargo lab api-diff`: our package against upstream's of the same LLVM, which an index has as a wheel.

use mondo_build::Result;
use mondo_testbed::Context;
use mondo_testbed::api_diff::{Facts, Packages};

use crate::args::ApiDiffArgs;

/// Compares what is asked for, or all there is.
///
/// # Errors
///
/// If there is a difference that neither list of `tests/api_diff` has.
pub(crate) fn run(context: &Context<'_>, args: &ApiDiffArgs) -> Result<()> {
    let packages = Packages::install(context)?;
    let asked = [
        (Facts::Names, args.names),
        (Facts::Programs, args.programs),
        (Facts::Probes, args.probes),
    ];
    let is_any = asked.iter().any(|(_, is_asked)| *is_asked);
    for (facts, is_asked) in asked {
        if is_asked || !is_any {
            packages.compare(context, facts)?;
        }
    }
    Ok(())
}
