//! The functions that register a project's passes and that those of the manifest do not call, by the text of the project's code.

use std::collections::{BTreeMap, BTreeSet};

/// The functions of `known` that none of `named` calls, directly or through others. Empty if a function of `named` is
/// defined in no text, because it may call anything.
pub(crate) fn uncalled<'t>(
    named: &[&str],
    known: &[String],
    texts: impl Iterator<Item = &'t str>,
) -> Vec<String> {
    let mut bodies: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for text in texts {
        for (name, body) in functions(text) {
            bodies.entry(name).or_default().push(body);
        }
    }
    if named.iter().any(|name| !bodies.contains_key(name)) {
        return Vec::new();
    }
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut pending: Vec<&str> = named.to_vec();
    while let Some(name) = pending.pop() {
        if reached.insert(name) {
            let bodies = bodies.get(name).into_iter().flatten();
            pending.extend(bodies.flat_map(|body| calls(body)));
        }
    }
    let uncalled = known.iter().filter(|name| !reached.contains(name.as_str()));
    uncalled.cloned().collect()
}

fn part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The functions without parameters that a text defines and whose names say that they register something, with their
/// bodies.
fn functions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    registering(text).filter_map(|(name, rest)| {
        let parameters = rest.trim_start().strip_prefix('(')?;
        let (parameters, rest) = parameters.split_once(')')?;
        let none = matches!(parameters.trim(), "" | "void");
        let body = rest.trim_start().strip_prefix('{').filter(|_| none)?;
        let mut depth = 1;
        let end = body.char_indices().find_map(|(at, c)| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            (depth == 0).then_some(at)
        })?;
        Some((name, &body[..end]))
    })
}

/// The functions that a body calls and whose names say that they register something.
fn calls(body: &str) -> impl Iterator<Item = &str> {
    registering(body)
        .filter(|(_, rest)| rest.trim_start().starts_with('('))
        .map(|(name, _)| name)
}

/// The words that have `register` in them, and the text after each.
fn registering(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + text[from..].find("egister")?;
        let start = text[..at].rfind(|c| !part(c)).map_or(0, |before| {
            before + text[before..].chars().next().map_or(1, char::len_utf8)
        });
        let end = text[at..]
            .find(|c| !part(c))
            .map_or(text.len(), |after| at + after);
        from = end;
        Some((&text[start..end], &text[end..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_nothing_calls_are_found() {
        let text = "void toyRegisterPasses(void) { if (true) { toy::registerToyPasses(); } }\n\
                    inline void registerToyPasses() { registerA(); registerToyPipelines (); }\n\
                    void registerOtherPasses();\nvoid f() { registerOtherPasses(); }\n";
        let known = [
            "registerToyPasses",
            "registerToyPipelines",
            "registerOtherPasses",
        ];
        let known = known.map(str::to_owned);
        let uncalled = |named: &[&str]| uncalled(named, &known, [text].into_iter());
        assert_eq!(uncalled(&["toyRegisterPasses"]), ["registerOtherPasses"]);
        assert!(uncalled(&["gooRegisterPasses"]).is_empty());
    }
}
