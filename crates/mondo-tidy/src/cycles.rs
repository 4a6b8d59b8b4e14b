//! The rules that the modules of a crate import each other in one direction only.
//!
//! A module is a file. The files are read as token trees, so that comments and texts do not count and the bodies of
//! macros do; each path that leads into another file of the crate is an import. A parent's `mod child;` and
//! `pub use child::Name;` are not: they say where a name is, and a path through a re-export leads to the file behind it.
//!
//! The same holds for the modules at a crate's top, each a file, or a folder with everything below it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::sources::SourceFile;

/// The crate whose modules at the top may import each other. They have the types of one API, which name each other as
/// MLIR's do: a location is an attribute, an attribute has a type.
const MUTUAL: &str = "crates/mondo-ir";

/// The files of a crate import each other in one direction.
pub(crate) fn no_cycles(files: &[SourceFile]) -> Vec<String> {
    complaints(files, circles_of_files)
}

/// The modules at the top of a crate import each other in one direction.
pub(crate) fn no_folder_cycles(files: &[SourceFile]) -> Vec<String> {
    complaints(files, circles_of_tops)
}

/// Runs a check over the files of each crate, which are read together.
fn complaints(
    files: &[SourceFile],
    circles: fn(&str, &[&SourceFile]) -> Vec<String>,
) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<&SourceFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        if let Some((root, _)) = file.path.split_once("/src/") {
            crates.entry(root).or_default().push(file);
        }
    }
    let crates = crates.iter();
    crates
        .flat_map(|(root, files)| {
            let found = circles(root, files).into_iter();
            found
                .map(move |circle| format!("{root}: these import each other in a circle: {circle}"))
        })
        .collect()
}

fn circles_of_files(root: &str, files: &[&SourceFile]) -> Vec<String> {
    let modules = Modules::read(root, files);
    let file = |module: &&Module| modules.0[*module].file.as_str();
    let found = circles(&modules.imports()).into_iter();
    found
        .map(|circle| circle.iter().map(file).collect::<Vec<_>>().join(", "))
        .collect()
}

/// The crate's root is not a module at the top.
fn circles_of_tops(root: &str, files: &[&SourceFile]) -> Vec<String> {
    let files = files
        .iter()
        .filter(|file| !file.is_test() && root != MUTUAL);
    let files: Vec<&SourceFile> = files.copied().collect();
    let modules = Modules::read(root, &files);
    let imports = modules.imports().into_iter();
    let imports = imports.flat_map(|(from, to)| to.into_iter().map(move |to| (from, to)));
    let imports: Vec<(&Module, &Module)> = imports
        .filter(|(from, to)| !from.is_empty() && !to.is_empty() && from[0] != to[0])
        .collect();
    let mut tops: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in &imports {
        tops.entry(&from[0]).or_default().insert(&to[0]);
    }
    let described = |circle: Vec<&str>| {
        let is_in = |module: &Module| circle.contains(&module[0].as_str());
        let file = |module: &Module| modules.0[module].file.as_str();
        let inside = imports.iter().filter(|(from, to)| is_in(from) && is_in(to));
        let pairs: Vec<String> = inside
            .map(|(from, to)| format!("{} → {}", file(from), file(to)))
            .collect();
        format!("{}: {}", circle.join(", "), pairs.join(", "))
    };
    circles(&tops).into_iter().map(described).collect()
}

/// A module's path from the crate's root, without `crate`.
type Module = Vec<String>;

/// The modules of one crate.
struct Modules(BTreeMap<Module, Contents>);

/// The paths and the exports of one file.
#[derive(Default)]
struct Contents {
    /// Its path below `src/`.
    file: String,
    /// Each path in it, from the crate's root.
    paths: BTreeSet<Module>,
    /// The names it re-exports, and the paths behind them; `*` is the name of all.
    exports: Vec<(String, Module)>,
}

impl Modules {
    fn read(root: &str, files: &[&SourceFile]) -> Self {
        let below = |file: &SourceFile| file.path[root.len() + "/src/".len()..].to_owned();
        let has_library = files.iter().any(|file| below(file) == "lib.rs");
        let module = |file: &SourceFile| module_of(&below(file), has_library);
        let known: BTreeSet<Module> = files.iter().map(|file| module(file)).collect();
        let contents = |file: &SourceFile| {
            let mut reader = Reader {
                module: module(file),
                known: &known,
                contents: Contents {
                    file: below(file),
                    ..Contents::default()
                },
            };
            reader.walk(file.text.parse().unwrap_or_default());
            reader.contents
        };
        Self(
            files
                .iter()
                .map(|file| (module(file), contents(file)))
                .collect(),
        )
    }

    /// The module in whose file the thing at `path` is, behind at most `depth` re-exports.
    fn owner(&self, path: &[String], depth: usize) -> Option<&Module> {
        let mut lengths = (0..=path.len()).rev();
        let length = lengths.find(|length| self.0.contains_key(&path[..*length]))?;
        let (module, contents) = self.0.get_key_value(&path[..length])?;
        let name = path.get(length);
        let export = contents
            .exports
            .iter()
            .find(|(export, _)| Some(export) == name);
        match export {
            Some((_, behind)) if depth > 0 => {
                self.owner(&[behind, &path[length + 1..]].concat(), depth - 1)
            }
            _ => Some(module),
        }
    }

    fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let imports = self.0.iter().map(|(module, contents)| {
            let owners = contents.paths.iter().filter_map(|path| self.owner(path, 8));
            (module, owners.filter(|owner| *owner != module).collect())
        });
        imports.collect()
    }
}

/// The groups, each of two or more, in which every node reaches every other.
fn circles<T: Ord + Copy>(imports: &BTreeMap<T, BTreeSet<T>>) -> Vec<Vec<T>> {
    let reached = imports
        .keys()
        .map(|from| (*from, reachable(imports, *from)));
    let reached: BTreeMap<T, BTreeSet<T>> = reached.collect();
    let circle = |(from, to): (&T, &BTreeSet<T>)| -> Vec<T> {
        let back = |other: &&T| reached.get(other).is_some_and(|to| to.contains(from));
        to.iter().filter(back).copied().collect()
    };
    let circles: BTreeSet<Vec<T>> = reached.iter().map(circle).collect();
    let circles = circles.into_iter();
    circles.filter(|circle| circle.len() > 1).collect()
}

fn reachable<T: Ord + Copy>(imports: &BTreeMap<T, BTreeSet<T>>, from: T) -> BTreeSet<T> {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(module) = next.pop() {
        let to = imports.get(&module).into_iter().flatten();
        next.extend(to.filter(|to| seen.insert(**to)));
    }
    seen
}

/// The module of a file. A program beside a library is a crate of its own, not a part of the library.
fn module_of(below_src: &str, has_library: bool) -> Module {
    let path = below_src.trim_end_matches(".rs");
    let mut parts: Module = path.split('/').map(str::to_owned).collect();
    let is_root = path == "lib" || (path == "main" && !has_library);
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Collects the paths of one file.
struct Reader<'a> {
    /// The module that is read: the file's, or an inline one.
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
        let before = |back: usize, text: &str| at >= back && is(tokens.get(at - back), text);
        match &tokens[at] {
            TokenTree::Punct(_) if is_test_attribute(tokens, at) => after_item(tokens, at + 2),
            TokenTree::Ident(word) if word == "use" => {
                let exports = before(1, "pub") || before(2, "pub");
                self.path(tokens, at + 1, &[], exports)
            }
            TokenTree::Ident(_) if !is_colons(tokens, at.wrapping_sub(2)) => {
                self.path(tokens, at, &[], false)
            }
            // The modules to which an item is visible are not imported.
            TokenTree::Group(_) if before(1, "pub") => at + 1,
            TokenTree::Group(group) => {
                let is_inline = before(2, "mod");
                self.module
                    .extend(is_inline.then(|| tokens[at - 1].to_string()));
                self.walk(group.stream());
                self.module
                    .truncate(self.module.len() - usize::from(is_inline));
                at + 1
            }
            _ => at + 1,
        }
    }

    /// Reads a path or a tree of imports behind `before`: `a::b`, `a::{b, c as d}`, `a::*`. Returns where it ends.
    fn path(
        &mut self,
        tokens: &[TokenTree],
        start: usize,
        before: &[String],
        exports: bool,
    ) -> usize {
        let mut path = before.to_vec();
        let mut at = start;
        loop {
            match tokens.get(at) {
                Some(TokenTree::Group(group))
                    if group.delimiter() == Delimiter::Brace && at > start =>
                {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for tree in inner.split(|token| is(Some(token), ",")) {
                        self.path(tree, 0, &path, exports);
                    }
                    return at + 1;
                }
                Some(name @ TokenTree::Ident(_)) => path.push(name.to_string()),
                Some(star) if is(Some(star), "*") => path.push("*".to_owned()),
                _ => break,
            }
            at += 1;
            if !is_colons(tokens, at) {
                break;
            }
            at += 2;
        }
        let alias = tokens.get(at + 1).filter(|_| is(tokens.get(at), "as"));
        if path.len() > 1 {
            self.add(path, alias.map(ToString::to_string), exports);
        }
        at.max(start + 1)
    }

    fn add(&mut self, mut path: Module, alias: Option<String>, exports: bool) {
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(full) = self.resolve(&path) else {
            return;
        };
        let is_below = full.len() > self.module.len() && full.starts_with(&self.module);
        match full.last().filter(|_| exports && is_below) {
            Some(last) => self
                .contents
                .exports
                .push((alias.unwrap_or(last.clone()), full)),
            None => _ = self.contents.paths.insert(full),
        }
    }

    /// The path from the crate's root, if it is a path of this crate.
    fn resolve(&self, path: &[String]) -> Option<Module> {
        let mut from = self.module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (from, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {}
            child
                if !self
                    .known
                    .contains(&[&from[..], &[child.to_owned()]].concat()) =>
            {
                return None;
            }
            _ => {}
        }
        while rest.first().is_some_and(|first| first == "super") {
            from.pop()?;
            rest = &rest[1..];
        }
        from.extend_from_slice(rest);
        Some(from)
    }
}

/// Whether a token is this word or this character.
fn is(token: Option<&TokenTree>, text: &str) -> bool {
    match token {
        Some(TokenTree::Ident(word)) => word == text,
        Some(TokenTree::Punct(punct)) => text.starts_with(punct.as_char()) && text.len() == 1,
        _ => false,
    }
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), ":") && is(tokens.get(at + 1), ":")
}

/// Whether `#[cfg(test)]` begins at `at`, or a condition with `test` in it.
fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(at + 1) else {
        return false;
    };
    let text = group.stream().to_string();
    is(tokens.get(at), "#") && text.starts_with("cfg") && text.contains("(test)")
}

/// The place behind the item at `at`: its last token is a `;` or a group in braces.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is(Some(token), ";"),
    };
    let end = (at..tokens.len()).find(|index| is_end(&tokens[*index]));
    end.map_or(tokens.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    fn sources(root: &str, files: &[(&str, &str)]) -> Vec<SourceFile> {
        let files = files.iter();
        files
            .map(|(path, text)| file(&format!("{root}/src/{path}"), text))
            .collect()
    }

    fn of_files(files: &[(&str, &str)]) -> Vec<String> {
        no_cycles(&sources("crates/x", files))
    }

    fn of_folders(root: &str, files: &[(&str, &str)]) -> Vec<String> {
        no_folder_cycles(&sources(root, files))
    }

    const FOLDERS: [(&str, &str); 7] = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod one; mod two;"),
        ("a/one.rs", "use crate::b::one::B;"),
        ("a/two.rs", "pub struct A;"),
        ("b/mod.rs", "pub mod one; mod two;"),
        ("b/one.rs", "pub struct B;"),
        ("b/two.rs", "use crate::a::two::A;"),
    ];

    #[test]
    fn folders_that_import_each_other_through_different_files_are_found() {
        assert_eq!(of_files(&FOLDERS), [""; 0]);
        assert_eq!(
            of_folders("crates/x", &FOLDERS),
            [
                "crates/x: these import each other in a circle: a, b: a/one.rs → b/one.rs, b/two.rs → a/two.rs"
            ]
        );
    }

    #[test]
    fn folders_that_import_in_one_direction_and_exceptions_are_not_found() {
        let one_way = of_folders("crates/x", &FOLDERS[..6]);
        assert_eq!(one_way, [""; 0]);
        assert_eq!(of_folders(MUTUAL, &FOLDERS), [""; 0]);
    }

    #[test]
    fn two_files_that_import_each_other_are_found() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::{self, B}; pub struct A;"),
            ("b.rs", "struct C { a: super::a::A }"),
        ];
        assert_eq!(
            of_files(&files),
            ["crates/x: these import each other in a circle: a.rs, b.rs"]
        );
    }

    /// Checks that two files import each other, in a crate with this root.
    fn is_circle(root: &str, one: (&str, &str), other: (&str, &str)) {
        let found = of_files(&[("lib.rs", root), one, other]);
        assert_eq!(found.len(), 1, "{one:?}, {other:?}");
    }

    #[test]
    fn an_import_through_a_re_export_counts() {
        let b = ("b.rs", "use crate::A;");
        is_circle("mod a; mod b; pub use a::A;", ("a.rs", "use crate::b;"), b);
    }

    #[test]
    fn a_parent_and_its_child_make_a_circle() {
        let parent = ("a/mod.rs", "mod b; fn f() { b::g() }");
        is_circle("mod a;", parent, ("a/b.rs", "use super::f;"));
    }

    #[test]
    fn a_path_in_a_macro_counts() {
        let a = ("a.rs", "macro_rules! m { () => { $crate::b::f() } }");
        is_circle("mod a; mod b;", a, ("b.rs", "use crate::a::m;"));
    }

    #[test]
    fn a_program_beside_a_library_is_not_part_of_it() {
        let (root, a) = ("mod a; pub fn f() { a::g() }", ("a.rs", "use crate::f;"));
        let program = ("main.rs", "fn main() { x::f() }");
        assert_eq!(
            of_files(&[("lib.rs", root), a, program]),
            ["crates/x: these import each other in a circle: lib.rs, a.rs"]
        );
        assert_eq!(of_files(&[("main.rs", root), a]).len(), 1);
    }

    #[test]
    fn tests_texts_comments_and_inline_modules_are_no_imports() {
        let b = "const T: &str = \"crate::a\"; #[cfg(test)] mod tests { use crate::a; } mod inner { use super::B; }";
        let a = ("a.rs", "use crate::{b::B as C, B}; // crate::a");
        let root = ("lib.rs", "mod a; mod b; pub use b::B; use std::fmt;");
        assert_eq!(of_files(&[root, a, ("b.rs", b)]), [""; 0]);
    }
}
