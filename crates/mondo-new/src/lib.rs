//! New folders from templates: a Python project, or a dialect crate.
//!
//! [`project`] and [`dialect`] first make the texts of all files, then write them: a folder is there as a whole or not at
//! all. Both also describe projects that already have their own `CMake`; they read those and never change them.

pub mod dialect;
mod new_folder;
pub mod project;
mod template;
