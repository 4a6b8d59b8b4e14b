//! The rules about texts that sources must not contain: `rules.toml` lists them.

use serde::Deserialize;

use crate::sources::SourceFile;

/// A rule of `rules.toml`, which describes the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TextRule {
    pub(crate) name: String,
    #[serde(default, rename = "in")]
    within: Vec<String>,
    #[serde(default)]
    not_in: Vec<String>,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    code: bool,
    texts: Vec<String>,
    #[serde(default)]
    most: usize,
    why: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "the unit test reads it"))]
    breach: (String, String),
}

#[derive(Deserialize)]
struct Rules {
    rule: Vec<TextRule>,
}

/// The rules of `rules.toml`.
pub(crate) fn rules() -> Vec<TextRule> {
    let rules: Rules = toml::from_str(include_str!("../rules.toml"))
        .expect("a unit test reads the file that is compiled in");
    rules.rule
}

impl TextRule {
    pub(crate) fn check(&self, files: &[SourceFile]) -> Vec<String> {
        let found: Vec<String> = files
            .iter()
            .filter(|file| self.reads(file))
            .flat_map(|file| self.lines(file))
            .collect();
        if found.len() > self.most {
            found
        } else {
            Vec::new()
        }
    }

    fn reads(&self, file: &SourceFile) -> bool {
        let begins = |starts: &[String]| starts.iter().any(|start| file.path.starts_with(start));
        let of_kind = self.kinds.iter().any(|kind| file.path.ends_with(kind));
        (self.within.is_empty() || begins(&self.within))
            && !begins(&self.not_in)
            && (self.kinds.is_empty() || of_kind)
            && !(self.code && file.is_test())
    }

    fn lines(&self, file: &SourceFile) -> Vec<String> {
        let text = if self.code {
            file.before_tests()
        } else {
            &file.text
        };
        file.complaints(text, |line| {
            let code = line.split("//").next().filter(|_| self.code);
            let line = code.unwrap_or(line);
            let has = |text: &&String| match text.strip_prefix('^') {
                Some(start) => line.trim_start().starts_with(start),
                None => line.contains(text.as_str()),
            };
            let found = self.texts.iter().find(has)?;
            Some(format!("has `{}`: {}", found.escape_debug(), self.why))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn every_rule_can_fail() {
        for rule in rules() {
            let (path, text) = &rule.breach;
            let breach = file(path, &format!("{text}\n").repeat(rule.most + 1));
            let found = rule.check(&[breach]);
            assert_eq!(found.len(), rule.most + 1, "{}: {found:?}", rule.name);
        }
    }

    #[test]
    fn no_rule_complains_about_harmless_files() {
        let harmless = [
            file("xtask/src/plan.rs", "fn main() {}"),
            file("README.md", "mlir"),
        ];
        for rule in rules() {
            assert_eq!(rule.check(&harmless), [""; 0], "{}", rule.name);
        }
    }

    #[test]
    fn unit_tests_and_comments_are_no_code() {
        let rules = rules();
        let pure = rules.iter().find(|rule| rule.name == "pure-audit");
        let text = "fn f() {} // std::fs\n#[cfg(test)]\nmod tests { use std::fs; }";
        let found = pure.map(|rule| rule.check(&[file("crates/mondo-audit/src/lib.rs", text)]));
        assert_eq!(found, Some(Vec::new()));
    }
}
