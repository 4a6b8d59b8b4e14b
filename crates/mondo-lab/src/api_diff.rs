//! `cargo lab api-diff`: compares mondo's package with a wheel of upstream's bindings of the same LLVM.
//! mondo-testbed has the comparisons.

use mondo_build::Result;
use mondo_testbed::Context;
use mondo_testbed::api_diff::{Facts, Packages};

use crate::args::ApiDiffArgs;

/// Runs the comparisons that `args` names, or all of them.
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
