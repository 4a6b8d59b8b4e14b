//! Tests of sizes: of a library that is linked here, and of generated trees and graphs.

mod linked;
mod made_up;
mod pages;
