//! `binding`: references whose definition depends on the other images that are loaded.

mod two_level;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::dynamic_linker::{LinkMap, Process};
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Format, ImageKind};
use crate::input_kind::InputKind;
use crate::library_lookup::needed_by_others;
use crate::policy::Policy;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Binding,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "the binding of a name does not depend on the other images that are loaded",
    explanation: "Loads the set as glibc does: the images that no other image needs, in the given \
          order, or, without one, in alphabetical and in reverse order; all with RTLD_LOCAL and \
          all with RTLD_GLOBAL. It binds every name that the dynamic relocations look up, with \
          its version, through the scopes, DT_SYMBOLIC, protected visibility and STB_GNU_UNIQUE. \
          A name that binds otherwise than in a process with its image alone is a finding, and an \
          error if this does not take RTLD_GLOBAL. Libraries of the interpreter and of the system \
          count only if they are in the set. On macOS and Windows, references name their library. \
          The findings there are weak definitions that images of two packages export (macOS's \
          loader merges them), names that are looked up in the flat namespace, and DLLs of two \
          packages with one name. Bindings among the images of one wheel are notes, unless a load \
          order is given.",
    rationale: "The loader binds a name to the first image that defines it. An image that is \
          loaded after another package can run that package's function of the same name, or share \
          its statics. If that code has another version or was built differently, it works until \
          it does not.",
    remedy: "make the name local with a version script or hidden visibility, so that it is not \
          looked up at all; or give it a version node of its own",
    sources: &[
        "System V gABI, Dynamic Linking: Shared Object Dependencies, symbol resolution",
        "dlopen(3), ld.so(8); LSB Core, Symbol Versioning: symbol resolution",
        "Apple: dyld(1), ld(1): two-level namespace, -flat_namespace; mach-o/loader.h, MH_BINDS_TO_WEAK",
        "Microsoft: Dynamic-link library search order, loaded-module list",
    ],
    checks: &[Check::Libraries(check)],
};

/// An image that refers to names, and the image whose definitions it gets, or none if there is no definition. Images
/// are known by their index in the set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    from: usize,
    to: Option<usize>,
}

/// A name that is bound to another image than when the referring image is loaded alone.
struct Interposition {
    /// The image that the name is bound to when the referring image is loaded alone.
    alone: Option<usize>,
    /// Whether the name is interposed even with `RTLD_LOCAL`.
    even_local: bool,
}

/// The names that are interposed between two images.
type Names<'s> = BTreeMap<&'s str, Interposition>;

/// The interposed names of a set.
type Surprises<'s> = BTreeMap<Pair, Names<'s>>;

/// A load of an image: its index in the set, and whether it is loaded with `RTLD_GLOBAL`.
#[derive(Clone, Copy)]
struct Load {
    root: usize,
    global: bool,
}

/// An order of loads.
struct Order {
    loads: Vec<Load>,
    /// Whether it is an order with `RTLD_LOCAL`, or the one that the caller gave.
    local: bool,
}

/// The maximum number of lookups for loading each image by itself. The largest wheels take a million; a crafted set,
/// in which each image needs all others, takes the square of its size.
const MOST_LOOKUPS: usize = 1 << 26;

fn check(images: &[&Image<'_>], policy: &Policy) -> Vec<Finding> {
    // Only the ELF loader looks up a name in every image of the scope.
    match images.first().map(|image| image.facts.format) {
        Some(Format::Elf) => check_elf(images, policy),
        Some(Format::MachO | Format::Pe) => two_level::check(&RULE, images),
        None => Vec::new(),
    }
}

fn check_elf(images: &[&Image<'_>], policy: &Policy) -> Vec<Finding> {
    // Roots of `dlopen`: libraries that no other image of the set needs.
    let needed = needed_by_others(images.iter().copied());
    let roots: HashSet<&str> = images
        .iter()
        .zip(needed)
        .filter(|(image, needed)| image.facts.kind == ImageKind::SharedLibrary && !needed)
        .map(|(image, _)| image.facts.name)
        .collect();
    if policy.loads.is_empty() && roots.len() < 2 {
        return Vec::new();
    }
    // Errors in the tables are ignored here: they were reported when the tables were read.
    let Ok(set) = LinkMap::new(images) else {
        return Vec::new();
    };
    let mut loads: Vec<Load> = if policy.loads.is_empty() {
        let all = (0..set.objects.len()).filter(|&object| roots.contains(set.name(object)));
        let local = |root| Load {
            root,
            global: false,
        };
        all.map(local).collect()
    } else {
        let roots = set.roots(&policy.loads).into_iter();
        roots.map(|(root, global)| Load { root, global }).collect()
    };
    let alone = Process::new(&set);
    let lookups = loads.iter().map(|load| alone.lookups(load.root));
    if lookups.sum::<usize>() > MOST_LOOKUPS {
        let what = "not checked: to load each image by itself, more names would be looked up than this rule tries";
        return vec![RULE.finding(Severity::Info, set.name(0), what)];
    }
    let mut orders = Vec::new();
    if policy.loads.is_empty() {
        for _ in 0..2 {
            for global in [false, true] {
                loads.iter_mut().for_each(|load| load.global = global);
                orders.push(Order {
                    loads: loads.clone(),
                    local: !global,
                });
            }
            loads.reverse();
        }
    } else {
        orders.push(Order { loads, local: true });
    }
    let surprises = surprised(&set, &orders);
    // With an explicit order of loading, findings inside one wheel count as well.
    let (among, between): (Surprises<'_>, Surprises<'_>) = surprises
        .into_iter()
        .partition(|(pair, _)| policy.loads.is_empty() && same_package(&set, *pair));
    let mut found: Vec<Finding> = between
        .into_iter()
        .flat_map(|(pair, names)| findings(&set, pair, &names))
        .collect();
    found.extend(within(&set, &among));
    found
}

/// Returns whether both images are of one wheel, for which the caller has given no expectations
/// ([`crate::Expect`]). Its images are built together, so that sharing a definition may be intended.
fn same_package(set: &LinkMap<'_, '_>, pair: Pair) -> bool {
    let [from, to] = [Some(pair.from), pair.to].map(|at| at.map(|at| set.objects[at].image));
    let package = from
        .filter(|from| from.expect.is_none())
        .and_then(|from| from.package);
    package.is_some() && package == to.and_then(|to| to.package)
}

/// One finding for each wheel in which one image interposes names of another image of the same wheel.
fn within(set: &LinkMap<'_, '_>, surprises: &Surprises<'_>) -> Vec<Finding> {
    let mut wheels: BTreeMap<&str, Vec<Detail>> = BTreeMap::new();
    for (pair, names) in surprises {
        let (Some(package), Some(to)) = (set.objects[pair.from].image.package, pair.to) else {
            continue;
        };
        let note = format!(
            "{} from {}",
            count(names.len(), "name", "names"),
            set.name(to)
        );
        let detail = Detail::new(set.name(pair.from), note);
        wheels.entry(package).or_default().push(detail);
    }
    wheels
        .into_iter()
        .map(|(wheel, details)| {
            let what = "its images get names that they define themselves from each other, where that \
                        one is loaded first";
            RULE.finding(Severity::Info, wheel, what).about(details)
        })
        .collect()
}

/// Compares the bindings of every image in the processes that load in these orders with its bindings in a process
/// that loads its own root only.
fn surprised<'s>(set: &'s LinkMap<'_, '_>, orders: &[Order]) -> Surprises<'s> {
    let mut surprises = Surprises::new();
    let processes = orders.iter().map(|order| {
        let mut together = Process::new(set);
        for load in &order.loads {
            together.load(load.root, load.global);
        }
        (together, order.local)
    });
    let processes: Vec<(Process<'_, '_, '_>, bool)> = processes.collect();
    let loads = orders.iter().flat_map(|order| &order.loads);
    let roots: BTreeSet<usize> = loads.map(|load| load.root).collect();
    for root in roots {
        let mut alone = Process::new(set);
        alone.load(root, false);
        for (together, local) in &processes {
            for (object, bound) in together.bound.iter().enumerate() {
                let (Some(bound), Some(own)) = (bound, &alone.bound[object]) else {
                    continue;
                };
                if together.brought_by[object] != Some(root) {
                    continue;
                }
                let references = &set.objects[object].lookups.references;
                for ((reference, &to), &own) in references.iter().zip(bound).zip(own) {
                    if to != own {
                        let pair = Pair { from: object, to };
                        let names: &mut Names<'_> = surprises.entry(pair).or_default();
                        let interposition = names.entry(reference.name).or_insert(Interposition {
                            alone: own,
                            even_local: false,
                        });
                        interposition.even_local |= *local;
                    }
                }
            }
        }
    }
    surprises
}

/// The findings about the names of one image that another image interposes.
fn findings(set: &LinkMap<'_, '_>, Pair { from, to }: Pair, names: &Names<'_>) -> Vec<Finding> {
    let other = to.map_or("nowhere", |to| set.name(to));
    let about = |local: bool| {
        let details: Vec<Detail> = names
            .iter()
            .filter(|(_, interposition)| interposition.even_local == local)
            .map(|(&name, interposition)| {
                let note = match interposition.alone {
                    Some(image) if image == from => "alone: its own definition".to_owned(),
                    Some(image) => format!("alone: from {}", set.name(image)),
                    None => "alone: from nowhere in the set".to_owned(),
                };
                Detail::new(name, note)
            })
            .collect();
        let names = count(details.len(), "name", "names");
        let (severity, what) = if local {
            (Severity::Error, format!("gets {names} from {other}"))
        } else {
            let what =
                format!("gets {names} from {other}, if that is loaded first and RTLD_GLOBAL");
            (Severity::Warning, what)
        };
        (!details.is_empty()).then(|| {
            RULE.finding(severity, set.name(from), what)
                .about(details)
                .with(to.map(|to| set.name(to).to_owned()))
        })
    };
    [about(true), about(false)].into_iter().flatten().collect()
}
