//! Hostile surroundings: the command where users have no rights, no home and no clock. Each case ends as it does elsewhere,
//! or with a typed error.

mod cache;
mod clocks;
mod strangers;

use mondo_build::Result;
use mondo_testbed::{Context, Extent};

use crate::backend;

/// Runs the command as a user without anything, with a damaged cache, and with `--all` under wrong clocks.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let program = backend::program(context)?;
    strangers::check(&program)?;
    cache::check(&program, extent, context)?;
    if extent.is_all() {
        clocks::check(&program, context)?;
    }
    Ok(())
}
