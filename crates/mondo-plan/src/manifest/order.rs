//! The order in which projects are built: each after those that it needs.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::error::{Error, ErrorKind, Result};

use crate::document::Document;
use crate::spanned::Spanned;

/// The words of the key `needs` of each project.
type Needs = BTreeMap<String, Vec<Spanned<String>>>;

/// Sorts the names of projects. All words of `needs` are among them.
pub(super) fn ordered(
    mut left: Vec<String>,
    needs: &Needs,
    source: &Document,
) -> Result<Vec<String>> {
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_done = |word: &Spanned<String>| done.contains(word.get_ref());
        let ready = |name: &String| needs.get(name).into_iter().flatten().all(is_done);
        let Some(ready) = left.iter().position(ready) else {
            return Err(in_a_circle(&circle(&left, needs), source));
        };
        let name = left.remove(ready);
        done.insert(name.clone());
        order.push(name);
    }
    Ok(order)
}

/// A circle among these projects, each of which needs another one of them: the words of `needs` along it, of which each
/// names the project whose word is the next.
fn circle<'n>(left: &[String], needs: &'n Needs) -> Vec<&'n Spanned<String>> {
    let mut words: Vec<&Spanned<String>> = Vec::new();
    let mut name = &left[0];
    loop {
        let mut all = needs.get(name).into_iter().flatten();
        let Some(next) = all.find(|word| left.contains(word.get_ref())) else {
            return words;
        };
        if let Some(start) = words
            .iter()
            .position(|word| word.get_ref() == next.get_ref())
        {
            // Those before lead to the circle.
            let mut words = words.split_off(start + 1);
            words.push(next);
            return words;
        }
        words.push(next);
        name = next.get_ref();
    }
}

fn in_a_circle(words: &[&Spanned<String>], source: &Document) -> Error {
    let names: Vec<&str> = words.iter().map(|word| word.get_ref().as_str()).collect();
    let what = match names[..] {
        [name] => format!("the project `{name}` needs itself"),
        _ => format!("projects need each other in a cycle: {}", names.join(", ")),
    };
    source
        .error(ErrorKind::Manifest, words[0].span(), what)
        .because("mondo builds each project after those it needs")
        .details(words.iter().map(|word| source.place(word.span().start)))
        .help("remove one of these names from `needs`")
}
