//! The dialect crates of a plan: whether they agree with each other and with the catalogue, which of
//! their dialects are in, what those bring along, and in which order the crates are made.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::error::{Error, ErrorKind, Result};

use super::{PlannedDialect, PlannedExtension, PlannedWheel, Registration};
use crate::catalogue::Release;
use crate::dialect_crate::{Dialect, DialectCrate, DialectRegistration, NANOBIND_SINCE, Registrar};
use crate::document::suggest;
use crate::manifest::Manifest;
use crate::metadata::{Metadata, all_of};
use crate::names::normalized;
use crate::spanned::Spanned;

/// The crates that a manifest lists, checked against each other.
pub(super) struct Crates<'a> {
    crates: &'a [DialectCrate],
    release: &'a Release<'a>,
    /// Every dialect of the crates, by name.
    dialects: BTreeMap<&'a str, (&'a DialectCrate, &'a Dialect)>,
}

impl<'a> Crates<'a> {
    pub(super) fn new(crates: &'a [DialectCrate], release: &'a Release<'a>) -> Result<Self> {
        let dialects = crates
            .iter()
            .flat_map(|owner| owner.dialects.iter().map(move |dialect| (owner, dialect)))
            .map(|(owner, dialect)| (dialect.name.get_ref().as_str(), (owner, dialect)))
            .collect();
        let crates = Self {
            crates,
            release,
            dialects,
        };
        crates.claims()?;
        crates.dependencies_exist()?;
        crates.no_cycle()?;
        crates.adaptors_exist()?;
        Ok(crates)
    }

    /// The names that a manifest may use for dialects.
    pub(super) fn dialect_names(&self) -> BTreeSet<&'a str> {
        self.dialects.keys().copied().collect()
    }

    /// The names that a manifest may use for pass groups.
    pub(super) fn pass_group_names(&self) -> BTreeSet<&'a str> {
        let groups = self.crates.iter().flat_map(|owner| &owner.pass_groups);
        groups.map(|group| group.name.get_ref().as_str()).collect()
    }

    /// Each name has one owner.
    fn claims(&self) -> Result<()> {
        let Release {
            dialects,
            pass_groups,
            ..
        } = self.release;
        let mut names = Claims::new("the crate name", "name");
        let mut dialect_names = Claims::new("the dialect", "dialect.name");
        let mut groups = Claims::new("the pass group", "pass-group.name");
        let mut functions = Claims::new("the registration function", "handle` or `register");
        let mut modules = Claims::new("the Python module", "dialect.python");
        let mut extensions = Claims::new("the extension module", "extension.module");
        let mut wheels = Claims::new("the wheel", "extension.wheel");
        let mut packages = Claims::new("the Cargo package", "rust.package");
        let mut commands = Claims::new("the command", "command.name");
        for dialect in dialects.values() {
            dialect_names.catalogue(dialect.name.get_ref());
            if let Some(module) = &dialect.python {
                modules.catalogue(module);
            }
        }
        for group in pass_groups.values() {
            groups.catalogue(group.name.get_ref());
        }
        for owner in self.crates {
            names.take(&owner.name, owner)?;
            for dialect in &owner.dialects {
                dialect_names.take(&dialect.name, owner)?;
                functions.take(dialect.registration.name(), owner)?;
                if let Some(module) = &dialect.python {
                    modules.take(module, owner)?;
                }
            }
            for group in &owner.pass_groups {
                groups.take(&group.name, owner)?;
                functions.take(group.register.name(), owner)?;
            }
            let added = owner.dialect_extensions.iter().chain(&owner.translations);
            for one in added.chain(&owner.tool_translations) {
                functions.take(one.name(), owner)?;
            }
            for command in &owner.commands {
                commands.take(&command.name, owner)?;
            }
            for extension in &owner.extensions {
                extensions.take(&extension.module, owner)?;
            }
            if let Some(extension) = owner.extensions.first() {
                wheels.take(&extension.wheel, owner)?;
            }
            if let crate::dialect_crate::Code::Rust(rust) = &owner.code {
                packages.take(&rust.package, owner)?;
            }
        }
        Ok(())
    }

    fn dependencies_exist(&self) -> Result<()> {
        for (owner, dialect) in self.dialects.values() {
            for needed in &dialect.depends {
                let word = needed.get_ref().as_str();
                if self.dialects.contains_key(word) || self.release.dialects.contains_key(word) {
                    continue;
                }
                let known = self.release.dialects.keys().chain(self.dialects.keys());
                return Err(owner
                    .error(
                        ErrorKind::Plan,
                        needed.span(),
                        format!(
                            "the dialect crate `{}`: `dialect.depends` of `{}` names \
                             `{word}`, which is not a dialect",
                            owner.name.get_ref(),
                            dialect.name.get_ref()
                        ),
                    )
                    .because(format!(
                        "neither LLVM {} nor a crate of `contents.crates` defines it",
                        self.release.major
                    ))
                    .help(suggest(word, known.copied())));
            }
        }
        Ok(())
    }

    /// Extensions are written over headers that not every LLVM has.
    fn adaptors_exist(&self) -> Result<()> {
        let major = self.release.major;
        let mut extensions = self.crates.iter().flat_map(|owner| {
            owner
                .extensions
                .iter()
                .map(move |extension| (owner, extension))
        });
        let Some((owner, extension)) = extensions.find(|_| major < NANOBIND_SINCE) else {
            return Ok(());
        };
        let (name, module) = (owner.name.get_ref(), extension.module.get_ref());
        Err(owner
            .error(
                ErrorKind::Plan,
                extension.module.span(),
                format!(
                    "the dialect crate `{name}`: its extension `{module}` cannot be built for \
                     LLVM {major}"
                ),
            )
            .because(format!(
                "it includes MLIR's NanobindAdaptors.h, which LLVM {NANOBIND_SINCE} introduced"
            ))
            .help("use a newer LLVM, or remove the extension from the dialect's Python"))
    }

    /// Refuses dialects or crates that depend on each other in a cycle: there would be no order to build them in.
    fn no_cycle(&self) -> Result<()> {
        let mut dialects: Graph<'_> = BTreeMap::new();
        let mut crates: Graph<'_> = BTreeMap::new();
        for (owner, dialect) in self.dialects.values() {
            let from = owner.name.get_ref().as_str();
            crates.entry(from).or_default();
            let edges = dialects.entry(dialect.name.get_ref()).or_default();
            for needed in &dialect.depends {
                let Some((other, _)) = self.dialects.get(needed.get_ref().as_str()) else {
                    continue;
                };
                let edge = |to| Edge {
                    to,
                    word: needed,
                    owner,
                };
                edges.push(edge(needed.get_ref().as_str()));
                let to = other.name.get_ref().as_str();
                if from != to {
                    crates.entry(from).or_default().push(edge(to));
                }
            }
        }
        for (what, graph) in [("dialects", &dialects), ("dialect crates", &crates)] {
            if let Some(Cycle { chain, last }) = cycle(graph) {
                return Err(last
                    .owner
                    .error(
                        ErrorKind::Plan,
                        last.word.span(),
                        format!(
                            "{what} depend on each other in a cycle: {}",
                            chain.join(" → ")
                        ),
                    )
                    .because("mondo builds each one after its dependencies")
                    .help("remove one of these from `dialect.depends`"));
            }
        }
        Ok(())
    }

    /// Adds what the chosen dialects depend on, directly or not.
    pub(super) fn add_dependencies(&self, names: &mut BTreeSet<&'a str>) {
        let mut pending: Vec<&str> = names.iter().copied().collect();
        while let Some(name) = pending.pop() {
            let Some((_, dialect)) = self.dialects.get(name) else {
                continue;
            };
            for needed in &dialect.depends {
                let needed = needed.get_ref().as_str();
                if names.insert(needed) {
                    pending.push(needed);
                }
            }
        }
    }

    /// The crates in the order in which they are made. One that no chosen dialect needs is a mistake:
    /// its code would be in the library, and nothing could use it.
    pub(super) fn in_order(
        &self,
        names: &BTreeSet<&str>,
        manifest: &Manifest,
    ) -> Result<Vec<DialectCrate>> {
        for (owner, written) in self.crates.iter().zip(&manifest.crates) {
            let mut dialects = owner
                .dialects
                .iter()
                .map(|dialect| dialect.name.get_ref().as_str());
            if owner.dialects.is_empty() || dialects.clone().any(|name| names.contains(name)) {
                continue;
            }
            let first = dialects.next().unwrap_or_default();
            return Err(manifest
                .error(
                    ErrorKind::Plan,
                    written.span(),
                    format!(
                        "`contents.crates` lists the crate `{}`, but `contents.dialects` \
                         lists none of its dialects",
                        owner.name.get_ref()
                    ),
                )
                .help(format!(
                    "add {first:?} to `contents.dialects`, or remove the crate from \
                     `contents.crates`"
                )));
        }
        let mut order = Vec::new();
        for owner in self.crates {
            self.visit(owner, &mut order);
        }
        Ok(order.into_iter().cloned().collect())
    }

    /// The crates that one depends on, then itself; there is no cycle.
    fn visit(&self, owner: &'a DialectCrate, order: &mut Vec<&'a DialectCrate>) {
        let done = |order: &[&DialectCrate], one: &DialectCrate| {
            order.iter().any(|other| other.name == one.name)
        };
        if done(order, owner) {
            return;
        }
        for needed in owner.dialects.iter().flat_map(|dialect| &dialect.depends) {
            if let Some((other, _)) = self.dialects.get(needed.get_ref().as_str())
                && other.name != owner.name
            {
                self.visit(other, order);
            }
        }
        order.push(owner);
    }

    /// The chosen dialects that are of crates, as the plan has them.
    pub(super) fn planned(&self, names: &BTreeSet<&str>) -> Vec<PlannedDialect> {
        let chosen = self
            .dialects
            .iter()
            .filter(|(name, _)| names.contains(*name));
        chosen
            .map(|(_, (owner, dialect))| {
                let handle = match &dialect.registration {
                    DialectRegistration::Handle(name) => Some(name.get_ref().clone()),
                    DialectRegistration::Register(_) | DialectRegistration::Class(_) => None,
                };
                PlannedDialect {
                    name: dialect.name.get_ref().clone(),
                    archive: None,
                    handle,
                    register: owner.registration_of(dialect),
                    of_crate: Some(owner.name.get_ref().clone()),
                    ods: dialect.ods.clone(),
                    enums: dialect.enums.clone(),
                    python: dialect
                        .python
                        .as_ref()
                        .map(|module| module.get_ref().clone()),
                    native: Vec::new(),
                    extensions: Vec::new(),
                }
            })
            .collect()
    }

    /// The C API archives among those that the crates ask for: they come whole, as always.
    pub(super) fn c_api_archives(&self) -> impl Iterator<Item = &'a str> {
        let archives = self.crates.iter().flat_map(DialectCrate::archives);
        let archives = archives.map(|name| name.get_ref().as_str());
        archives.filter(|name| name.starts_with("MLIRCAPI"))
    }

    /// The wheels of the crates' own.
    pub(super) fn wheels(&self, manifest: &Manifest) -> Result<Vec<PlannedWheel>> {
        for (name, wheel) in &manifest.wheels {
            let has_python = |owner: &&DialectCrate| {
                let classes = owner
                    .dialects
                    .iter()
                    .any(|dialect| dialect.python.is_some());
                !owner.extensions.is_empty() || !owner.python.is_empty() || classes
            };
            let mut with_wheels = self.crates.iter().filter(has_python);
            if !with_wheels
                .clone()
                .any(|owner| owner.name.get_ref() == name)
            {
                return Err(manifest
                    .error(
                        ErrorKind::Plan,
                        wheel.span(),
                        format!("`package.wheels` names `{name}`, which cannot have its own wheel"),
                    )
                    .because("only a crate or a project with Python can have its own wheel")
                    .help(match with_wheels.next() {
                        Some(owner) => format!("`{}` has Python", owner.name.get_ref()),
                        None => "no crate of `contents.crates` has Python".to_owned(),
                    }));
            }
        }
        let mut wheels: Vec<PlannedWheel> = Vec::new();
        for owner in self.crates {
            let name = owner.name.get_ref();
            let named = manifest.wheels.get(name);
            let distribution = match (named, owner.extensions.first(), &manifest.label) {
                (Some(wheel), _, _) => wheel.get_ref().clone(),
                (None, Some(first), Some(label)) => {
                    let module = first.module.get_ref().trim_start_matches('_');
                    format!("{label}-{}", module.replace('_', "-"))
                }
                (None, Some(first), None) => first.wheel.get_ref().clone(),
                (None, None, _) => continue,
            };
            let same = |wheel: &&PlannedWheel| {
                normalized(&wheel.distribution) == normalized(&distribution)
            };
            let taken = normalized(&manifest.metadata.distribution) == normalized(&distribution);
            if taken || wheels.iter().find(same).is_some() {
                let what = format!("two wheels of this bundle would be named `{distribution}`");
                let error = match (named, owner.extensions.first()) {
                    (Some(word), _) => manifest.error(ErrorKind::Plan, word.span(), what),
                    (None, Some(first)) => owner.error(ErrorKind::Plan, first.wheel.span(), what),
                    (None, None) => continue,
                };
                return Err(error.help(format!(
                    "set another name in the manifest: `package.wheels = {{ {name} = \"…\" \
                     }}`, or `wheel` in its `[[project]]`"
                )));
            }
            wheels.push(PlannedWheel {
                of_crate: name.clone(),
                distribution,
                sources: manifest
                    .wheel_sources
                    .get(name)
                    .cloned()
                    .unwrap_or_default(),
                extensions: owner
                    .extensions
                    .iter()
                    .map(|extension| PlannedExtension {
                        module: extension.module.get_ref().clone(),
                        sources: extension.sources.clone(),
                        archives: extension
                            .archives
                            .iter()
                            .map(|archive| archive.get_ref().clone())
                            .collect(),
                        arguments: extension.options.arguments(),
                    })
                    .collect(),
            });
        }
        Ok(wheels)
    }
}

/// The owners of names of one sort, for the error about a name with two owners.
struct Claims<'a> {
    what: &'static str,
    key: &'static str,
    owners: BTreeMap<String, Option<(&'a DialectCrate, &'a Spanned<String>)>>,
}

impl<'a> Claims<'a> {
    fn new(what: &'static str, key: &'static str) -> Self {
        Self {
            what,
            key,
            owners: BTreeMap::new(),
        }
    }

    fn catalogue(&mut self, name: &str) {
        self.owners.insert(name.to_owned(), None);
    }

    fn take(&mut self, name: &'a Spanned<String>, owner: &'a DialectCrate) -> Result<()> {
        let previous = self
            .owners
            .insert(name.get_ref().clone(), Some((owner, name)));
        let Some(previous) = previous else {
            return Ok(());
        };
        let (who, details) = match previous {
            None => ("MLIR already has it".to_owned(), Vec::new()),
            Some((first, at)) => (
                format!("the crate `{}` also has it", first.name.get_ref()),
                vec![first.place(at), owner.place(name)],
            ),
        };
        Err(self.refused(name, owner, &who).details(details))
    }

    fn refused(&self, name: &Spanned<String>, owner: &DialectCrate, who: &str) -> Error {
        let what = format!(
            "the dialect crate `{}` claims {} `{}` (`{}`), but {who}",
            owner.name.get_ref(),
            self.what,
            name.get_ref(),
            self.key
        );
        let error = owner.error(ErrorKind::Plan, name.span(), what);
        error.help(match owner.is_of_project() {
            true => {
                "rename one of them, or remove one project from the manifest; `dialects` of a \
                 `[[project]]` limits which of its dialects the bundle includes"
            }
            false => "rename one of them, or remove one crate from `contents.crates`",
        })
    }
}

/// A dependency that a dialect crate declares.
#[derive(Clone, Copy)]
struct Edge<'a> {
    /// The name of the needed dialect or crate.
    to: &'a str,
    /// The word in `dialect.depends` that declares it.
    word: &'a Spanned<String>,
    /// The crate whose file has the word.
    owner: &'a DialectCrate,
}

/// The dependencies of dialects or of crates, by name.
type Graph<'a> = BTreeMap<&'a str, Vec<Edge<'a>>>;

/// Names that depend on each other in a cycle.
struct Cycle<'a> {
    /// The names, the first again at the end.
    chain: Vec<&'a str>,
    /// The dependency on the first name, with which the cycle ends.
    last: Edge<'a>,
}

/// A cycle of the graph, if there is one.
fn cycle<'a>(graph: &Graph<'a>) -> Option<Cycle<'a>> {
    let mut done = BTreeSet::new();
    let mut path = Vec::new();
    graph
        .keys()
        .find_map(|name| descend(name, graph, &mut path, &mut done))
}

fn descend<'a>(
    name: &'a str,
    graph: &Graph<'a>,
    path: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Cycle<'a>> {
    if done.contains(name) {
        return None;
    }
    path.push(name);
    for edge in graph.get(name).into_iter().flatten() {
        if let Some(start) = path.iter().position(|seen| *seen == edge.to) {
            let mut chain = path[start..].to_vec();
            chain.push(edge.to);
            return Some(Cycle { chain, last: *edge });
        }
        let found = descend(edge.to, graph, path, done);
        if found.is_some() {
            return found;
        }
    }
    path.pop();
    done.insert(name);
    None
}

impl Registration {
    /// Adds what the crates register. Their passes come before MLIR's, so that a name which MLIR has too is theirs.
    pub(super) fn add(&mut self, dialects: &[PlannedDialect], crates: &[DialectCrate]) {
        self.handles
            .extend(dialects.iter().filter_map(|dialect| dialect.handle.clone()));
        self.registries.extend(
            dialects
                .iter()
                .filter_map(|dialect| dialect.register.clone()),
        );
        let mut passes = Vec::new();
        for one in crates {
            let groups = one.pass_groups.iter();
            passes.extend(groups.map(|group| one.function_of(&group.register)));
            let translations = one.translations.iter();
            // In C, a translation is registered with a context; in C++, with a registry.
            let (in_c, in_cpp): (Vec<_>, Vec<_>) =
                translations.partition(|registrar| matches!(registrar, Registrar::C(_)));
            self.contexts
                .extend(in_c.into_iter().map(|registrar| one.function_of(registrar)));
            let added = one.dialect_extensions.iter().chain(in_cpp);
            self.registries
                .extend(added.map(|registrar| one.function_of(registrar)));
        }
        for functions in [
            &mut self.handles,
            &mut self.registries,
            &mut self.passes,
            &mut passes,
        ] {
            functions.sort_unstable();
        }
        self.passes.splice(..0, passes);
    }
}

/// The wheel holds the crates' code, so its licence expression has theirs.
pub(super) fn with_licenses(metadata: &Metadata, crates: &[DialectCrate]) -> Metadata {
    let of_crates = crates
        .iter()
        .filter_map(|one| one.package.license.as_deref());
    Metadata {
        license: all_of(&metadata.license, of_crates),
        ..metadata.clone()
    }
}
