//! The methods of `_OperationBase`, `Operation`, and `OpView`, and the functions that create, move, and walk
//! operations. `ownership/operation` has the wrappers.

pub(crate) mod attributes;
mod classes;
mod create;
mod edit;
mod generic;
mod getters;
mod methods;
mod publication;
pub(crate) mod traits;
mod view;
mod walk;
mod wrong_argument;

pub(crate) use create::{Attributes, Few, Recipe, Regions, ValueLike, blocks_of, new_op};
pub(crate) use edit::{Spot, attach, too_deep};
pub(crate) use publication::install;
