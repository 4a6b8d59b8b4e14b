//! Numbers with their nouns, for the sentences of findings and reports.

/// `1 library`, `2 libraries`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
