//! ELF images as binutils read them.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result};

/// The defined dynamic symbols of an image, as `nm` lists them: kind, and name with its version.
pub fn exported(image: &Utf8Path) -> Result<Vec<(char, String)>> {
    let listing = binutil("nm")
        .args([
            "--dynamic",
            "--defined-only",
            "--with-symbol-versions",
            image.as_str(),
        ])
        .output()?
        .stdout;
    Ok(listing
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace().skip(1);
            Some((words.next()?.chars().next()?, words.next()?.to_owned()))
        })
        .collect())
}

/// The text that `readelf --wide` prints with this option.
pub fn readelf(image: &Utf8Path, option: &str) -> Result<String> {
    Ok(binutil("readelf")
        .args(["--wide", option, image.as_str()])
        .output()?
        .stdout)
}

fn binutil(name: &str) -> Tool {
    Tool::new(name, format!("run {name}"))
        .fails_as(ErrorKind::Check)
        .installed_by("apt-get install binutils")
        .env("LC_ALL", "C")
}

/// The values in square brackets on the lines of `readelf --dynamic` that have `tag`.
#[must_use]
pub fn bracketed(dynamic: &str, tag: &str) -> Vec<String> {
    dynamic
        .lines()
        .filter(|line| line.contains(tag))
        .filter_map(|line| {
            line.split_once('[')?
                .1
                .split_once(']')
                .map(|(value, _)| value.to_owned())
        })
        .collect()
}
