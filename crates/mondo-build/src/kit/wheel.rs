//! The wheel of a kit: pip puts its files below the prefix of an environment, where the command looks
//! for them.

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_core::kit::{DISTRIBUTION, Record, VERSION, place_in_prefix};
use mondo_core::source::Source;
use mondo_package::wheel::metadata::Metadata;
use mondo_package::wheel::sbom::SbomInput;
use mondo_package::wheel::{self, Epoch, Stage, Tag, WheelFile, WriteOptions};

use super::contents::LICENSE;
use crate::audit;

/// The minimum glibc of the wheels of the command and of kits.
pub(crate) const MINIMUM_GLIBC: (u32, u32) = (2, 17);

/// The description of kits, for an index, in a checkout.
const DESCRIPTION: &str = "crates/mondo-build/data/kit.md";

/// The metadata that the wheels of mondo itself have in common. An index shows `description`, a file of the checkout, on
/// the page of each; there is no public address yet that a project's URL could name.
pub(crate) fn metadata(
    distribution: &str,
    summary: &str,
    description: &str,
    source: &Source,
) -> Metadata {
    Metadata {
        distribution: distribution.to_owned(),
        version: VERSION.to_owned(),
        summary: Some(summary.to_owned()),
        license: "Apache-2.0 WITH LLVM-exception".to_owned(),
        license_files: vec![source.license()],
        readme: Some(source.root().join(description)),
        requires_python: ">=3.10".to_owned(),
        ..Metadata::default()
    }
}

/// The tag of a wheel that runs under each Python 3.
pub(crate) fn tag() -> Tag {
    Tag {
        python: "py3".to_owned(),
        abi: "none".to_owned(),
        platform: wheel::platform(MINIMUM_GLIBC, std::env::consts::ARCH),
    }
}

/// Writes the wheel of the kit in `folder`, audited.
pub(super) fn write(
    name: &str,
    source: &Source,
    folder: &Utf8Path,
    record: &Record,
    sbom: SbomInput<'_>,
    out_dir: &Utf8Path,
) -> Result<WheelFile> {
    let summary = format!(
        "mondo's precompiled parts for bundles of LLVM {}",
        record.llvm
    );
    let mut metadata = metadata(name, &summary, DESCRIPTION, source);
    metadata.requires = vec![format!("{DISTRIBUTION}=={VERSION}")];
    let data = format!(
        "{}-{}.data/data",
        metadata.file_name()?,
        metadata.normal_version()?
    );
    let mut stage = Stage::default();
    let llvm = record.llvm.split('.').next().unwrap_or_default();
    let place = place_in_prefix(llvm);
    stage.tree(folder, &format!("{data}/{place}"))?;
    // The licence goes into the wheel's `.dist-info` instead.
    let license = format!("{data}/{place}/{LICENSE}");
    stage.entries.retain(|entry| entry.path != license);
    let write = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    let packed = wheel::pack(&stage, &metadata, &tag(), &sbom, &write)?;
    let name = packed.name.clone();
    packed.write(out_dir, |bytes| audit::bytes_of_wheel(&name, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_for_readers_without_the_checkout() {
        let root = Source::locate().unwrap().root().to_owned();
        let of_command = super::super::command::DESCRIPTION;
        for path in [DESCRIPTION, of_command, "bundle/description.md"] {
            let text = fs_err::read_to_string(root.join(path)).unwrap();
            for (_, link) in text
                .match_indices("](")
                .map(|(at, _)| text.split_at(at + 2))
            {
                assert!(link.starts_with("https://"), "{path}: {link}");
            }
            assert!(!text.contains("cargo xtask"), "{path}");
        }
    }
}
