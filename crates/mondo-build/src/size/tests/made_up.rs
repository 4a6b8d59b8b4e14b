//! Property tests of sums, differences and shortest chains, over trees and graphs that proptest generates.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mondo_link::link::map::Sized;
use proptest::prelude::*;

use super::super::contents::{Kind, Sizes, Tree, dialects};
use super::super::detail::{ArchiveDetail, Detail, MemberDetail};
use super::super::diff::{Change, diff};
use super::super::graph::{Graph, Node};
use super::super::inputs::LinkInputs;
use super::super::why::why;

/// Archives, members and sections with so few names that equal names occur.
pub(super) fn details() -> impl Strategy<Value = Detail> {
    let section = ("[a-c]{1}", 0..5000_u64).prop_map(|(name, bytes)| Sized { name, bytes });
    let member = ("[a-c]{1}\\.o", prop::collection::vec(section, 0..4))
        .prop_map(|(name, sections)| MemberDetail { name, sections });
    let dialect = prop::option::of(prop::sample::select(vec![
        "arith".to_owned(),
        "scf".to_owned(),
    ]));
    let archive = ("lib[a-c]\\.a", dialect, prop::collection::vec(member, 0..4)).prop_map(
        |(name, dialect, members)| ArchiveDetail {
            name,
            dialect,
            members,
        },
    );
    prop::collection::vec(archive, 0..5).prop_map(|mut archives| {
        // One archive is always added, since without any archive the library's parts count as unknown.
        archives.push(ArchiveDetail {
            name: "libmain.a".to_owned(),
            dialect: None,
            members: vec![MemberDetail {
                name: "main.o".to_owned(),
                sections: vec![Sized {
                    name: ".text".to_owned(),
                    bytes: 9000,
                }],
            }],
        });
        Detail {
            sha256: String::new(),
            library: "libx.so".to_owned(),
            archives,
        }
    })
}

pub(super) fn sizes(detail: &Detail) -> Sizes {
    Sizes {
        tree: Tree::new("x.whl", Kind::Wheel, dialects(detail)),
        notes: Vec::new(),
    }
}

fn check_sums(tree: &Tree) {
    if !tree.parts.is_empty() {
        let sum: u64 = tree.parts.iter().map(|part| part.bytes).sum();
        assert_eq!(tree.bytes, sum, "{}", tree.name);
        assert!(tree.parts.is_sorted_by(|a, b| a.bytes >= b.bytes));
        assert!(tree.parts.iter().all(|part| part.bytes > 0));
    }
    tree.parts.iter().for_each(check_sums);
}

proptest! {
    #[test]
    fn parts_sum_up_to_the_whole(detail in details()) {
        let tree = sizes(&detail).tree;
        check_sums(&tree);
        let members = detail.archives.iter().flat_map(|archive| &archive.members);
        let all: u64 = members.flat_map(|member| &member.sections).map(|section| section.bytes).sum();
        prop_assert_eq!(tree.bytes, all);
        for kind in [Kind::Dialect, Kind::Archive, Kind::Member, Kind::Section] {
            prop_assert_eq!(tree.by_path(kind).values().sum::<u64>(), all);
        }
    }

    #[test]
    fn a_difference_is_what_it_takes_from_one_to_the_other(a in details(), b in details()) {
        let (a, b) = (sizes(&a), sizes(&b));
        prop_assert!(diff(&a, &a).changes.is_empty());
        let forwards = diff(&a, &b);
        let back = diff(&b, &a);
        prop_assert_eq!((forwards.installed.1, forwards.installed.0), back.installed);
        let swapped = |change: &Change| Change {
            kind: change.kind,
            name: change.name.clone(),
            before: change.after,
            after: change.before,
        };
        let forth: Vec<Change> = forwards.changes.iter().map(swapped).collect();
        prop_assert_eq!(&forth, &back.changes);
        // The changed and the unchanged parts together are all parts.
        for kind in [Kind::Dialect, Kind::Archive, Kind::Member, Kind::Section] {
            let mut after = b.tree.by_path(kind);
            for change in back.changes.iter().filter(|change| change.kind == kind) {
                prop_assert_eq!(after.remove(&change.name), change.before);
                after.extend(change.after.map(|bytes| (change.name.clone(), bytes)));
            }
            prop_assert_eq!(after, a.tree.by_path(kind));
        }
    }

    #[test]
    fn a_chain_is_a_shortest_way_of_real_references(
        edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..30),
        exported in prop::collection::btree_set(0..12_usize, 0..3),
        root in prop::option::of(0..12_usize),
        target in 0..12_usize,
    ) {
        let names: Vec<String> = (0..12).map(|index| format!("symbol{index:02}")).collect();
        let graph = graph(&names, &edges, root);
        let inputs = LinkInputs {
            archives: Vec::new(),
            exports: exported.iter().map(|index| names[*index].clone()).collect(),
        };
        let starts: BTreeSet<usize> = exported.iter().copied().chain(root).collect();
        let all = distances(&edges, &starts, None);
        let found = why(&graph, &inputs, &names[target]);
        let Some(distance) = all.get(&target) else {
            prop_assert!(found.is_err());
            return Ok(());
        };
        let found = found.unwrap();
        prop_assert_eq!(found.chain.len(), distance + 1);
        let way: Vec<usize> = found.chain.iter().map(|step| step.bytes.ilog2() as usize).collect();
        prop_assert!(starts.contains(&way[0]));
        prop_assert_eq!(way.last(), Some(&target));
        for step in way.windows(2) {
            prop_assert!(edges.contains(&(step[0], step[1])), "{:?}", way);
        }
        let without = distances(&edges, &starts, Some(target));
        let gone = all.keys().filter(|node| !without.contains_key(node));
        prop_assert_eq!(found.saves, gone.map(|node| 1 << node).sum::<u64>());
    }
}

/// Sections in one member; the size of each is the power of two of its number.
fn graph<'a>(names: &'a [String], edges: &[(usize, usize)], root: Option<usize>) -> Graph<'a> {
    let nodes = names.iter().enumerate().map(|(index, _)| {
        let refers = edges.iter().filter(|edge| edge.0 == index);
        Node {
            member: 0,
            name: ".text",
            size: 1 << index,
            root: root == Some(index),
            refers: refers
                .map(|edge| (edge.1 as u32, &*names[edge.1]))
                .collect(),
        }
    });
    Graph {
        members: vec!["libx.a(x.o)".to_owned()],
        nodes: nodes.collect(),
        definitions: names
            .iter()
            .zip(0..)
            .map(|(name, node)| (&**name, node))
            .collect::<HashMap<_, _>>(),
        locals: Vec::new(),
    }
}

/// The distance of each node from the nearest start, widened until a fixed point.
fn distances(
    edges: &[(usize, usize)],
    starts: &BTreeSet<usize>,
    without: Option<usize>,
) -> BTreeMap<usize, usize> {
    let is_left = |node: &usize| Some(*node) != without;
    let mut known: BTreeMap<usize, usize> = starts
        .iter()
        .filter(|start| is_left(start))
        .map(|node| (*node, 0))
        .collect();
    loop {
        let before = known.clone();
        for (from, to) in edges {
            if let Some(distance) = before.get(from).filter(|_| is_left(to)) {
                let at = known.entry(*to).or_insert(distance + 1);
                *at = (*at).min(distance + 1);
            }
        }
        if known == before {
            return known;
        }
    }
}

#[test]
fn wheels_of_two_kinds_are_compared_by_their_files() {
    let file = |name: &str, parts| {
        let mut file = Tree::leaf(name, Kind::File, 30);
        file.parts = parts;
        Sizes {
            tree: Tree::new("x.whl", Kind::Wheel, vec![file]),
            notes: Vec::new(),
        }
    };
    let dialect = Tree::leaf("arith", Kind::Dialect, 20);
    let section = Tree::leaf(".text", Kind::Section, 20);
    let (known, unknown) = (file("x.so", vec![dialect]), file("x.so", vec![section]));
    let same = diff(&known, &unknown);
    assert!(same.changes.is_empty(), "{same:?}");
    assert!(same.notes[0].contains("only files are compared"));
    let other = diff(&unknown, &file("y.so", Vec::new()));
    assert!(
        other.text().contains("no file in common"),
        "{}",
        other.text()
    );
    assert!(other.text().contains("x.so, gone"), "{}", other.text());
}

#[test]
fn the_nearest_names_are_offered() {
    let names: Vec<String> = [
        "Clone", "Create", "Destroy", "Dump", "Equal", "GetAttr", "Print",
    ]
    .map(|end| format!("mlirOperation{end}"))
    .into();
    let graph = graph(&names, &[], None);
    let error = why(&graph, &LinkInputs::default(), "mlirOperationPrnt").unwrap_err();
    let offered = error.listed();
    assert_eq!(offered.len(), 5);
    assert!(
        offered.contains(&"did you mean mlirOperationPrint?".to_owned()),
        "{error}"
    );
}
