//! The modules of a crate import each other in one direction only.
//!
//! A module is a file. The files are read as token trees, so that comments and texts do not count and the
//! bodies of macros do; each path that leads into another file of the crate is an import. A parent's
//! `mod child;` and `pub use child::Name;` are not: they say where a name is, and a path that goes through
//! a re-export leads to the file behind it.
//!
//! The modules at a crate's top, each a file or a folder with all that is below it, likewise.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::sources::{Rule, SourceFile};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "no-cycles",
        check: no_cycles,
    },
    Rule {
        name: "no-folder-cycles",
        check: no_folder_cycles,
    },
];

/// Crates whose modules at the top may import each other, each with its reason.
const MUTUAL: &[(&str, &str)] = &[(
    "crates/mondo-ir",
    "the types of one API, which name each other as MLIR's do: a location is an attribute, an attribute has a type",
)];

/// The files of each crate, by the crate's folder.
fn by_crate(files: &[SourceFile]) -> BTreeMap<&str, Vec<&SourceFile>> {
    let mut crates: BTreeMap<&str, Vec<&SourceFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        if let Some((root, _)) = file.path.split_once("/src/") {
            crates.entry(root).or_default().push(file);
        }
    }
    crates
}

/// Complains about each group of files of one crate that import each other in a circle.
fn no_cycles(files: &[SourceFile]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (root, files) in by_crate(files) {
        for circle in Crate::read(root, &files).circles() {
            complaints.push(format!(
                "{root}: {} files import each other in a circle: {}",
                circle.len(),
                circle.join(", ")
            ));
        }
    }
    complaints
}

/// Complains about each group of modules at the top of one crate that import each other in a circle.
fn no_folder_cycles(files: &[SourceFile]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (root, mut files) in by_crate(files) {
        files.retain(|file| !file.is_test());
        let all = Crate::read(root, &files);
        let found = circles(&all.top());
        let reason = MUTUAL.iter().find(|(exempt, _)| *exempt == root);
        match reason {
            None => complaints.extend(found.iter().map(|circle| {
                format!(
                    "{root}: the modules {} import each other in a circle: {}",
                    circle.join(", "),
                    all.between(circle).join(", ")
                )
            })),
            Some((_, reason)) if found.is_empty() => complaints.push(format!(
                "{root}: its modules import each other in one direction now, so it is no exception any more ({reason})"
            )),
            Some(_) => {}
        }
    }
    complaints
}

/// A module's path from the crate's root, without `crate`.
type Module = Vec<String>;

/// The modules of one crate and their imports.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Module, Contents>,
}

/// The paths and the exports of one file.
#[derive(Default)]
struct Contents {
    /// Its path below `src/`.
    file: String,
    /// Each path in it, from the crate's root.
    paths: BTreeSet<Vec<String>>,
    /// The names it re-exports, and the paths behind them; `*` is the name of all.
    exports: Vec<(String, Vec<String>)>,
}

impl Crate {
    fn read(root: &str, files: &[&SourceFile]) -> Self {
        let mut all = Self::default();
        let below = |file: &SourceFile| file.path[root.len() + "/src/".len()..].to_owned();
        let has_library = files.iter().any(|file| below(file) == "lib.rs");
        for file in files {
            let below = below(file);
            let module = module_of(&below, has_library);
            let contents = all.modules.entry(module).or_default();
            contents.file = below;
        }
        let known: BTreeSet<Module> = all.modules.keys().cloned().collect();
        for file in files {
            let module = module_of(&below(file), has_library);
            let Ok(tokens) = file.text.parse::<TokenStream>() else {
                continue;
            };
            let mut reader = Reader {
                module: module.clone(),
                known: &known,
                contents: all.modules.remove(&module).unwrap_or_default(),
            };
            reader.walk(tokens);
            all.modules.insert(module, reader.contents);
        }
        all
    }

    /// The module in whose file the thing at `path` is, behind all re-exports.
    fn owner(&self, path: &[String], depth: usize) -> Option<&Module> {
        let length = (0..=path.len())
            .rev()
            .find(|length| self.modules.contains_key(&path[..*length]))?;
        let (module, contents) = self.modules.get_key_value(&path[..length])?;
        let Some(name) = path.get(length) else {
            return Some(module);
        };
        let behind = contents.exports.iter().find(|(export, _)| export == name);
        match behind {
            Some((_, behind)) if depth < 8 => {
                let behind: Vec<_> = behind.iter().chain(&path[length + 1..]).cloned().collect();
                self.owner(&behind, depth + 1)
            }
            _ => Some(module),
        }
    }

    fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        self.modules
            .iter()
            .map(|(module, contents)| {
                let owners = contents.paths.iter().filter_map(|path| self.owner(path, 0));
                (module, owners.filter(|owner| *owner != module).collect())
            })
            .collect()
    }

    /// The groups of files, each of two or more, in which every file reaches every other.
    fn circles(&self) -> Vec<Vec<String>> {
        let file = |module: &&Module| self.modules[*module].file.clone();
        let circles = circles(&self.imports());
        circles
            .iter()
            .map(|circle| circle.iter().map(file).collect())
            .collect()
    }

    /// The imports between the modules at the top. The crate's root is none of them.
    fn top(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut top: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to) in self.between_tops() {
            top.entry(&from[0]).or_default().insert(&to[0]);
        }
        top
    }

    /// The pairs of files in two of the modules `tops`, of which the first imports the second.
    fn between(&self, tops: &[&str]) -> Vec<String> {
        let named = |module: &Module| tops.contains(&module[0].as_str());
        let file = |module: &Module| self.modules[module].file.as_str();
        self.between_tops()
            .filter(|(from, to)| named(from) && named(to))
            .map(|(from, to)| format!("{} → {}", file(from), file(to)))
            .collect()
    }

    fn between_tops(&self) -> impl Iterator<Item = (&Module, &Module)> {
        self.imports()
            .into_iter()
            .flat_map(|(from, to)| to.into_iter().map(move |to| (from, to)))
            .filter(|(from, to)| !from.is_empty() && !to.is_empty() && from.first() != to.first())
    }
}

/// The groups, each of two or more, in which every node reaches every other.
fn circles<T: Ord + Copy>(imports: &BTreeMap<T, BTreeSet<T>>) -> Vec<Vec<T>> {
    let reached: BTreeMap<T, BTreeSet<T>> = imports
        .keys()
        .map(|from| (*from, reachable(imports, *from)))
        .collect();
    let mut circles = BTreeSet::new();
    for (from, to) in &reached {
        let circle: Vec<T> = reached
            .iter()
            .filter(|(other, back)| to.contains(*other) && back.contains(from))
            .map(|(other, _)| *other)
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reachable<T: Ord + Copy>(imports: &BTreeMap<T, BTreeSet<T>>, from: T) -> BTreeSet<T> {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(module) = next.pop() {
        for to in imports.get(&module).into_iter().flatten() {
            if seen.insert(*to) {
                next.push(*to);
            }
        }
    }
    seen
}

/// The module of a file. A program beside a library is a crate of its own, and no part of the library.
fn module_of(below_src: &str, has_library: bool) -> Module {
    let mut parts: Vec<_> = below_src
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    let last = parts.last().map_or("", String::as_str);
    let is_root = last == "lib" || (last == "main" && !has_library);
    if last == "mod" || (parts.len() == 1 && is_root) {
        parts.pop();
    }
    parts
}

/// Collects the paths of one file.
struct Reader<'a> {
    /// The module that is read: the file's, or one that is written out in it.
    module: Module,
    known: &'a BTreeSet<Module>,
    contents: Contents,
}

impl Reader<'_> {
    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.step(&tokens, at);
        }
    }

    /// Reads what begins at `at`, and returns where the next thing begins.
    fn step(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        if is_test_attribute(tokens, at) {
            return after_item(tokens, at + 2);
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "use" => {
                let public =
                    at > 0 && (is_word(&tokens[at - 1], "pub") || is_restricted(tokens, at));
                let end = (at..tokens.len())
                    .find(|index| is_punct(&tokens[*index], ';'))
                    .unwrap_or(tokens.len());
                self.tree(&tokens[at + 1..end], &[], public);
                end + 1
            }
            TokenTree::Ident(_) if at == 0 || !is_punct(&tokens[at - 1], ':') => {
                let (path, next) = path_at(tokens, at);
                if path.len() > 1
                    && let Some(path) = self.resolve(&path)
                {
                    self.contents.paths.insert(path);
                }
                next.max(at + 1)
            }
            // The modules to which an item is visible are no import.
            TokenTree::Group(_) if at > 0 && is_word(&tokens[at - 1], "pub") => at + 1,
            TokenTree::Group(group) => {
                let inline = at > 1 && is_word(&tokens[at - 2], "mod");
                if inline {
                    self.module.push(tokens[at - 1].to_string());
                }
                self.walk(group.stream());
                if inline {
                    self.module.pop();
                }
                at + 1
            }
            _ => at + 1,
        }
    }

    /// Reads a tree of imports: `a::b`, `a::{b, c as d}`, `a::*`.
    fn tree(&mut self, tokens: &[TokenTree], before: &[String], public: bool) {
        let mut path = before.to_vec();
        let mut alias = None;
        let mut tokens = tokens.iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    alias = tokens.next().map(ToString::to_string);
                }
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".into()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for one in inner.split(|token| is_punct(token, ',')) {
                        if !one.is_empty() {
                            self.tree(one, &path, public);
                        }
                    }
                    return;
                }
                _ => {}
            }
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let Some(full) = self.resolve(&path) else {
            return;
        };
        let below = full.len() > self.module.len() && full.starts_with(&self.module);
        if public && below {
            let name = alias.or_else(|| full.last().cloned()).unwrap_or_default();
            self.contents.exports.push((name, full));
        } else {
            self.contents.paths.insert(full);
        }
    }

    /// The path from the crate's root, if it is one of this crate.
    fn resolve(&self, path: &[String]) -> Option<Vec<String>> {
        let mut rest = path;
        let mut from = match rest.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            first => {
                let mut child = self.module.clone();
                child.push(first.to_owned());
                if !self.known.contains(&child) {
                    return None;
                }
                self.module.clone()
            }
        };
        if matches!(rest[0].as_str(), "crate" | "self") {
            rest = &rest[1..];
        }
        while rest.first().is_some_and(|first| first == "super") {
            from.pop()?;
            rest = &rest[1..];
        }
        from.extend(rest.iter().cloned());
        Some(from)
    }
}

/// Reads `a::b::c` at `at`; the second result is the place behind it.
fn path_at(tokens: &[TokenTree], at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut next = at;
    while let Some(TokenTree::Ident(word)) = tokens.get(next) {
        path.push(word.to_string());
        next += 1;
        let colons = [next, next + 1]
            .iter()
            .all(|index| tokens.get(*index).is_some_and(|token| is_punct(token, ':')));
        if !colons {
            break;
        }
        next += 2;
    }
    (path, next)
}

/// `#[cfg(test)]`, or a condition with `test` in it.
fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(at + 1) else {
        return false;
    };
    let text = group.stream().to_string();
    is_punct(&tokens[at], '#') && text.starts_with("cfg") && text.contains("(test)")
}

/// The place behind the item at `at`: its last token is a `;` or a group in braces.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let end = (at..tokens.len()).find(|index| match &tokens[*index] {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_punct(token, ';'),
    });
    end.map_or(tokens.len(), |end| end + 1)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// `pub(crate)` or the like before `at`.
fn is_restricted(tokens: &[TokenTree], at: usize) -> bool {
    at > 1 && matches!(&tokens[at - 1], TokenTree::Group(_)) && is_word(&tokens[at - 2], "pub")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    fn sources(root: &str, files: &[(&str, &str)]) -> Vec<SourceFile> {
        files
            .iter()
            .map(|(path, text)| file(&format!("{root}/src/{path}"), text))
            .collect()
    }

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        no_cycles(&sources("crates/x", files))
    }

    #[test]
    fn folders_that_import_each_other_through_different_files_are_found() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod one; mod two;"),
            ("a/one.rs", "use crate::b::one::B;"),
            ("a/two.rs", "pub struct A;"),
            ("b/mod.rs", "pub mod one; mod two;"),
            ("b/one.rs", "pub struct B;"),
            ("b/two.rs", "use crate::a::two::A;"),
        ];
        assert!(complaints(&files).is_empty(), "no two files do");
        assert_eq!(
            no_folder_cycles(&sources("crates/x", &files)),
            [
                "crates/x: the modules a, b import each other in a circle: a/one.rs → b/one.rs, b/two.rs → a/two.rs"
            ]
        );
        let (exempt, _) = MUTUAL[0];
        assert!(no_folder_cycles(&sources(exempt, &files)).is_empty());
        let one_way = no_folder_cycles(&sources(exempt, &files[..6]));
        assert_eq!(one_way.len(), 1, "an exception that nothing needs");
        assert!(no_folder_cycles(&sources("crates/x", &files[..6])).is_empty());
    }

    #[test]
    fn a_program_beside_a_library_is_no_part_of_it() {
        let files = [
            ("lib.rs", "mod a; pub fn f() { a::g() }"),
            ("a.rs", "use crate::f;"),
            ("main.rs", "fn main() { x::f() }"),
        ];
        assert_eq!(
            complaints(&files),
            ["crates/x: 2 files import each other in a circle: lib.rs, a.rs"]
        );
        let program = [
            ("main.rs", "mod a; fn f() { a::g() }"),
            ("a.rs", "use crate::f;"),
        ];
        assert_eq!(complaints(&program).len(), 1);
    }

    #[test]
    fn two_files_that_import_each_other_are_found() {
        let direct = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::{self, B}; pub struct A;"),
            ("b.rs", "fn f() -> super::a::A { todo() }"),
        ];
        assert_eq!(
            complaints(&direct),
            ["crates/x: 2 files import each other in a circle: a.rs, b.rs"]
        );
        let through_a_re_export = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "use crate::b;"),
            ("b.rs", "use crate::A;"),
        ];
        assert_eq!(complaints(&through_a_re_export).len(), 1);
        let child = [
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; fn f() { b::g() }"),
            ("a/b.rs", "use super::f;"),
        ];
        assert_eq!(complaints(&child).len(), 1);
        let parent = [
            ("lib.rs", "mod a; fn f() { a::g() }"),
            ("a.rs", "use crate::f;"),
        ];
        assert_eq!(complaints(&parent).len(), 1);
        let in_a_macro = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "macro_rules! m { () => { $crate::b::f() } }"),
            ("b.rs", "use crate::a::m;"),
        ];
        assert_eq!(complaints(&in_a_macro).len(), 1);
    }

    #[test]
    fn one_direction_tests_and_words_are_no_circle() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use b::B; use std::fmt;"),
            ("a.rs", "use crate::{b::B as C, B}; // crate::a"),
            (
                "b.rs",
                "const T: &str = \"crate::a\"; #[cfg(test)] mod tests { use crate::a; } \
                 mod inner { use super::B; }",
            ),
        ];
        assert!(complaints(&files).is_empty());
    }
}
