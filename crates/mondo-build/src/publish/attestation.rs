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

/// The type of statements.
const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// The types of predicates that an index takes. PEP 740 begins the first one with the host that has the documentation
/// of Python's package index. The name of a registry's host does not stand in these sources (`tidy: no-host`), so the
/// text is put together from parts; nothing is fetched from it.
const PREDICATES: [&str; 2] = [
    concat!("https://docs.", "pypi", ".org/attestations/publish/v1"),
    "https://slsa.dev/provenance/v1",
];

/// An attestation, without the fields that only a verifier of signatures reads.
#[derive(Deserialize)]
struct Attestation {
    version: u32,
    verification_material: Material,
    envelope: Envelope,
}

/// The proof of the signer's identity at the time of signing.
#[derive(Deserialize)]
struct Material {
    certificate: String,
    transparency_entries: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Envelope {
    /// The statement as JSON, in base64.
    statement: String,
    signature: String,
}

#[derive(Deserialize)]
struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    #[serde(rename = "predicateType")]
    predicate: String,
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

/// The attestations of `wheel` in its folder: their file names begin with the wheel's.
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
        Err(error) => return Some(format!("is not an attestation: {error}")),
    };
    if attestation.version != VERSION {
        let version = attestation.version;
        return Some(format!(
            "has format {version}, but indexes require {VERSION}"
        ));
    }
    let material = &attestation.verification_material;
    for (name, there) in [
        ("certificate", !material.certificate.is_empty()),
        (
            "transparency entry",
            !material.transparency_entries.is_empty(),
        ),
        ("signature", !attestation.envelope.signature.is_empty()),
    ] {
        if !there {
            return Some(format!("has no {name}"));
        }
    }
    let Ok(statement) = STANDARD.decode(&attestation.envelope.statement) else {
        return Some("has a statement that is not base64".to_owned());
    };
    let statement: Statement = match serde_json::from_slice(&statement) {
        Ok(statement) => statement,
        Err(error) => return Some(format!("has an unreadable statement: {error}")),
    };
    if statement.kind != STATEMENT {
        return Some(format!("has a statement of type {}", statement.kind));
    }
    if !PREDICATES.contains(&statement.predicate.as_str()) {
        return Some(format!("has a predicate of type {}", statement.predicate));
    }
    let [subject] = statement.subject.as_slice() else {
        let count = statement.subject.len();
        return Some(format!("has {count} subjects, but an index requires one"));
    };
    if subject.name != name {
        return Some(format!("is for {}", subject.name));
    }
    (!subject.digest.sha256.eq_ignore_ascii_case(sha256)).then(|| {
        format!(
            "is for a file with SHA-256 {}, but this file has {sha256}",
            subject.digest.sha256
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = r#"{"name": "a.whl", "digest": {"sha256": "ab"}}"#;

    fn statement(kind: &str, predicate: &str, subjects: &str) -> String {
        STANDARD.encode(format!(
            r#"{{"_type": "{kind}", "predicateType": "{predicate}", "subject": [{subjects}]}}"#
        ))
    }

    fn attestation(version: u32, statement: &str) -> String {
        format!(
            r#"{{"version": {version}, "verification_material": {{"certificate": "c", "transparency_entries": [{{}}]}},
              "envelope": {{"statement": "{statement}", "signature": "s"}}}}"#
        )
    }

    #[test]
    fn an_attestation_is_of_one_file_and_its_digest() {
        let good = attestation(1, &statement(STATEMENT, PREDICATES[0], SUBJECT));
        let slsa = attestation(1, &statement(STATEMENT, PREDICATES[1], SUBJECT));
        for text in [&good, &slsa] {
            assert_eq!(complaint(text.as_bytes(), "a.whl", "AB"), None);
        }
        let of = |kind, predicate, subjects| attestation(1, &statement(kind, predicate, subjects));
        let two = format!("{SUBJECT}, {SUBJECT}");
        for (text, name, sha256, why) in [
            (good.clone(), "b.whl", "ab", "is for a.whl"),
            (
                good.clone(),
                "a.whl",
                "cd",
                "SHA-256 ab, but this file has cd",
            ),
            (
                good.replace("\"c\"", "\"\""),
                "a.whl",
                "ab",
                "no certificate",
            ),
            (
                good.replace("[{}]", "[]"),
                "a.whl",
                "ab",
                "no transparency entry",
            ),
            (good.replace("\"s\"", "\"\""), "a.whl", "ab", "no signature"),
            (
                good.replace("verification_material", "other"),
                "a.whl",
                "ab",
                "missing field `verification_material`",
            ),
            (
                good.replace("\"version\": 1", "\"version\": 2"),
                "a.whl",
                "ab",
                "format 2",
            ),
            (
                of("foo", PREDICATES[0], SUBJECT),
                "a.whl",
                "ab",
                "statement of type foo",
            ),
            (
                of(STATEMENT, "foo", SUBJECT),
                "a.whl",
                "ab",
                "predicate of type foo",
            ),
            (
                of(STATEMENT, PREDICATES[0], ""),
                "a.whl",
                "ab",
                "0 subjects",
            ),
            (
                of(STATEMENT, PREDICATES[0], &two),
                "a.whl",
                "ab",
                "2 subjects",
            ),
            (attestation(1, "?"), "a.whl", "ab", "not base64"),
            (
                attestation(1, "e30="),
                "a.whl",
                "ab",
                "unreadable statement",
            ),
            ("{".to_owned(), "a.whl", "ab", "not an attestation"),
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
