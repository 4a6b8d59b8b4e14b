//! Audits of real images, wheels and damaged files, from outside the crate.

mod crafted;
mod fixtures;
mod foreign;
mod hostile;
mod linked;
mod loader;
mod packed;
mod proportion;
mod reference;
mod report;
mod seeds;
mod wheel;
mod wheel_form;
