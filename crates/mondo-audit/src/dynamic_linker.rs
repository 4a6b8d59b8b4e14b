//! Model of glibc's dynamic linker: the scopes of a set of ELF images, the order of symbol lookup,
//! and the definition that a lookup ends in.
//!
//! The model is binding at load (`RTLD_NOW`). An image looks names up in this order: in itself if it has
//! `DT_SYMBOLIC`; in the program and the images that were loaded `RTLD_GLOBAL` before; in the image that `dlopen`
//! names and its dependencies, breadth first. The first definition of a matching version wins, weak or not. A
//! definition that is `STB_GNU_UNIQUE` is used by the whole process from the first lookup on.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::image::{Image, Reading, pieces};
use crate::image_facts::{Format, ImageKind};
use crate::library_lookup::{Providers, is_libc};
use crate::policy::{Input, Load, Policy};
use crate::read::elf::references::{Definition, Lookups, Reference};
use crate::read::error::ReadError;

/// The maximum number of definitions of one name that are considered per image. Libraries that keep every old version
/// of a function have a handful; a crafted library could have as many as there are references.
const VERSIONS: usize = 64;

/// A reference and the image that it was bound to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Bound {
    /// The image that refers to the name.
    pub image: String,
    /// The name without a version.
    pub symbol: String,
    /// The version asked for.
    pub version: Option<String>,
    /// The image whose definition the reference is bound to; `None` if that image is not in the set.
    pub to: Option<String>,
}

/// Binds the images as the loader does for these calls of `dlopen`. The process runs the programs of the set; without
/// any, it runs a program that defines nothing.
///
/// # Errors
///
/// [`ReadError`] where an image cannot be read.
pub fn bindings(images: &[Input<'_>], loads: &[Load]) -> Result<Vec<Bound>, ReadError> {
    let policy = Policy::default();
    let mut taken_apart = Vec::new();
    for input in images {
        taken_apart.extend(pieces(*input)?);
    }
    let images: Result<Vec<Image<'_>>, ReadError> = taken_apart
        .iter()
        .map(|piece| {
            let reading = Reading::new(&piece.part)?;
            Ok(Image::new(piece.input.name, None, reading, None, &policy))
        })
        .collect();
    let images = images?;
    let set = LinkMap::new(&images.iter().collect::<Vec<_>>())?;
    let mut process = Process::new(&set);
    for (root, global) in set.roots(loads) {
        process.load(root, global);
    }
    let mut bound = Vec::new();
    for (from, targets) in process.bound.iter().enumerate() {
        let references = &set.objects[from].lookups.references;
        for (reference, to) in references.iter().zip(targets.iter().flatten()) {
            bound.push(Bound {
                image: set.name(from).to_owned(),
                symbol: reference.name.to_owned(),
                version: reference.version.map(str::to_owned),
                to: to.map(|to| set.name(to).to_owned()),
            });
        }
    }
    bound.sort();
    Ok(bound)
}

/// The images as the loader sees them.
pub(crate) struct LinkMap<'i, 'a> {
    pub(crate) objects: Vec<Object<'i, 'a>>,
    providers: Providers<'i, usize>,
    /// For each name, its definitions: the index of the object, and the index among the object's definitions; sorted.
    definers: HashMap<&'i str, Vec<(usize, usize)>>,
}

pub(crate) struct Object<'i, 'a> {
    pub(crate) image: &'i Image<'a>,
    pub(crate) lookups: &'i Lookups<'a>,
}

impl<'i, 'a> LinkMap<'i, 'a> {
    pub(crate) fn new(images: &[&'i Image<'a>]) -> Result<Self, ReadError> {
        let mut objects = Vec::new();
        for &image in images {
            let lookups = image.lookups.as_ref().map_err(Clone::clone)?;
            objects.push(Object { image, lookups });
        }
        // The order of the input is arbitrary, and no result may depend on it.
        objects.sort_by_key(|object| object.image.facts.name);
        let mut definers: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        for (index, object) in objects.iter().enumerate() {
            let lookups: &'i Lookups<'a> = object.lookups;
            for (at, definition) in lookups.definitions.iter().enumerate() {
                let known: &mut Vec<(usize, usize)> = definers.entry(definition.name).or_default();
                let oldest = known.len().checked_sub(VERSIONS);
                if oldest.is_none_or(|oldest| known[oldest].0 != index) {
                    known.push((index, at));
                }
            }
        }
        let images = objects.iter().map(|object| object.image);
        Ok(Self {
            providers: Providers::new(images.zip(0..)),
            objects,
            definers,
        })
    }

    pub(crate) fn name(&self, object: usize) -> &'i str {
        self.objects[object].image.facts.name
    }

    /// The objects that these calls name.
    pub(crate) fn roots(&self, loads: &[Load]) -> Vec<(usize, bool)> {
        let find = |wanted: &str| {
            (0..self.objects.len()).find(|&object| {
                let name = self.name(object);
                name == wanted || name.rsplit('/').next() == Some(wanted)
            })
        };
        let found = loads.iter();
        found
            .filter_map(|load| Some((find(&load.image)?, load.global)))
            .collect()
    }

    /// The object that is loaded for a needed library: one that is loaded already, else the one whose file has this
    /// name, else the first.
    fn provider(&self, library: &str, there: impl Fn(usize) -> bool) -> Option<usize> {
        let mut found = self.providers.of(Format::Elf, library).iter().copied();
        let called = |object: &usize| self.objects[*object].image.facts.file_name() == library;
        let file = found.clone().find(called).or(found.clone().next());
        found.find(|&object| there(object)).or(file)
    }

    /// The definition of this object that matches a reference.
    fn answer(
        &self,
        object: usize,
        at: &[(usize, usize)],
        asked: &Reference<'_>,
    ) -> Option<&Definition<'i>> {
        let lookups = &self.objects[object].lookups;
        let all = || at.iter().map(|&(_, at)| &lookups.definitions[at]);
        if !lookups.versioned {
            return all().next();
        }
        if let Some(version) = asked.version {
            return all().find(|definition| match definition.version {
                Some(defined) => defined == version,
                None => !asked.exact && !definition.hidden,
            });
        }
        // A reference without a version is bound to the symbol's definition in the library's first version, or to its
        // only default definition.
        let oldest = all().find(|definition| definition.version_index < 3);
        oldest.or_else(|| {
            let mut defaults = all().filter(|definition| !definition.hidden);
            defaults.next().filter(|_| defaults.next().is_none())
        })
    }
}

/// A member of a scope: an image of the set, or a library outside of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Member<'i> {
    Object(usize),
    Outside(&'i str),
}

/// A process that images are loaded into.
pub(crate) struct Process<'s, 'i, 'a> {
    set: &'s LinkMap<'i, 'a>,
    /// The global scope, with each member's position in it.
    global: HashMap<Member<'i>, usize>,
    /// Defining object of each `STB_GNU_UNIQUE` name.
    unique: HashMap<&'i str, usize>,
    /// For each object that was loaded, what each of its references was bound to.
    pub(crate) bound: Vec<Option<Vec<Option<usize>>>>,
    /// For each loaded object, the root of the call that loaded it.
    pub(crate) brought_by: Vec<Option<usize>>,
}

impl<'s, 'i, 'a> Process<'s, 'i, 'a> {
    /// A process that runs the set's programs.
    pub(crate) fn new(set: &'s LinkMap<'i, 'a>) -> Self {
        let mut process = Self {
            set,
            global: HashMap::new(),
            unique: HashMap::new(),
            bound: vec![None; set.objects.len()],
            brought_by: vec![None; set.objects.len()],
        };
        for (index, object) in set.objects.iter().enumerate() {
            if object.image.facts.kind == ImageKind::Program {
                process.load(index, true);
            }
        }
        process
    }

    /// `dlopen(root, RTLD_NOW | …)`.
    pub(crate) fn load(&mut self, root: usize, global: bool) {
        let scope = self.scope(root);
        let program = self.set.objects[root].image.facts.kind == ImageKind::Program;
        if global && program {
            self.publish(&scope);
        }
        // Dependencies are bound before their users.
        for &member in scope.iter().rev() {
            if let Member::Object(object) = member
                && self.bound[object].is_none()
            {
                self.bound[object] = Some(self.bind(object, &scope));
                self.brought_by[object] = Some(root);
            }
        }
        if global {
            self.publish(&scope);
        }
    }

    /// The number of lookups that loading this object takes in a process in which nothing else is loaded.
    pub(crate) fn lookups(&self, root: usize) -> usize {
        let objects = self.scope(root).into_iter().map(|member| match member {
            Member::Object(object) => self.set.objects[object].lookups.references.len(),
            Member::Outside(_) => 0,
        });
        objects.sum()
    }

    fn publish(&mut self, scope: &[Member<'i>]) {
        for &member in scope {
            let next = self.global.len();
            self.global.entry(member).or_insert(next);
        }
    }

    /// The root and its direct and indirect dependencies, breadth first.
    fn scope(&self, root: usize) -> Vec<Member<'i>> {
        let mut scope = vec![Member::Object(root)];
        let mut known = HashSet::from([scope[0]]);
        let mut next = 0;
        while let Some(&member) = scope.get(next) {
            next += 1;
            let Member::Object(object) = member else {
                continue;
            };
            for library in &self.set.objects[object].image.facts.needed {
                let is_loaded = |object: usize| {
                    self.bound[object].is_some() || known.contains(&Member::Object(object))
                };
                let found = self.set.provider(library, is_loaded);
                let found = found.map_or(Member::Outside(library), Member::Object);
                if known.insert(found) {
                    scope.push(found);
                }
            }
        }
        scope
    }

    fn bind(&mut self, object: usize, scope: &[Member<'i>]) -> Vec<Option<usize>> {
        let set = self.set;
        let places: HashMap<Member<'i>, usize> = scope
            .iter()
            .enumerate()
            .map(|(place, &member)| (member, self.global.len() + place))
            .collect();
        let lookups = &set.objects[object].lookups;
        let bound = lookups.references.iter().map(|asked| {
            let place = |member: Member<'i>| match member {
                Member::Object(other) if other == object && lookups.symbolic => Some(0),
                // The C library is in every process from the start.
                Member::Outside(library) if is_libc(library) => Some(1),
                _ => {
                    let known = self.global.get(&member).or_else(|| places.get(&member));
                    known.map(|place| place + 2)
                }
            };
            self.look_up(object, asked, place)
        });
        // A name becomes unique by its first lookup, so references are bound one after the other.
        let mut unique = HashMap::new();
        let mut targets = Vec::new();
        for (answer, asked) in bound.zip(&lookups.references) {
            targets.push(answer.map(|(owner, is_unique)| {
                if !is_unique {
                    return owner;
                }
                let first = self.unique.get(asked.name).copied();
                first.unwrap_or_else(|| *unique.entry(asked.name).or_insert(owner))
            }));
        }
        self.unique.extend(unique);
        targets
    }

    /// The object that the reference is bound to, and whether that definition is unique; `None` if no object of the
    /// set defines it.
    fn look_up(
        &self,
        object: usize,
        asked: &Reference<'i>,
        place: impl Fn(Member<'i>) -> Option<usize>,
    ) -> Option<(usize, bool)> {
        if asked.protected {
            return Some((object, false));
        }
        let definers = self.set.definers.get(asked.name)?;
        let found = definers
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|at| {
                let owner = at[0].0;
                let rank = place(Member::Object(owner))?;
                let definition = self.set.answer(owner, at, asked)?;
                Some((rank, owner, definition.unique))
            })
            .min_by_key(|found| found.0);
        // A library that is not in the set is assumed to define what is requested of it by name and version.
        let outside = asked
            .library
            .filter(|_| asked.version.is_some())
            .and_then(|library| place(Member::Outside(library)));
        found
            .filter(|found| outside.is_none_or(|outside| found.0 < outside))
            .map(|(_, owner, unique)| (owner, unique))
    }
}
