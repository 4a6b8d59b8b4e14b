//! Cross-check of the audit's ELF reader on the images that ship: two independent readers must find
//! the same exports, needed libraries, versions and weak definitions.

use camino::Utf8Path;
use mondo_audit::cross_check::{Disagreement, compare};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use rayon::prelude::*;

use crate::audit::unreadable;

/// Reads each image, given by name and path, with both readers.
///
/// # Errors
/// `ErrorKind::Audit` where the readers disagree about an image, with each disagreement.
pub(crate) fn images(images: &[(&str, &Utf8Path)]) -> Result<()> {
    let found = images
        .par_iter()
        .map(|&(name, path)| Ok((name, compare(name, &file::map(path)?).map_err(unreadable)?)))
        .collect::<Result<Vec<_>>>()?;
    judge(&found)
}

/// An error if there is any disagreement.
fn judge(found: &[(&str, Vec<Disagreement>)]) -> Result<()> {
    let lines: Vec<String> = found
        .iter()
        .flat_map(|(name, found)| found.iter().map(move |one| format!("{name}: {one}")))
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Audit,
        "two ELF readers disagree about what the bundle ships",
    )
    .because(
        "every image is read with object and with goblin; where they differ, one of them is wrong, \
         and the audit cannot be relied on",
    )
    .details(lines)
    .help(
        "compare with `readelf --dyn-syms --dynamic --version-info` of the image; if strip or the \
         linker damaged it, use another version of that tool, else report the reader that is wrong",
    ))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use mondo_audit::cross_check::{Fact, Reader};

    use super::*;

    /// The C library that this program is loaded with.
    fn libc() -> Utf8PathBuf {
        let maps = fs_err::read_to_string("/proc/self/maps").unwrap();
        let mut paths = maps
            .lines()
            .filter_map(|line| line.split_whitespace().nth(5));
        let path = paths.find(|path| path.ends_with("/libc.so.6")).unwrap();
        Utf8PathBuf::from(path)
    }

    #[test]
    fn images_that_both_readers_agree_on_pass() {
        let path = libc();
        images(&[("one", &path), ("two", &path)]).unwrap();
    }

    #[test]
    fn an_image_that_cannot_be_read_is_an_error_of_the_audit() {
        let dir = tempfile::tempdir().unwrap();
        let cut = Utf8Path::from_path(dir.path()).unwrap().join("cut.so");
        fs_err::write(&cut, &fs_err::read(libc()).unwrap()[..5000]).unwrap();
        let error = images(&[("cut.so", &cut)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Audit);
    }

    #[test]
    fn disagreements_fail_sorted_by_image() {
        let export = |weak| Fact::Export {
            name: "mlirContextCreate".to_owned(),
            version: Some("ACME_1".to_owned()),
            weak,
        };
        let one = |fact, only| Disagreement { fact, only };
        let needed = Fact::Needed("libz.so.1".to_owned());
        let error = judge(&[
            ("libmondo.so", Vec::new()),
            ("b.so", vec![one(needed, Reader::Goblin)]),
            (
                "a.so",
                vec![
                    one(export(true), Reader::Object),
                    one(export(false), Reader::Goblin),
                ],
            ),
        ])
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Audit);
        let text = error.to_string();
        let at = |line: &str| text.find(line).unwrap_or_else(|| panic!("{line}: {text}"));
        let lines = [
            "a.so: the export mlirContextCreate@ACME_1: found by goblin alone",
            "a.so: the weak definition mlirContextCreate@ACME_1: found by object alone",
            "b.so: the needed library libz.so.1: found by goblin alone",
        ];
        assert!(lines.map(at).is_sorted(), "{text}");
        assert!(text.contains("readelf"), "{text}");
        judge(&[("a.so", Vec::new())]).unwrap();
    }
}
