//! Sizes of what is linked here, and of trees and graphs that are made up.

mod linked;
mod made_up;
mod pages;
