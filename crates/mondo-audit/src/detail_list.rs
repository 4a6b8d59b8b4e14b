//! The details of a finding about a text in a wheel. A text of a few kilobytes can unpack to millions of lines, each of which
//! is wrong, so the list ends at some length, and so does each of its names and notes.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

use crate::finding::{Detail, Finding};

/// The most details that are listed; the others are counted.
const MOST: usize = 1000;

/// The most bytes of a name or note.
const LONGEST: usize = 1024;

/// Details of one finding: the first of them, each once, and the number of the others.
#[derive(Debug, Clone, Default)]
pub(crate) struct DetailList {
    listed: BTreeSet<Detail>,
    more: usize,
}

impl DetailList {
    /// Adds a detail.
    pub(crate) fn push(&mut self, name: impl Display, note: impl Display) {
        if self.listed.len() < MOST {
            self.listed
                .insert(Detail::new(Shortened::of(name), Shortened::of(note)));
        } else {
            self.more += 1;
        }
    }

    /// The number of details, listed or not.
    pub(crate) fn len(&self) -> usize {
        self.listed.len() + self.more
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The finding with these details.
    pub(crate) fn describe(self, mut finding: Finding) -> Finding {
        finding.more += self.more;
        finding.about(self.listed)
    }
}

/// A text that ends at [`LONGEST`].
struct Shortened(String);

impl Shortened {
    fn of(text: impl Display) -> String {
        let mut shortened = Self(String::new());
        if write!(shortened, "{text}").is_err() {
            shortened.0.push('…');
        }
        shortened.0
    }
}

impl Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = LONGEST - self.0.len();
        if text.len() <= left {
            self.0.push_str(text);
            return Ok(());
        }
        let end = (0..=left).rev().find(|end| text.is_char_boundary(*end));
        self.0.push_str(&text[..end.unwrap_or_default()]);
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::rule_id::RuleId;

    #[test]
    fn a_list_and_its_texts_end_somewhere() {
        let mut list = DetailList::default();
        assert!(list.is_empty());
        for number in 0..MOST + 7 {
            list.push(number, "note");
            list.push(0, "note");
        }
        assert_eq!(list.len(), MOST + 7 + 8);
        let finding = RuleId::Record.rule().finding(Severity::Error, "x", "y");
        let finding = list.describe(finding);
        assert_eq!((finding.details.len(), finding.more), (MOST, 15));

        let long = "é".repeat(LONGEST);
        let mut list = DetailList::default();
        list.push(format_args!("a{long}{long}"), "");
        let name = &list.listed.first().expect("one").name;
        assert_eq!(name.len(), LONGEST - 1 + '…'.len_utf8());
        assert!(name.ends_with("é…"));
    }
}
