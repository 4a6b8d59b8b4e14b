//! Reference of the rules: a page for a terminal, and tables in Markdown.

use crate::input_kind::InputKind;
use crate::rule_id::RuleId;

/// The page of a rule, as plain text.
#[must_use]
pub fn text(id: RuleId) -> String {
    let rule = id.rule();
    let applies_to: Vec<&str> = rule.applies_to.iter().map(|one| one.name()).collect();
    format!(
        "{}: {}\n\napplies to: {}\n\nchecks: {}\n\nwhy: {}\n\nfix: {}\n\nsource: {}\n",
        id.name(),
        rule.summary,
        applies_to.join(", "),
        rule.explanation,
        rule.rationale,
        rule.remedy,
        rule.sources.join("\n        "),
    )
}

/// The rules and the kinds of input that each applies to, as a table in Markdown.
#[must_use]
pub fn table() -> String {
    let mut text = String::from("| rule |");
    for kind in InputKind::ALL {
        text += &format!(" {} |", kind.name());
    }
    text += " requirement |\n|---|";
    text += &":-:|".repeat(InputKind::ALL.len());
    text += "---|\n";
    for &id in RuleId::ALL {
        let rule = id.rule();
        text += &format!("| {} |", id.name());
        for kind in InputKind::ALL {
            let mark = if rule.applies_to.contains(kind) {
                "yes"
            } else {
                ""
            };
            text += &format!(" {mark} |");
        }
        text += &format!(" {} |\n", rule.summary);
    }
    text
}

/// The whole reference, as a page in Markdown: a table of all rules, then a section for each.
#[must_use]
pub fn page() -> String {
    let mut text = String::from(
        "# Rules of the audit\n\n\
         Generated from `crates/mondo-audit/src/rules`. The test `reference` of mondo-audit compares \
         this page with\nthe rules, and writes it if `MONDO_UPDATE_REFERENCE=1` is set.\n\n\
         The severity is that of the worst finding, if the caller states no expectations of the \
         image. A policy file changes\nit (`[severity]`). `mondo audit --explain RULE` prints the \
         section of a rule.\n\n\
         | rule | applies to | severity | requirement | remedy | sources |\n\
         |---|---|---|---|---|---|\n",
    );
    for &id in RuleId::ALL {
        let rule = id.rule();
        let applies_to: Vec<&str> = rule.applies_to.iter().map(|one| one.name()).collect();
        text += &format!(
            "| [{}](#{}) | {} | {} | {} | {} | {} |\n",
            id.name(),
            id.name(),
            applies_to.join(", "),
            rule.severity.name(),
            cell(rule.summary),
            cell(rule.remedy),
            cell(&rule.sources.join("; ")),
        );
    }
    for &id in RuleId::ALL {
        let rule = id.rule();
        text += &format!(
            "\n## {}\n\n{}\n\n{}\n\nRemedy: {}.\n",
            id.name(),
            escaped(rule.explanation),
            escaped(rule.rationale),
            escaped(rule.remedy),
        );
    }
    text
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|")
}

/// Text with the characters escaped that Markdown would take for markup, outside of code spans.
fn escaped(text: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for char in text.chars() {
        code ^= char == '`';
        if !code && matches!(char, '<' | '*' | '[') {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_rule() {
        let table = table();
        assert_eq!(table.lines().count(), RuleId::ALL.len() + 2);
        assert!(
            table.contains("| relro | yes |  |  |  |  | relocated data"),
            "{table}"
        );
    }

    #[test]
    fn every_rule_has_a_whole_page() {
        for &id in RuleId::ALL {
            let rule = id.rule();
            let parts = [rule.summary, rule.explanation, rule.rationale, rule.remedy];
            for part in parts.iter().chain(rule.sources) {
                assert!(part.len() > 10, "{}: {part}", id.name());
                assert!(!part.contains("  "), "{}: {part}", id.name());
            }
            assert!(!rule.sources.is_empty(), "{}", id.name());
            let text = text(id);
            assert!(text.starts_with(&format!("{}: {}\n", id.name(), rule.summary)));
            let parts = ["applies to", "checks", "why", "fix", "source"];
            let mut rest = text.as_str();
            for part in parts {
                let found = rest.split_once(&format!("\n\n{part}: "));
                rest = found.unwrap_or_else(|| panic!("{part}: {text}")).1;
            }
            assert!(
                rule.applies_to.is_sorted() && !rule.applies_to.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn markup_is_escaped_outside_of_code() {
        assert_eq!(escaped("isa<> and `a_*` b*"), "isa\\<> and `a_*` b\\*");
        assert_eq!(cell("a|b"), "a\\|b");
    }
}
