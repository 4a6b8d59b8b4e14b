//! The explanations of data/differences.toml: the reasons why another tool and mondo-audit report different
//! facts.

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result};
use serde::Deserialize;

use super::compared::Difference;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanations {
    #[serde(default)]
    difference: Vec<Explanation>,
}

/// An explanation. A missing field matches every difference.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanation {
    /// The title of the wheel in the tables.
    wheel: Option<String>,
    /// The beginning of the image's name.
    image: Option<String>,
    reader: Option<String>,
    aspect: Option<String>,
    pub(super) why: String,
}

impl Explanations {
    pub(super) fn read(path: &Utf8Path) -> Result<Self> {
        toml::from_str(&fs_err::read_to_string(path)?).map_err(|error| {
            Error::new(ErrorKind::Check, "the explanations cannot be read")
                .at(path)
                .because(error.to_string())
        })
    }

    /// The first explanation that matches, and its index in the file.
    pub(super) fn of(&self, wheel: &str, difference: &Difference) -> Option<(usize, &Explanation)> {
        let fits = |stated: &Option<String>, found: &str| {
            stated.as_deref().is_none_or(|stated| stated == found)
        };
        self.difference.iter().enumerate().find(|(_, one)| {
            fits(&one.wheel, wheel)
                && fits(&one.reader, difference.reader)
                && fits(&one.aspect, difference.aspect.name())
                && one
                    .image
                    .as_deref()
                    .is_none_or(|start| difference.image.starts_with(start))
        })
    }

    /// The explanations whose indices are not in `used`.
    pub(super) fn unused<'e>(
        &'e self,
        used: &'e std::collections::BTreeSet<usize>,
    ) -> impl Iterator<Item = &'e Explanation> {
        let all = self.difference.iter().enumerate();
        all.filter(|(at, _)| !used.contains(at)).map(|(_, one)| one)
    }
}
