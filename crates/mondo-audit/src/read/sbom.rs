//! Bills of materials: checks that a document says that it is CycloneDX or SPDX. The document is parsed but not kept.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// The defect of a document, in a few words.
pub(crate) fn sbom_defect(bytes: &[u8]) -> Option<String> {
    match serde_json::from_slice::<Document>(bytes) {
        Ok(document) if document.is_known() => None,
        Err(error) if !error.is_data() => Some(format!("no JSON: {error}")),
        _ => Some("neither CycloneDX nor SPDX".to_owned()),
    }
}

/// The keys that distinguish the formats.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Document {
    #[serde(rename = "bomFormat")]
    format: Words,
    #[serde(rename = "specVersion")]
    version: Words,
    #[serde(rename = "spdxVersion")]
    spdx: Words,
    #[serde(rename = "@context")]
    context: Words,
}

impl Document {
    fn is_known(&self) -> bool {
        let cyclone = self.format.is("CycloneDX") && self.version.start.is_some();
        let spdx = self.spdx.start.as_ref();
        // SPDX 3 is JSON-LD.
        cyclone || spdx.is_some_and(|start| start.starts_with("SPDX-")) || self.context.name_spdx
    }
}

/// The most characters that are kept of a text.
const KEPT: usize = 16;

/// A value of any type, as far as it tells the formats apart.
#[derive(Default)]
struct Words {
    /// The first characters of a text.
    start: Option<String>,
    /// True if a text in it has the word `spdx`.
    name_spdx: bool,
}

impl Words {
    fn is(&self, text: &str) -> bool {
        self.start.as_deref() == Some(text)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Words, E> {
        Ok(Words {
            start: Some(text.chars().take(KEPT).collect()),
            name_spdx: text.contains("spdx"),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
        let mut words = Words::default();
        while let Some(part) = list.next_element::<Words>()? {
            words.name_spdx |= part.name_spdx;
        }
        Ok(words)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Words, A::Error> {
        let mut words = Words::default();
        while let Some((key, value)) = table.next_entry::<Words, Words>()? {
            words.name_spdx |= key.name_spdx || value.name_spdx;
        }
        Ok(words)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_unit<E>(self) -> Result<Words, E> {
        Ok(Words::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_say_what_they_are() {
        for good in [
            r#"{"bomFormat": "CycloneDX", "specVersion": "1.6", "x": [{}, 1.5, null]}"#,
            r#"{"spdxVersion": "SPDX-2.3"}"#,
            r#"{"@context": ["https://example.org", {"a": {"spdx": -1}}]}"#,
        ] {
            assert_eq!(sbom_defect(good.as_bytes()), None, "{good}");
        }
        for bad in [
            r#"{"bomFormat": "CycloneDX"}"#,
            r#"{"bomFormat": "CycloneDX and more than that", "specVersion": "1"}"#,
            r#"{"spdxVersion": ["SPDX-2.3"]}"#,
            "[1, 2]",
            "3",
            r#"{"@context": true}"#,
        ] {
            let defect = sbom_defect(bad.as_bytes()).expect("a defect");
            assert_eq!(defect, "neither CycloneDX nor SPDX", "{bad}");
        }
        let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
        for broken in ["", "{", r#"{"@context": ["#, "{} x", &deep] {
            let defect = sbom_defect(broken.as_bytes()).expect("a defect");
            assert!(defect.starts_with("no JSON"), "{defect}");
        }
    }
}
