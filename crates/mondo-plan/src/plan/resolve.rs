//! From a manifest's words to a plan, by the catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mondo_core::error::{Error, ErrorKind, Result};

use super::crates::{Crates, with_licenses};
use super::passes::{Passes, of_passes};
use super::runtime::excluded_runtime;
use super::selection::{Selection, sorted};
use super::tools::Tools;
use super::{Excluded, Identity, Plan, PlannedDialect, PlannedModuleExtension, Registration};
use crate::catalogue::{Catalogue, Dialect, FunctionStubs, Release};
use crate::dialect_crate::{Code, DialectCrate};
use crate::document::suggest;
use crate::manifest::Manifest;
use crate::spanned::Spanned;

/// The page on adding another LLVM to the catalogue.
const NEW_LLVM: &str = "docs/contributing/new-llvm.md";

/// The names of the release that were not chosen.
fn excluded_names(
    release: &Release<'_>,
    dialects: &Selection<'_>,
    groups: &Selection<'_>,
    translations: &Selection<'_>,
) -> Excluded {
    let unchosen = |known: Vec<&str>, chosen: &Selection<'_>| {
        let names = known.into_iter();
        let names = names.filter(|name| !chosen.names.contains(name));
        names.map(ToOwned::to_owned).collect()
    };
    let (chosen, others): (Vec<_>, Vec<_>) = release
        .dialects
        .iter()
        .partition(|(name, _)| dialects.names.contains(*name));
    let modules = chosen.into_iter().flat_map(|(name, dialect)| {
        let module = dialect.python.as_deref().unwrap_or(name);
        release.extensions_of(dialect).filter_map(move |extension| {
            let needed = extension
                .depends
                .iter()
                .map(|dialect| dialect.get_ref().clone());
            let missing: Vec<String> = needed
                .filter(|name| !dialects.names.contains(name.as_str()))
                .collect();
            let module = format!("{module}.{}", extension.python);
            (!missing.is_empty()).then_some((module, missing))
        })
    });
    Excluded {
        modules: modules.collect(),
        dialects: others
            .into_iter()
            .map(|(name, dialect)| {
                let module = dialect.python.as_deref().unwrap_or(name);
                (module.to_owned(), (*name).to_owned())
            })
            .collect(),
        pass_groups: unchosen(release.pass_groups.keys().copied().collect(), groups),
        translations: unchosen(release.translations.keys().copied().collect(), translations),
        runtime_libraries: BTreeMap::new(),
    }
}

/// Decides what the bundle consists of. `host_arch` is the machine it is made for, by Rust's name of
/// it (`std::env::consts::ARCH`), `crates` what its `contents.crates` names, in that order. What
/// neither the catalogue nor the crates have is an [`ErrorKind::Plan`].
///
/// # Errors
/// `ErrorKind::Plan` where the manifest asks for what does not exist or does not go together.
pub fn resolve(
    manifest: &Manifest,
    catalogue: &Catalogue,
    crates: &[DialectCrate],
    host_arch: &str,
) -> Result<Plan> {
    let major = manifest.llvm.major;
    let release = catalogue.release(major).ok_or_else(|| {
        let known: Vec<String> = catalogue.llvm.iter().map(u32::to_string).collect();
        Error::new(
            ErrorKind::Plan,
            format!("`llvm.version` is LLVM {major}, which mondo does not support"),
        )
        .at(&manifest.llvm_place)
        .because(format!("mondo supports LLVM {}", known.join(", ")))
        .help(format!(
            "choose a supported version, name a prefix of LLVM {major} with `--llvm-dir`, or add LLVM {major} with the \
             checklist in {NEW_LLVM}"
        ))
    })?;
    let crates = Crates::new(crates, &release)?;
    let planner = Planner {
        manifest,
        release: &release,
        crates: &crates,
    };
    let targets = planner.targets(host_arch)?;
    planner.execution_engine(host_arch, &targets)?;
    planner.plan(targets)
}

/// The manifest, and what it is resolved against.
struct Planner<'a> {
    manifest: &'a Manifest,
    release: &'a Release<'a>,
    crates: &'a Crates<'a>,
}

impl<'a> Planner<'a> {
    fn plan(&self, targets: BTreeSet<&str>) -> Result<Plan> {
        let Self {
            manifest,
            release,
            crates,
        } = *self;
        let mut dialects = self.select(
            "dialect",
            &manifest.dialects,
            &release.dialects,
            &release.dialect_sets,
            &crates.dialect_names(),
        )?;
        crates.add_dependencies(&mut dialects.names);
        // A dialect without a handle is in every context, so it is in every bundle.
        let inherent = release.dialects.iter();
        let inherent = inherent.filter(|(_, dialect)| dialect.handle.is_none());
        dialects.names.extend(inherent.map(|(name, _)| name));
        let mut groups = self.select(
            "pass group",
            &manifest.passes,
            &release.pass_groups,
            &release.pass_sets,
            &crates.pass_group_names(),
        )?;
        let own_crates = crates.in_order(&dialects.names, manifest)?;
        groups.names.extend(crates.pass_group_names());
        let translations = self.select(
            "translation",
            &manifest.translations,
            &release.translations,
            &BTreeMap::new(),
            &BTreeSet::new(),
        )?;
        let runtime = self.runtime()?;
        let tools = self.select(
            "tool",
            &manifest.tools,
            &release.tools,
            &BTreeMap::new(),
            &BTreeSet::new(),
        )?;
        let mut metadata = with_licenses(&manifest.metadata, &own_crates);
        let tools = Tools::resolve(
            manifest,
            release,
            &tools,
            &dialects,
            &translations,
            &own_crates,
            &mut metadata,
        )?;
        let archives = self.archives(&dialects, &groups, &translations);
        let unasked = Passes(self.release).unasked(&groups);
        let all_headers = archives
            .iter()
            .filter_map(|archive| release.archives.get(archive))
            .flat_map(|archive| archive.headers.iter().map(move |header| (archive, header)));
        let (excluded_headers, headers): (Vec<_>, Vec<_>) =
            all_headers.partition(|(archive, header)| {
                of_passes(header) && unasked.contains(archive.name.get_ref().as_str())
            });
        let names = |list: Vec<(_, &String)>| {
            sorted(list.into_iter().map(|(_, name)| name.clone()).collect())
        };
        let mut planned: Vec<PlannedDialect> = dialects
            .names
            .iter()
            .filter_map(|name| release.dialects.get(name))
            .map(|dialect| PlannedDialect {
                name: dialect.name.get_ref().clone(),
                archive: release
                    .archive_of(dialect)
                    .map(|archive| archive.get_ref().clone()),
                handle: dialect.handle.clone(),
                register: None,
                of_crate: None,
                ods: dialect.ods.clone(),
                enums: dialect.enums.clone(),
                python: dialect.python.clone(),
                native: dialect.native.clone(),
                extensions: extensions(release, dialect, &dialects),
            })
            .collect();
        let of_crates = crates.planned(&dialects.names);
        let mut registration = self.registration(&dialects, &groups, &translations);
        registration.add(&of_crates, &own_crates);
        registration.add_runtime(release, &runtime);
        planned.extend(of_crates);
        planned.sort_by(|a, b| a.name.cmp(&b.name));
        let excluded = || {
            release
                .llvm_targets
                .values()
                .filter(|target| !targets.contains(target.name.get_ref().as_str()))
        };
        let stubs = self.stubs(&dialects, &targets, &own_crates);
        let of_stubs = |functions: fn(&FunctionStubs) -> &Vec<String>| {
            let functions = stubs.iter().copied().flat_map(functions);
            sorted(functions.cloned().collect())
        };
        Ok(Plan {
            identity: identity(manifest),
            llvm: manifest.llvm.clone(),
            registration,
            extension_features: self.extension_features(&dialects, &translations),
            dialects: planned,
            wheels: crates.wheels(manifest)?,
            pass_groups: owned(&groups.names),
            translations: owned(&translations.names),
            runtime_libraries: owned(&runtime.names),
            archives: owned(&archives),
            headers: sorted([names(headers), tools.headers].concat()),
            excluded_headers: names(excluded_headers),
            headers_without_functions: sorted(release.headers_without_functions.to_vec()),
            excluded_functions: Passes(self.release).excluded_functions(&dialects, &groups),
            excluded_targets: excluded()
                .map(|target| target.name.get_ref().clone())
                .collect(),
            excluded_entry_points: sorted(
                excluded().flat_map(|target| target.functions()).collect(),
            ),
            unreachable_functions: of_stubs(|stub| &stub.functions),
            null_functions: of_stubs(|stub| &stub.null),
            tool_translations: tools.translations,
            tools: tools.planned,
            callback_archives: release.callback_archives.to_vec(),
            llvm_targets: owned(&targets),
            excluded: Excluded {
                runtime_libraries: excluded_runtime(manifest, release, &runtime),
                ..excluded_names(release, &dialects, &groups, &translations)
            },
            execution_engine: *manifest.execution_engine.get_ref(),
            python: manifest.python.clone(),
            link: manifest.link.clone(),
            wheel: manifest.wheel.clone(),
            metadata,
            version_follows_llvm: manifest.version_follows_llvm,
            crates: own_crates,
        })
    }

    /// Names stand for themselves, `@name` for a set, `@all` for all that MLIR has.
    fn select<E>(
        &self,
        what: &str,
        words: &[Spanned<String>],
        known: &BTreeMap<&'a str, E>,
        sets: &BTreeMap<&'a str, Vec<&'a str>>,
        of_crates: &BTreeSet<&'a str>,
    ) -> Result<Selection<'a>> {
        let mut selection = Selection {
            all: false,
            names: BTreeSet::new(),
        };
        for written in words {
            let word = written.get_ref().as_str();
            if word == "@all" {
                selection.all = true;
                selection.names.extend(known.keys());
            } else if let Some(set) = word.strip_prefix('@') {
                let members = sets.get(set).ok_or_else(|| {
                    let all = ["@all".to_owned()].into_iter();
                    let sets: Vec<String> = all
                        .chain(sets.keys().map(|set| format!("@{set}")))
                        .collect();
                    self.unknown(written, &format!("set of {what}s"))
                        .help(suggest(word, sets.iter().map(String::as_str)))
                })?;
                selection.names.extend(members);
            } else if let Some((name, _)) = known.get_key_value(word) {
                selection.names.insert(name);
            } else if let Some(name) = of_crates.get(word) {
                selection.names.insert(name);
            } else {
                return Err(self
                    .unknown(written, what)
                    .help(self.hint(word, known, of_crates)));
            }
        }
        Ok(selection)
    }

    /// People know some dialects by their Python module: `openmp` is `omp`.
    fn hint<E>(
        &self,
        word: &str,
        known: &BTreeMap<&'a str, E>,
        of_crates: &BTreeSet<&'a str>,
    ) -> String {
        let mut dialects = self.release.dialects.iter();
        let named = dialects.find(|(_, dialect)| dialect.python.as_deref() == Some(word));
        match named.filter(|(name, _)| known.contains_key(*name)) {
            Some((name, _)) => format!("MLIR calls it `{name}`"),
            None => suggest(word, known.keys().chain(of_crates).copied()),
        }
    }

    fn unknown(&self, word: &Spanned<String>, what: &str) -> Error {
        let major = self.release.major;
        let what = format!("`{}` is not a {what} of LLVM {major}", word.get_ref());
        let error = refuse(self.manifest, word.span(), what);
        match self.release.absent.get(word.get_ref()) {
            Some(lacks) => error.because(format!("the LLVM of the prefix lacks {lacks}")),
            None => error,
        }
    }

    fn archives(
        &self,
        dialects: &Selection<'a>,
        groups: &Selection<'a>,
        translations: &Selection<'a>,
    ) -> BTreeSet<&'a str> {
        let release = &self.release;
        let mut archives: BTreeSet<&str> = release.base.iter().copied().collect();
        for dialect in dialects
            .names
            .iter()
            .filter_map(|name| release.dialects.get(name))
        {
            let of_dialect = release.archives_of(dialect);
            archives.extend(of_dialect.map(|archive| archive.get_ref().as_str()));
        }
        for group in groups
            .names
            .iter()
            .filter_map(|name| release.pass_groups.get(name))
        {
            let of_group = release.archive_of_group(group);
            archives.extend(of_group.map(|archive| archive.get_ref().as_str()));
        }
        for entry in translations
            .names
            .iter()
            .filter_map(|name| release.translations.get(name))
        {
            archives.extend(
                entry
                    .archives
                    .iter()
                    .map(|archive| archive.get_ref().as_str()),
            );
        }
        archives.extend(self.crates.c_api_archives());
        if dialects.all || groups.all || translations.all {
            archives.insert(release.everything.archive.get_ref());
        }
        if *self.manifest.execution_engine.get_ref() {
            archives.insert(release.execution_engine);
        }
        archives
    }

    /// `@all` is upstream's own function for it, which registers extensions and passes that have no
    /// function of their own; anything less is registered one by one. MLIR's registry takes the same
    /// pass twice (tried with all groups, twice over), so neither overlap nor order matters.
    fn registration(
        &self,
        dialects: &Selection<'a>,
        groups: &Selection<'a>,
        translations: &Selection<'a>,
    ) -> Registration {
        let release = &self.release;
        let everything = release.everything;
        let handles = dialects
            .names
            .iter()
            .filter_map(|name| release.dialects.get(name))
            .filter(|dialect| !(dialects.all && dialect.in_everything))
            .filter_map(|dialect| dialect.handle.clone())
            .collect();
        let passes = if groups.all {
            vec![everything.passes.clone()]
        } else {
            let chosen = groups
                .names
                .iter()
                .filter_map(|name| release.pass_groups.get(name));
            chosen
                .flat_map(|group| Passes(self.release).registered(group, dialects))
                .collect()
        };
        let contexts = if translations.all {
            vec![everything.translations.clone()]
        } else {
            let chosen = translations
                .names
                .iter()
                .filter_map(|name| release.translations.get(name));
            chosen.filter_map(|entry| entry.register.clone()).collect()
        };
        let registries = if dialects.all {
            vec![everything.dialects.clone()]
        } else {
            let extensions = release.dialect_extensions.iter();
            let extensions = extensions.filter(|one| dialects.has_all(&one.dialects));
            extensions.map(|one| one.register.clone()).collect()
        };
        Registration {
            handles: sorted(handles),
            registries: sorted(registries),
            passes: sorted(passes),
            contexts: sorted(contexts),
            ..Registration::default()
        }
    }

    /// The features of the extension's crate for the bundle's dialects and translations, by the
    /// catalogue's names.
    fn extension_features(
        &self,
        dialects: &Selection<'a>,
        translations: &Selection<'a>,
    ) -> Vec<String> {
        let release = &self.release;
        let of_dialects = dialects
            .names
            .iter()
            .filter(|name| {
                let dialect = release.dialects.get(*name);
                dialect.is_some_and(|dialect| !dialect.native.is_empty())
            })
            .map(|name| format!("dialect-{name}"));
        let of_translations = translations
            .names
            .iter()
            .filter(|name| {
                let entry = release.translations.get(*name);
                entry.is_some_and(|entry| entry.native)
            })
            .map(|name| format!("translation-{name}"));
        sorted(of_dialects.chain(of_translations).collect())
    }

    fn targets(&self, host_arch: &str) -> Result<BTreeSet<&'a str>> {
        let known = &self.release.llvm_targets;
        let mut targets = BTreeSet::new();
        for written in &self.manifest.targets {
            match written.get_ref().as_str() {
                "all" => targets.extend(known.keys()),
                "native" => {
                    targets.insert(self.native(host_arch).ok_or_else(|| {
                        refuse(
                            self.manifest,
                            written.span(),
                            format!("no LLVM target is native to `{host_arch}`"),
                        )
                        .help("write the target's name, or remove `native`")
                    })?);
                }
                word => match known.get_key_value(word) {
                    Some((name, _)) => {
                        targets.insert(name);
                    }
                    None => {
                        let words = known.keys().copied().chain(["all", "native"]);
                        let help = if word == "none" {
                            "write `targets = []`".to_owned()
                        } else {
                            suggest(word, words)
                        };
                        return Err(self.unknown(written, "target").help(help));
                    }
                },
            }
        }
        Ok(targets)
    }

    /// The functions that are replaced by stubs. There are few in a bundle with C++ of dialect
    /// crates, which may call any function.
    fn stubs(
        &self,
        dialects: &Selection<'_>,
        targets: &BTreeSet<&str>,
        crates: &[DialectCrate],
    ) -> Vec<&'a FunctionStubs> {
        let others = crates.iter().any(|one| !matches!(one.code, Code::Rust(_)));
        let named = |names: &[Spanned<String>], name: &str| {
            let mut names = names.iter();
            names.any(|one| one.get_ref() == name)
        };
        let holds = |stubs: &&FunctionStubs| {
            let mut unless = stubs.unless.iter();
            let mut targets = targets.iter();
            (stubs.always || !others)
                && !unless.any(|name| dialects.names.contains(name.get_ref().as_str()))
                && (stubs.only_targets.is_empty()
                    || targets.all(|target| named(&stubs.only_targets, target)))
        };
        let all = self.release.stubs.iter().copied();
        all.filter(holds).collect()
    }

    fn native(&self, host_arch: &str) -> Option<&'a str> {
        let mut targets = self.release.llvm_targets.iter();
        targets
            .find(|(_, target)| target.native_for.iter().any(|arch| arch == host_arch))
            .map(|(name, _)| *name)
    }

    /// The runtime libraries, which nothing but the execution engine finds.
    fn runtime(&self) -> Result<Selection<'a>> {
        let words = &self.manifest.runtime;
        let libraries = &self.release.runtime_libraries;
        let chosen = self.select(
            "runtime library",
            words,
            libraries,
            &BTreeMap::new(),
            &BTreeSet::new(),
        )?;
        match words.first() {
            Some(word) if !*self.manifest.execution_engine.get_ref() => Err(refuse(
                self.manifest,
                word.span(),
                "runtime libraries need the execution engine".to_owned(),
            )
            .because("only the execution engine calls them; the library does not export them")
            .help("set `execution-engine = true`, or remove `runtime`")),
            _ => Ok(chosen),
        }
    }

    /// Without the host's code generator the engine would link and then fail on first use.
    fn execution_engine(&self, host_arch: &str, targets: &BTreeSet<&str>) -> Result<()> {
        let wanted = &self.manifest.execution_engine;
        if !*wanted.get_ref()
            || self
                .native(host_arch)
                .is_some_and(|native| targets.contains(native))
        {
            return Ok(());
        }
        Err(refuse(
            self.manifest,
            wanted.span(),
            "the execution engine needs the host's LLVM target".to_owned(),
        )
        .because(format!(
            "it compiles code for the machine it runs on, `{host_arch}`"
        ))
        .help("add \"native\" to `llvm.targets`, or set `execution-engine = false`"))
    }
}

fn identity(manifest: &Manifest) -> Identity {
    let major = manifest.llvm.major;
    let label = manifest.label.as_deref();
    Identity {
        label: manifest.label.clone(),
        import_root: manifest.import_root.clone(),
        soname: format!("lib{}_mondo.so", label.unwrap_or("mlir")),
        version_node: format!(
            "{}_MLIR_{major}",
            label.unwrap_or("mondo").to_ascii_uppercase()
        ),
    }
}

fn refuse(manifest: &Manifest, span: Range<usize>, what: String) -> Error {
    manifest.error(ErrorKind::Plan, span, what)
}

fn owned(names: &BTreeSet<&str>) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The operations that the dialects of a bundle add to one of them.
fn extensions<'a>(
    release: &Release<'a>,
    dialect: &'a Dialect,
    picked: &Selection<'_>,
) -> Vec<PlannedModuleExtension> {
    release
        .extensions_of(dialect)
        .filter(|extension| picked.has_all(&extension.depends))
        .map(|extension| PlannedModuleExtension {
            name: extension.name.clone(),
            python: extension.python.clone(),
            ods: extension.ods.clone(),
            enums: extension.enums.clone(),
        })
        .collect()
}
