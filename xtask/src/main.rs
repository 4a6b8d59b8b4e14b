//! `cargo xtask`: arguments, progress and exit codes. What the commands do is in `mondo-build`.

fn main() {}
