//! The wheel's bill of materials: CycloneDX 1.6 JSON in `.dist-info/sboms` (PEP 770).

use mondo_core::digest::{Sha256, hex};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::dialect_crate::{Code, DialectCrate};
use mondo_plan::metadata::{Metadata, Person};
use mondo_toolchain::Package;
use serde_json::{Value, json};

pub use super::crates::{Crate, rust_crates};
use super::epoch::Epoch;

/// The name of the program in the metadata `Generator` and in SBOMs: the crate that a downstream depends on, although
/// it consists of several crates.
pub(super) const GENERATOR: &str = "mondo-build";

/// The components of the wheel's binaries.
#[derive(Debug, Clone, Default)]
pub struct SbomInput<'a> {
    /// The distribution's packages that LLVM and MLIR come from.
    pub packages: &'a [Package],
    /// The Rust crates, see [`rust_crates`].
    pub crates: Vec<Crate>,
    /// Native libraries that were linked statically: libstdc++, libgcc, zlib, zstd.
    pub native: Vec<Native>,
    /// The dialect crates whose C++ is in them.
    pub dialects: Vec<DialectComponent>,
    /// The archives that were linked.
    pub archives: Vec<ArchiveFile>,
}

/// An archive that was linked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveFile {
    /// Its file name.
    pub file: String,
    /// SHA-256 of its bytes, in hex, where it comes from a package, in which a third party finds it.
    pub sha256: Option<String>,
}

/// The C++ of a dialect crate or of a project, as a component.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DialectComponent {
    /// Its name.
    pub name: String,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// An SPDX expression, where it says one.
    pub license: Option<String>,
    /// Its authors.
    pub authors: Vec<Person>,
}

impl DialectComponent {
    /// The component of a crate. `None` for a crate in Rust, whose package is a component itself.
    #[must_use]
    pub fn of(one: &DialectCrate) -> Option<Self> {
        match one.code {
            Code::Cpp(_) | Code::Prebuilt(_) => Some(Self {
                name: one.name.get_ref().clone(),
                version: one.package.version.clone(),
                license: one.package.license.clone(),
                authors: one.package.authors.clone(),
            }),
            Code::Rust(_) => None,
        }
    }
}

/// A statically linked native library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Native {
    /// `libstdc++`.
    pub name: String,
    /// Its version, where known.
    pub version: Option<String>,
    /// An SPDX expression, where known.
    pub license: Option<String>,
    /// A package URL, where it comes from a package: see [`deb_purl`].
    pub purl: Option<String>,
    /// SHA-256 of the archive that was linked, in hex, where known.
    pub sha256: Option<String>,
}

/// The package URL of a Debian package: `pkg:deb/debian/libmlir-22-dev@1:22.1.8-1?arch=amd64`.
#[must_use]
pub fn deb_purl(name: &str, version: &str, architecture: &str) -> String {
    format!(
        "pkg:deb/debian/{}@{}?arch={}",
        encode(name),
        encode(version),
        encode(architecture)
    )
}

/// The document's text. The same input gives the same text: its serial number is derived from the
/// content and its time from `epoch`.
///
/// # Errors
/// `ErrorKind::Wheel` where it cannot be written as JSON.
pub fn render(input: &SbomInput<'_>, metadata: &Metadata, epoch: Epoch) -> Result<String> {
    let version = metadata.normal_version()?;
    let root = format!(
        "pkg:pypi/{}@{}",
        metadata.file_name()?.replace('_', "-"),
        encode(&version)
    );
    let mut components: Vec<Value> = Vec::new();
    components.extend(input.packages.iter().map(package));
    components.extend(input.crates.iter().map(rust_crate));
    components.extend(input.native.iter().map(native));
    components.extend(input.dialects.iter().map(dialect));
    components.extend(input.archives.iter().map(archive));
    components.sort_by(|a, b| reference(a).cmp(reference(b)));
    // References must be unique in a document; the same package given twice is one component.
    components.dedup_by(|a, b| reference(a) == reference(b));
    let depends_on: Vec<&str> = components.iter().map(reference).collect();
    let mut document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "",
        "version": 1,
        "metadata": {
            "timestamp": epoch.rfc3339(),
            "tools": { "components": [{
                "type": "application",
                "name": GENERATOR,
                "version": env!("CARGO_PKG_VERSION"),
            }] },
            "component": {
                "type": "library",
                "bom-ref": root,
                "name": metadata.distribution,
                "version": version,
                "licenses": licenses(Some(&metadata.license)),
                "purl": root,
            },
        },
        "dependencies": [{ "ref": root, "dependsOn": depends_on }],
        "components": components,
    });
    document["serialNumber"] = json!(serial(&text(&document)?));
    text(&document)
}

fn text(document: &Value) -> Result<String> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| Error::new(ErrorKind::Wheel, "cannot write the SBOM").caused_by(error))?;
    Ok(text + "\n")
}

fn reference(component: &Value) -> &str {
    component["bom-ref"].as_str().unwrap_or_default()
}

fn package(package: &Package) -> Value {
    let purl = deb_purl(&package.name, &package.version, &package.architecture);
    component(
        &purl,
        &package.name,
        Some(&package.version),
        None,
        package.sha256.as_deref(),
        Some(&purl),
    )
}

fn rust_crate(krate: &Crate) -> Value {
    let purl = format!(
        "pkg:cargo/{}@{}",
        encode(&krate.name),
        encode(&krate.version)
    );
    component(
        &purl,
        &krate.name,
        Some(&krate.version),
        krate.license.as_deref(),
        krate.checksum.as_deref(),
        Some(&purl),
    )
}

fn native(native: &Native) -> Value {
    let version = native.version.as_deref();
    let reference = match (&native.purl, version) {
        // A library and its package would share one reference, so the library's name is added.
        (Some(purl), _) => format!("{purl}#{}", encode(&native.name)),
        (None, Some(version)) => format!("native:{}@{version}", native.name),
        (None, None) => format!("native:{}", native.name),
    };
    component(
        &reference,
        &native.name,
        version,
        native.license.as_deref(),
        native.sha256.as_deref(),
        native.purl.as_deref(),
    )
}

fn archive(one: &ArchiveFile) -> Value {
    let reference = format!("archive:{}", encode(&one.file));
    let mut value = component(
        &reference,
        &one.file,
        None,
        None,
        one.sha256.as_deref(),
        None,
    );
    value["type"] = json!("file");
    value
}

fn dialect(one: &DialectComponent) -> Value {
    let version = one.version.as_deref();
    let at = version.map_or_else(String::new, |version| format!("@{}", encode(version)));
    let name = encode(&one.name);
    let purl = format!("pkg:generic/{name}{at}");
    let reference = format!("dialect-crate:{name}{at}");
    let license = one.license.as_deref();
    let mut value = component(&reference, &one.name, version, license, None, Some(&purl));
    if !one.authors.is_empty() {
        let people = one.authors.iter().map(|person| {
            let mut contact = json!({});
            if let Some(name) = &person.name {
                contact["name"] = json!(name);
            }
            if let Some(email) = &person.email {
                contact["email"] = json!(email);
            }
            contact
        });
        value["authors"] = people.collect();
    }
    value
}

fn component(
    reference: &str,
    name: &str,
    version: Option<&str>,
    license: Option<&str>,
    sha256: Option<&str>,
    purl: Option<&str>,
) -> Value {
    let mut value = json!({ "type": "library", "bom-ref": reference, "name": name });
    if let Some(version) = version {
        value["version"] = json!(version);
    }
    if let Some(sha256) = sha256 {
        value["hashes"] = json!([{ "alg": "SHA-256", "content": sha256 }]);
    }
    if license.is_some() {
        value["licenses"] = licenses(license);
    }
    if let Some(purl) = purl {
        value["purl"] = json!(purl);
    }
    value
}

/// An SPDX expression as such, Cargo's old `MIT/Apache-2.0` as the expression it means, and any
/// other text as the name of a licence.
fn licenses(license: Option<&str>) -> Value {
    let Some(license) = license else {
        return json!([]);
    };
    let better = spdx::Expression::canonicalize(license).ok().flatten();
    let expression = better.as_deref().unwrap_or(license);
    if spdx::Expression::parse(expression).is_ok() {
        json!([{ "expression": expression }])
    } else {
        json!([{ "license": { "name": license } }])
    }
}

/// A UUID made from a hash of the content, in the layout of a name-based one (RFC 9562, version 5).
fn serial(content: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(content.as_bytes())[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex(bytes);
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// Percent-encoding as package URLs want it: all but unreserved characters and the colon.
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wheel::tests::metadata;

    fn input(packages: &[Package]) -> SbomInput<'_> {
        SbomInput {
            packages,
            crates: vec![
                Crate {
                    name: "libc".to_owned(),
                    version: "0.2.1+x".to_owned(),
                    license: Some("MIT/Apache-2.0".to_owned()),
                    checksum: Some("ab".repeat(32)),
                },
                Crate {
                    name: "ours".to_owned(),
                    version: "9.8.7".to_owned(),
                    license: Some("a file".to_owned()),
                    checksum: None,
                },
            ],
            native: vec![Native {
                name: "libstdc++".to_owned(),
                version: Some("12.2.0".to_owned()),
                ..Native::default()
            }],
            dialects: vec![DialectComponent {
                name: "toy".to_owned(),
                version: Some("1 b".to_owned()),
                license: Some("MIT".to_owned()),
                authors: vec![Person {
                    name: Some("A".to_owned()),
                    email: None,
                }],
            }],
            archives: vec![ArchiveFile {
                file: "libMLIRIR.a".to_owned(),
                sha256: Some("ef".repeat(32)),
            }],
        }
    }

    fn packages() -> Vec<Package> {
        vec![Package {
            name: "libmlir-22-dev".to_owned(),
            version: "1:22.1.8-1~deb12u1".to_owned(),
            architecture: "amd64".to_owned(),
            sha256: Some("cd".repeat(32)),
        }]
    }

    #[test]
    fn the_document_names_everything() {
        let text = render(&input(&packages()), &metadata(), Epoch::default()).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let serial = document["serialNumber"].as_str().unwrap();
        assert_eq!(serial.len(), "urn:uuid:".len() + 36);
        assert_eq!(&serial[23..24], "5", "the version of a name-based UUID");
        let text = text
            .replace(serial, "<serial>")
            .replace(env!("CARGO_PKG_VERSION"), "<version>");
        insta::assert_snapshot!(text, @r#"
        {
          "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "serialNumber": "<serial>",
          "version": 1,
          "metadata": {
            "timestamp": "1980-01-01T00:00:00Z",
            "tools": {
              "components": [
                {
                  "type": "application",
                  "name": "mondo-build",
                  "version": "<version>"
                }
              ]
            },
            "component": {
              "type": "library",
              "bom-ref": "pkg:pypi/mondo-mlir@22.1.8",
              "name": "mondo-mlir",
              "version": "22.1.8",
              "licenses": [
                {
                  "expression": "Apache-2.0 WITH LLVM-exception"
                }
              ],
              "purl": "pkg:pypi/mondo-mlir@22.1.8"
            }
          },
          "dependencies": [
            {
              "ref": "pkg:pypi/mondo-mlir@22.1.8",
              "dependsOn": [
                "archive:libMLIRIR.a",
                "dialect-crate:toy@1%20b",
                "native:libstdc++@12.2.0",
                "pkg:cargo/libc@0.2.1%2Bx",
                "pkg:cargo/ours@9.8.7",
                "pkg:deb/debian/libmlir-22-dev@1:22.1.8-1~deb12u1?arch=amd64"
              ]
            }
          ],
          "components": [
            {
              "type": "file",
              "bom-ref": "archive:libMLIRIR.a",
              "name": "libMLIRIR.a",
              "hashes": [
                {
                  "alg": "SHA-256",
                  "content": "efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef"
                }
              ]
            },
            {
              "type": "library",
              "bom-ref": "dialect-crate:toy@1%20b",
              "name": "toy",
              "version": "1 b",
              "licenses": [
                {
                  "expression": "MIT"
                }
              ],
              "purl": "pkg:generic/toy@1%20b",
              "authors": [
                {
                  "name": "A"
                }
              ]
            },
            {
              "type": "library",
              "bom-ref": "native:libstdc++@12.2.0",
              "name": "libstdc++",
              "version": "12.2.0"
            },
            {
              "type": "library",
              "bom-ref": "pkg:cargo/libc@0.2.1%2Bx",
              "name": "libc",
              "version": "0.2.1+x",
              "hashes": [
                {
                  "alg": "SHA-256",
                  "content": "abababababababababababababababababababababababababababababababab"
                }
              ],
              "licenses": [
                {
                  "expression": "MIT OR Apache-2.0"
                }
              ],
              "purl": "pkg:cargo/libc@0.2.1%2Bx"
            },
            {
              "type": "library",
              "bom-ref": "pkg:cargo/ours@9.8.7",
              "name": "ours",
              "version": "9.8.7",
              "licenses": [
                {
                  "license": {
                    "name": "a file"
                  }
                }
              ],
              "purl": "pkg:cargo/ours@9.8.7"
            },
            {
              "type": "library",
              "bom-ref": "pkg:deb/debian/libmlir-22-dev@1:22.1.8-1~deb12u1?arch=amd64",
              "name": "libmlir-22-dev",
              "version": "1:22.1.8-1~deb12u1",
              "hashes": [
                {
                  "alg": "SHA-256",
                  "content": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
                }
              ],
              "purl": "pkg:deb/debian/libmlir-22-dev@1:22.1.8-1~deb12u1?arch=amd64"
            }
          ]
        }
        "#);
    }

    #[test]
    fn order_does_not_matter_and_content_does() {
        let packages = packages();
        let first = input(&packages);
        let mut second = first.clone();
        second.crates.reverse();
        let again = second.crates[0].clone();
        second.crates.push(again);
        let one = render(&first, &metadata(), Epoch::default()).unwrap();
        assert_eq!(one, render(&second, &metadata(), Epoch::default()).unwrap());
        second.crates.truncate(1);
        let other = render(&second, &metadata(), Epoch::default()).unwrap();
        let serial =
            |text: &str| serde_json::from_str::<Value>(text).unwrap()["serialNumber"].clone();
        assert_ne!(serial(&one), serial(&other));
    }

    #[test]
    fn package_urls_are_encoded() {
        assert_eq!(
            deb_purl("libstdc++-12-dev", "1:12.2.0-14+deb12u1", "amd64"),
            "pkg:deb/debian/libstdc%2B%2B-12-dev@1:12.2.0-14%2Bdeb12u1?arch=amd64"
        );
    }
}
