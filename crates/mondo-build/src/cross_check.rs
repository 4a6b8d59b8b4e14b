//! Cross-check of the audit's ELF reader on the images that ship: two independent readers must find
//! the same exports, needed libraries, versions and weak definitions.

use mondo_audit::cross_check::{Disagreement, compare};
use mondo_audit::{ReadError, Wheel};
use mondo_core::error::{Error, ErrorKind, Result};
use rayon::prelude::*;

/// The first bytes of an ELF file.
const ELF: &[u8] = b"\x7fELF";

/// Reads each ELF file in a wheel, which unpacks to at most `limit` bytes, with both readers. Returns the number of
/// these files.
///
/// # Errors
/// `ErrorKind::Audit` where the readers disagree about an image, with each disagreement, and where the wheel or an image
/// cannot be read.
pub(crate) fn wheel(name: &str, bytes: &[u8], limit: u64) -> Result<usize> {
    let wheel = Wheel::read(name, bytes, limit).map_err(unreadable)?;
    let found = wheel
        .entries
        .par_iter()
        .filter_map(|entry| {
            let bytes = match wheel.contents(entry) {
                Ok(bytes) => bytes,
                Err(error) => return Some(Err(error)),
            };
            let compared = bytes
                .starts_with(ELF)
                .then(|| compare(&entry.name, &bytes))?;
            Some(compared.map(|found| (entry.name.as_str(), found)))
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    judge(&found)?;
    Ok(found.len())
}

/// The error of a file that mondo-audit cannot read.
pub(crate) fn unreadable(error: ReadError) -> Error {
    Error::new(ErrorKind::Audit, "cannot audit file").because(error.to_string())
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
        "mondo reads every image with object and with goblin; if they differ, one of them is \
         wrong, and the audit is unreliable",
    )
    .details(lines)
    .help(
        "compare with the output of `readelf --dyn-syms --dynamic --version-info`; if strip \
         or the linker damaged the image, use another version of that tool, else report a bug \
         in mondo",
    ))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use camino::Utf8PathBuf;
    use mondo_audit::cross_check::{Fact, Reader};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

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

    /// A wheel of these members.
    fn packed(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn every_image_of_a_wheel_is_read_by_both_readers() {
        let libc = fs_err::read(libc()).unwrap();
        let bytes = packed(&[
            ("mlir/libmlir_mondo.so", &libc),
            ("mlir/libMLIRPythonCAPI.so", &libc),
            ("mlir/a-name-without-an-ending", &libc),
            ("mlir/ir.py", b"import mlir"),
        ]);
        assert_eq!(wheel("one.whl", &bytes, u64::MAX).unwrap(), 3);
    }

    #[test]
    fn an_image_that_cannot_be_read_is_an_error_of_the_audit() {
        let cut = &fs_err::read(libc()).unwrap()[..5000];
        let bytes = packed(&[("mlir/cut.so", cut)]);
        let error = wheel("one.whl", &bytes, u64::MAX).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Audit);
        assert!(error.to_string().contains("cut.so"), "{error}");
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
