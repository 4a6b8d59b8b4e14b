//! Attestations beside wheels (PEP 740): each names one file and its digest, as its subject.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use serde::Deserialize;

/// The file names of attestations end so. They begin with that of their wheel.
const SUFFIX: &str = ".attestation";

/// The version of the format.
const VERSION: u32 = 1;

/// An attestation, without what only a verifier of signatures reads.
#[derive(Deserialize)]
struct Attestation {
    version: u32,
    envelope: Envelope,
}

#[derive(Deserialize)]
struct Envelope {
    /// The statement as JSON, in base64.
    statement: String,
}

#[derive(Deserialize)]
struct Statement {
    subject: Vec<Subject>,
}

#[derive(Deserialize)]
struct Subject {
    name: String,
    digest: Digest,
}

#[derive(Deserialize)]
struct Digest {
    sha256: String,
}

/// The attestations in the folder of `wheel` that its name begins.
///
/// # Errors
/// `ErrorKind::Io` where the folder cannot be read.
pub(super) fn beside(wheel: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let start = format!("{}.", wheel.file_name().unwrap_or_default());
    let folder = match wheel.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if name.starts_with(&start) && name.ends_with(SUFFIX) {
            found.push(entry.into_path());
        }
    }
    found.sort();
    Ok(found)
}

/// The reason for which an index would refuse the attestation `text` of the file `name`, if there is one.
pub(super) fn complaint(text: &[u8], name: &str, sha256: &str) -> Option<String> {
    let attestation: Attestation = match serde_json::from_slice(text) {
        Ok(attestation) => attestation,
        Err(error) => return Some(format!("is no attestation: {error}")),
    };
    if attestation.version != VERSION {
        let version = attestation.version;
        return Some(format!("has format {version}, and indexes read {VERSION}"));
    }
    let Ok(statement) = STANDARD.decode(&attestation.envelope.statement) else {
        return Some("has a statement that is not base64".to_owned());
    };
    let statement: Statement = match serde_json::from_slice(&statement) {
        Ok(statement) => statement,
        Err(error) => return Some(format!("has a statement that cannot be read: {error}")),
    };
    let [subject] = statement.subject.as_slice() else {
        let count = statement.subject.len();
        return Some(format!("has {count} subjects, and an index wants one"));
    };
    if subject.name != name {
        return Some(format!("is for {}", subject.name));
    }
    (!subject.digest.sha256.eq_ignore_ascii_case(sha256)).then(|| {
        format!(
            "is for a file with the SHA-256 {}, and this one has {sha256}",
            subject.digest.sha256
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statements about `a.whl` with the digest `ab`, of two subjects, and of none.
    const GOOD: &str =
        "eyJzdWJqZWN0IjpbeyJuYW1lIjoiYS53aGwiLCJkaWdlc3QiOnsic2hhMjU2IjoiYWIifX1dfQ==";
    const NONE: &str = "eyJzdWJqZWN0IjpbXX0=";

    fn attestation(version: u32, statement: &str) -> String {
        format!(
            "{{\"version\": {version}, \"verification_material\": {{}},
              \"envelope\": {{\"statement\": \"{statement}\", \"signature\": \"\"}}}}"
        )
    }

    #[test]
    fn an_attestation_is_of_one_file_and_its_digest() {
        let good = attestation(1, GOOD);
        assert_eq!(complaint(good.as_bytes(), "a.whl", "AB"), None);
        for (text, name, sha256, why) in [
            (good.clone(), "b.whl", "ab", "is for a.whl"),
            (good, "a.whl", "cd", "SHA-256 ab, and this one has cd"),
            (attestation(2, GOOD), "a.whl", "ab", "format 2"),
            (attestation(1, "?"), "a.whl", "ab", "not base64"),
            (attestation(1, "e30="), "a.whl", "ab", "cannot be read"),
            (attestation(1, NONE), "a.whl", "ab", "0 subjects"),
            ("{".to_owned(), "a.whl", "ab", "no attestation"),
        ] {
            let found = complaint(text.as_bytes(), name, sha256).unwrap_or_default();
            assert!(found.contains(why), "{why}: {found}");
        }
    }

    #[test]
    fn a_statement_is_in_base64_with_padding() {
        for wrong in ["Zg", "Zg==Zm9v", "Z===", "Zm9-", "====", "Z=g="] {
            let text = attestation(1, wrong);
            let found = complaint(text.as_bytes(), "a.whl", "ab").unwrap_or_default();
            assert!(found.contains("not base64"), "{wrong}: {found}");
        }
    }

    #[test]
    fn attestations_are_found_by_the_wheel_s_name() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        for name in [
            "a.whl",
            "a.whl.publish.attestation",
            "b.whl.publish.attestation",
        ] {
            fs_err::write(dir.join(name), "").unwrap();
        }
        let found = beside(&dir.join("a.whl")).unwrap();
        assert_eq!(found, [dir.join("a.whl.publish.attestation")]);
    }
}
