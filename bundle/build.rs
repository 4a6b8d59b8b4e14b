//! Writes `registration.rs`: the tables of C API functions that register what the manifest picked.
//!
//! Reads `MONDO_BUNDLE_REGISTRATION`, the path of a JSON file that the pipeline writes; without it
//! the tables are empty, so that the crate can be checked on its own.

use std::env;
use std::path::PathBuf;

#[path = "registration.rs"]
mod registration;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=registration.rs");
    println!("cargo::rerun-if-env-changed=MONDO_BUNDLE_REGISTRATION");
    if let Err(message) = run() {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let source = match env::var_os("MONDO_BUNDLE_REGISTRATION").map(PathBuf::from) {
        None => registration::Source::default(),
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            registration::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?
        }
    };
    println!("cargo::rustc-check-cfg=cfg(translation, values(any()))");
    for name in &source.translations {
        println!("cargo::rustc-cfg=translation=\"{name}\"");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    let out = out.join("registration.rs");
    std::fs::write(&out, registration::generate(&source))
        .map_err(|error| format!("cannot write {}: {error}", out.display()))
}
