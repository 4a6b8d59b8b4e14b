//! `--why`: the shortest chain of references from a root (an exported symbol) to the wanted symbol, and the number of
//! bytes that its removal would save.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use mondo_core::demangle::demangled;
use mondo_core::error::{Error, ErrorKind, Result};
use serde::Serialize;

use super::graph::Graph;
use super::inputs::LinkInputs;
use super::mega;

/// The reason for which a symbol is in the library.
#[derive(Debug, Serialize)]
pub struct Why {
    /// The symbol asked for, by its full name.
    pub symbol: String,
    /// From a root to the symbol.
    pub chain: Vec<Step>,
    /// Bytes of all sections that are reachable only through this symbol's section, before identical code folding.
    pub saves: u64,
    /// The same bytes by archive, largest first.
    pub saves_by_archive: Vec<(String, u64)>,
}

/// One section of the chain.
#[derive(Debug, Serialize)]
pub struct Step {
    /// The symbol, demangled, by which the previous step refers to this section; the section's name if there is no
    /// symbol.
    pub symbol: String,
    /// `libMLIRIR.a(Block.cpp.o)`.
    pub member: String,
    /// The section's name.
    pub section: String,
    /// Its bytes.
    pub bytes: u64,
}

/// Finds the chain to `wanted`, which is a symbol (mangled or demangled), a part of a demangled name without its
/// arguments, an archive (`libMLIRIR.a`), or a member (`libMLIRIR.a(Block.cpp.o)`).
///
/// # Errors
/// `ErrorKind::Check` where nothing has that name.
pub fn why(graph: &Graph<'_>, inputs: &LinkInputs, wanted: &str) -> Result<Why> {
    let (order, parents) = reach(graph, inputs, None);
    let found = matches(graph, wanted);
    // The breadth-first search visits nearer nodes first, so the first match is the nearest.
    let Some(target) = order.iter().copied().find(|node| found.contains_key(node)) else {
        return Err(nothing(graph, inputs, wanted, &found));
    };
    let mut chain = Vec::new();
    let mut at = Some(target);
    while let Some(node) = at {
        let (from, symbol) = parents[node as usize].unwrap_or((None, ""));
        let section = graph.nodes[node as usize].name;
        let symbol = match (symbol, node == target) {
            ("", true) => found[&node],
            ("", false) => section,
            (symbol, _) => symbol,
        };
        chain.push(Step {
            symbol: demangled(symbol),
            member: graph.place(node).to_owned(),
            section: section.to_owned(),
            bytes: graph.nodes[node as usize].size,
        });
        at = from;
    }
    chain.reverse();
    let targets: Vec<u32> = if found.len() > 1 && is_place(wanted) {
        found.keys().copied().collect()
    } else {
        vec![target]
    };
    let (_, without) = reach(graph, inputs, Some(&targets));
    let mut by_archive: BTreeMap<&str, u64> = BTreeMap::new();
    for node in order
        .iter()
        .filter(|node| without[**node as usize].is_none())
    {
        let archive = graph.place(*node).split('(').next().unwrap_or_default();
        *by_archive.entry(archive).or_default() += graph.nodes[*node as usize].size;
    }
    let mut saves_by_archive: Vec<(String, u64)> = by_archive
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect();
    saves_by_archive.sort_by_key(|saving| std::cmp::Reverse(saving.1));
    Ok(Why {
        symbol: wanted.to_owned(),
        saves: saves_by_archive.iter().map(|saving| saving.1).sum(),
        saves_by_archive,
        chain,
    })
}

/// The predecessor of a node in the search (none for a root), and the symbol of the reference.
type Parent<'a> = Option<(Option<u32>, &'a str)>;

/// All nodes that the garbage collection keeps, nearest first, with their predecessors. The search does not enter
/// `without`.
fn reach<'a>(
    graph: &Graph<'a>,
    inputs: &'a LinkInputs,
    without: Option<&[u32]>,
) -> (Vec<u32>, Vec<Parent<'a>>) {
    let mut parents: Vec<Parent<'a>> = vec![None; graph.nodes.len()];
    let mut blocked = vec![false; graph.nodes.len()];
    for node in without.into_iter().flatten() {
        blocked[*node as usize] = true;
    }
    let mut queue = VecDeque::new();
    let exported = inputs.exports.iter();
    let exported =
        exported.filter_map(|name| Some((*graph.definitions.get(name.as_str())?, name.as_str())));
    let kept = graph.nodes.iter().enumerate().filter(|(_, node)| node.root);
    for (node, name) in exported.chain(kept.map(|(index, _)| (index as u32, ""))) {
        let parent = &mut parents[node as usize];
        if parent.is_none() && !blocked[node as usize] {
            *parent = Some((None, name));
            queue.push_back(node);
        }
    }
    let mut order = Vec::new();
    while let Some(node) = queue.pop_front() {
        order.push(node);
        for &(next, symbol) in &graph.nodes[node as usize].refers {
            let parent = &mut parents[next as usize];
            if parent.is_none() && !blocked[next as usize] {
                *parent = Some((Some(node), symbol));
                queue.push_back(next);
            }
        }
    }
    (order, parents)
}

/// True if `wanted` is an archive or one of its members.
fn is_place(wanted: &str) -> bool {
    wanted.ends_with(".a") || wanted.ends_with(".o)")
}

/// The sections that `wanted` matches: an archive member, or a symbol in any of its spellings. Each has the name to print.
fn matches<'a>(graph: &Graph<'a>, wanted: &str) -> BTreeMap<u32, &'a str> {
    if is_place(wanted) {
        let fits = |node: u32| {
            let place = graph.place(node);
            place == wanted || place.split('(').next() == Some(wanted)
        };
        let nodes = (0..graph.nodes.len() as u32).filter(|node| fits(*node));
        return nodes.map(|node| (node, "")).collect();
    }
    if let Some((name, node)) = graph.definitions.get_key_value(wanted) {
        return BTreeMap::from([(*node, *name)]);
    }
    let names = graph.definitions.iter().map(|(name, node)| (*name, *node));
    let names = names.chain(graph.locals.iter().copied());
    let all: Vec<(&str, u32, String)> = names
        .filter(|(name, _)| !name.is_empty())
        // A demangled name contains the words of the mangled one, so names without these words need not be demangled.
        .filter(|(name, _)| words(wanted).all(|word| name.contains(word)))
        .map(|(name, node)| (name, node, demangled(name)))
        .collect();
    let exactly = |fit: &dyn Fn(&str) -> bool| -> BTreeMap<u32, &'a str> {
        let fitting = all.iter().filter(|(_, _, text)| fit(text));
        fitting.map(|(name, node, _)| (*node, *name)).collect()
    };
    let whole = exactly(&|text| text == wanted || text.split('(').next() == Some(wanted));
    if whole.is_empty() {
        exactly(&|text| text.contains(wanted))
    } else {
        whole
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| {
            !word.is_empty() && !["const", "unsigned", "int", "bool", "void", "char"].contains(word)
        })
}

/// The error for a name that no section of the library has.
fn nothing(
    graph: &Graph<'_>,
    inputs: &LinkInputs,
    wanted: &str,
    found: &BTreeMap<u32, &str>,
) -> Error {
    let error = Error::new(
        ErrorKind::Check,
        format!("`{wanted}` is not in the library"),
    );
    if let Some(node) = found.keys().next() {
        return error
            .because(format!(
                "{} defines it, but no export refers to it",
                graph.place(*node)
            ))
            .help("nothing to do: it takes no space");
    }
    let how_near = |name: &str| strsim::jaro_winkler(name, wanted);
    let mut near: Vec<(f64, &str)> = graph
        .definitions
        .keys()
        .map(|name| (how_near(name), *name))
        .filter(|(nearness, _)| *nearness > 0.9)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.truncate(5);
    let why = if is_place(wanted) {
        "the library contains no part of it".to_owned()
    } else {
        format!(
            "no object file that is linked defines it ({} exports were followed)",
            inputs.exports.len()
        )
    };
    error
        .because(why)
        .details(
            near.iter()
                .map(|(_, name)| format!("did you mean {}?", demangled(name))),
        )
        .help("pass a symbol as `nm` or `nm -C` prints it, an archive, or archive(member)")
}

impl Why {
    /// The text for the terminal: one step per line, each below the step that refers to it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (index, step) in self.chain.iter().enumerate() {
            let mark = if index == 0 { "kept:" } else { "   →" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{mark} {}", step.symbol);
            let _ = writeln!(
                text,
                "       {}  {}  {} bytes",
                step.member, step.section, step.bytes
            );
        }
        let _ = writeln!(
            text,
            "without it: {} less, before identical functions are folded",
            mega(self.saves)
        );
        for (archive, bytes) in self.saves_by_archive.iter().take(12) {
            let _ = writeln!(text, "  {:>10}  {archive}", mega(*bytes));
        }
        text
    }
}
