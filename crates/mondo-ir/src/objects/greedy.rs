//! The options of the greedy pattern rewrite driver.

use mondo_sys::*;

use crate::c_object::Owned;

/// The options of the greedy pattern rewrite driver.
#[derive(Debug)]
pub struct GreedyConfig(pub(super) Owned<MlirGreedyRewriteDriverConfig>);

// SAFETY: the options are numbers of their own, which are written through exclusive borrows.
unsafe impl Send for GreedyConfig {}
// SAFETY: the options are numbers of their own, which a shared borrow only reads.
unsafe impl Sync for GreedyConfig {}

/// Defines an option: how it is read and set.
macro_rules! options {
    ($($(#[$doc:meta])* $get:ident, $set:ident: $type:ty = $getter:ident, $setter:ident;)+) => {
        impl GreedyConfig {
            $($(#[$doc])*
            pub fn $get(&self) -> $type {
                // SAFETY: `Owned` keeps the options alive as long as this.
                unsafe { $getter(self.0.get()) }
            }

            /// Sets it.
            pub fn $set(&mut self, value: $type) {
                // SAFETY: `Owned` keeps the options alive as long as this, and values of enumerations are
                // checked before they come here.
                unsafe { $setter(self.0.get(), value) };
            })+
        }

        impl Clone for GreedyConfig {
            fn clone(&self) -> Self {
                let mut copy = Self::default();
                $(copy.$set(self.$get());)+
                copy
            }
        }
    };
}

options! {
    /// The greatest number of passes over all operations; -1: as many as needed.
    max_iterations, set_max_iterations: i64 =
        mlirGreedyRewriteDriverConfigGetMaxIterations, mlirGreedyRewriteDriverConfigSetMaxIterations;
    /// The greatest number of rewrites in each pass; -1: any number.
    max_num_rewrites, set_max_num_rewrites: i64 =
        mlirGreedyRewriteDriverConfigGetMaxNumRewrites,
        mlirGreedyRewriteDriverConfigSetMaxNumRewrites;
    /// Returns true if operations come before those in their regions.
    use_top_down_traversal, set_use_top_down_traversal: bool =
        mlirGreedyRewriteDriverConfigGetUseTopDownTraversal,
        mlirGreedyRewriteDriverConfigSetUseTopDownTraversal;
    /// Returns true if operations are folded.
    enable_folding, set_enable_folding: bool =
        mlirGreedyRewriteDriverConfigIsFoldingEnabled, mlirGreedyRewriteDriverConfigEnableFolding;
    /// Returns true if equal constants become one.
    enable_constant_cse, set_enable_constant_cse: bool =
        mlirGreedyRewriteDriverConfigIsConstantCSEEnabled,
        mlirGreedyRewriteDriverConfigEnableConstantCSE;
    /// The operations that patterns are applied to: 0 any, 1 those that were there and new ones, 2 those that
    /// were there.
    strictness, set_strictness_value: u32 =
        mlirGreedyRewriteDriverConfigGetStrictness, mlirGreedyRewriteDriverConfigSetStrictness;
    /// The level to which regions are simplified, from 0 to 2.
    region_level, set_region_level_value: u32 =
        mlirGreedyRewriteDriverConfigGetRegionSimplificationLevel,
        mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel;
}

impl GreedyConfig {
    /// Sets the strictness; more than 2 is 2.
    pub fn set_strictness(&mut self, value: u32) {
        self.set_strictness_value(value.min(2));
    }

    /// Sets the level; more than 2 is 2.
    pub fn set_region_level(&mut self, value: u32) {
        self.set_region_level_value(value.min(2));
    }
}

impl Default for GreedyConfig {
    fn default() -> Self {
        // SAFETY: the constructor has no precondition, and nothing else owns the new options.
        Self(unsafe { Owned::new(mlirGreedyRewriteDriverConfigCreate()) })
    }
}
