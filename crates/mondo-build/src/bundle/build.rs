//! One run of all phases.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache;
use mondo_core::digest;
use mondo_core::error::{Error, Result};
use mondo_core::interrupt::{Stop, StopOnDrop};
use mondo_link::collect::{self, Collected};
use mondo_link::compile::{self, Compiled, CompiledCrate, Digests, Keys};
use mondo_link::exports::{self, Exports};
use mondo_link::extension::{self, Extensions};
use mondo_link::link::{self, Both, EXTENSION_FILE, Inputs, Linked};
use mondo_link::patch::{self, PatchedArchives};
use mondo_link::visibility;
use mondo_package::ods::{self, Modules};
use mondo_package::staging;
use mondo_package::wheel::sbom::Crate;
use mondo_package::wheel::{self, Tag};
use mondo_plan::catalogue::Catalogue;
use mondo_project::Prepared;
use mondo_toolchain::{Instrumentation, Origin};

use super::constructors;
use super::hooks_proof;
use super::layouts::{self, Finished};
use super::linked_archives::{in_the_sbom, linked_archives};
use super::options::Options;
use super::phases::Phases;
use super::project_code::ProjectCode;
use super::provenance::{build_paths, rust_crates};
use super::reports::{Made, measured};
use crate::audit::{self, Subject};
use crate::report::{Layout, Report};
use crate::size::detail::Detail;

/// Everything that the phases borrow.
pub(super) struct Build<'a> {
    pub(super) request: compile::Request<'a>,
    pub(super) keys: &'a Keys,
    pub(super) digests: &'a Digests,
    pub(super) catalogue: &'a Catalogue,
    pub(super) options: &'a Options,
    /// The projects that the bundle contains.
    pub(super) projects: &'a [Prepared],
    pub(super) code: ProjectCode<'a>,
    /// The folder of this bundle's own intermediate files.
    pub(super) out: &'a Utf8Path,
}

/// The result of the link phase.
struct Images {
    both: Both,
    /// The Rust crates in the library and the extension, for the SBOM.
    crates: Vec<Crate>,
}

/// The thread that compiles the extension; it returns the staticlib.
pub(super) type Compiling<'scope> = thread::ScopedJoinHandle<'scope, Result<Utf8PathBuf>>;

/// The results of the phases up to the link.
pub(super) struct Parts {
    pub(super) compiled: Compiled,
    pub(super) collected: Collected,
    pub(super) exports: Exports,
    pub(super) patched: PatchedArchives,
}

impl Build<'_> {
    /// Runs the phases in order, each on the results of those before it. In parallel, the extension is compiled until
    /// the phase that links it.
    ///
    /// `contents` is the digest of everything that decides the library's contents except its label.
    pub(super) fn run(&self, contents: &str) -> Result<Report> {
        thread::scope(|scope| {
            let stop = Arc::new(Stop::default());
            let _on_error = StopOnDrop(&stop);
            self.phases(contents, scope, &stop)
        })
    }

    fn phases<'scope>(
        &'scope self,
        contents: &str,
        scope: &'scope thread::Scope<'scope, '_>,
        stop: &Arc<Stop>,
    ) -> Result<Report> {
        let mut phases = Phases::new(self.request.sink);
        let (parts, extension) = self.parts(&mut phases, scope, stop)?;
        self.link_and_pack(phases, contents, &parts, extension)
            .map_err(|error| name_owners(error, &parts.compiled.crates))
    }

    /// Runs the phases from the link on.
    fn link_and_pack(
        &self,
        mut phases: Phases<'_>,
        contents: &str,
        parts: &Parts,
        extension: Compiling<'_>,
    ) -> Result<Report> {
        let compile::Request {
            plan,
            toolchain,
            source,
            linker,
            work,
            sink,
            ..
        } = self.request;
        let exports = &parts.exports;
        // The start of the names of cache entries for results of links that do not depend on the label.
        let lld = digest::short(&linker.lld_version);
        let known = cache::folder(cache::LINK, work)?.join(format!("{contents}-{lld}"));
        let inputs = self.inputs(parts, &known);
        let sizes_path = work.join(format!("sizes/{contents}-members.json"));
        let Images { both, crates } = phases.run("link", &plan.identity.soname, || {
            self.link(inputs, &sizes_path, extension)
        })?;
        let (linked, sizes) = (&both.linked, both.sizes);
        let archives = linked_archives(
            &parts.collected,
            &parts.compiled,
            &both.extension_code,
            &sizes,
            self.request,
        )?;
        let extensions = self.extensions(&mut phases, inputs, linked)?;
        let archive = match self.options.layout {
            Layout::Static => Some(phases.run("archive", "the static library", || {
                let archive = link::static_library(inputs)?;
                let outcome = archive.file_name().unwrap_or_default().to_owned();
                Ok((archive, outcome))
            })?),
            Layout::Wheel | Layout::Tree => None,
        };
        let build_paths = build_paths(self.options, plan, source, toolchain, self.projects);
        let subject = Subject {
            plan,
            exports,
            build_paths: &build_paths,
        };
        let needs = phases.run("audit", "the linked images", || {
            if !self.projects.is_empty() {
                let crates = &parts.compiled.crates;
                let notes = constructors::check(&linked.library, crates, &parts.collected)?;
                notes.iter().for_each(|note| sink.note(note));
            }
            let map = || Ok(link::library(inputs, true)?.1);
            let needs = audit::images(subject, linked, extensions.as_ref(), &map)?;
            let outcome = format!("clean, glibc {}", measured(&needs.bundle));
            Ok((needs, outcome))
        })?;
        // After the audit, which says why a library cannot be loaded.
        let is_named = matches!(toolchain.origin, Origin::Flag | Origin::Environment);
        if is_named && linker.instrumentation == Instrumentation::None {
            phases.run("hooks", "operation hooks", || {
                hooks_proof::prove(&linked.library, &self.options.python)?;
                let outcome = match parts.patched.by_rules() {
                    true => "found by rules, and proven",
                    false => "proven",
                };
                Ok(((), outcome.to_owned()))
            })?;
        }
        let modules = phases.run("ods", "the dialects' Python classes", || {
            self.ods(&parts.compiled)
        })?;
        // The manifest's minimum glibc is in the tag, and the audit has already refused images that need a newer one.
        // With a sanitizer there is no minimum, and the version was measured.
        let glibc = |needs| plan.link.minimum_glibc.unwrap_or_else(|| measured(needs));
        let platform = wheel::platform(glibc(&needs.bundle).pair(), std::env::consts::ARCH);
        let tag = Tag::abi3(plan.python.minimum, platform);
        let written = phases.run("wheel", &plan.metadata.distribution, || {
            let stage = staging::stage(plan, toolchain, source, exports, linked, &modules)?;
            let finished = Finished {
                subject,
                toolchain,
                linker,
                stage,
                tag: &tag,
                glibc: glibc(&needs.together).pair(),
                crates,
                extensions: extensions.as_ref(),
                modules: &modules,
                archive: archive.as_deref(),
                sizes: &sizes,
                archives: in_the_sbom(&archives),
            };
            let written = layouts::write(finished, self.options)?;
            let name = written.file.path.file_name().unwrap_or_default();
            let outcome = format!("{name}, audited");
            Ok((written, outcome))
        })?;
        phases.add("of which audit", written.audited);
        Detail::new(plan, &sizes, &written.file.sha256)
            .write(&self.options.reports(), &written.file.path)?;
        let result = Made {
            request: self.request,
            projects: self.projects,
            layout: self.options.layout,
            written: &written,
            linked,
            extensions: extensions.as_ref(),
            exports,
            patched: parts.patched.members.clone(),
            archives,
            sizes,
            tag: &tag,
            needs: &needs.bundle,
            phases: phases.times,
        };
        result.report()
    }

    /// Runs the phases up to the link, and starts to compile the extension.
    pub(super) fn parts<'scope>(
        &'scope self,
        phases: &mut Phases<'_>,
        scope: &'scope thread::Scope<'scope, '_>,
        stop: &Arc<Stop>,
    ) -> Result<(Parts, Compiling<'scope>)> {
        let compiled = phases.run("compile", "Rust and C++", || self.compile())?;
        let extension = self.compile_extension(scope, stop);
        let collected = phases.run("collect", "MLIR's archives", || self.collect(&compiled))?;
        let exports = phases.run("exports", "C API headers", || {
            self.exports(&collected, &compiled)
        })?;
        let collected = visibility::expose(collected, &compiled, &exports, self.out)?;
        let patched = phases.run("patch", "operation hooks", || self.patch(&collected))?;
        let parts = Parts {
            compiled,
            collected,
            exports,
            patched,
        };
        Ok((parts, extension))
    }

    /// The inputs of a link. `known` is the start of the names of cache entries with results of earlier links.
    pub(super) fn inputs<'a>(&'a self, parts: &'a Parts, known: &'a Utf8Path) -> Inputs<'a> {
        Inputs {
            plan: self.request.plan,
            collected: &parts.collected,
            compiled: &parts.compiled,
            patched: &parts.patched,
            exports: &parts.exports,
            linker: self.request.linker,
            source: self.request.source,
            catalogue: self.catalogue,
            asked: &self.code.asked,
            unlinked: &self.code,
            out: self.out,
            known,
            sink: self.request.sink,
        }
    }

    fn compile(&self) -> Result<(Compiled, String)> {
        let compile::Request {
            plan, toolchain, ..
        } = self.request;
        collect::check_names(plan, toolchain)?;
        let compiled = compile::compile(self.request, self.keys, self.digests)?;
        Ok((compiled, "core runtime".into()))
    }

    /// Starts to compile the extension in a thread of its own.
    fn compile_extension<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
        stop: &Arc<Stop>,
    ) -> Compiling<'scope> {
        let stop = Arc::clone(stop);
        scope.spawn(move || compile::extension(self.request, self.keys, self.digests, &stop))
    }

    fn collect(&self, compiled: &Compiled) -> Result<(Collected, String)> {
        let collected = collect::collect(self.request.plan, self.request.toolchain, compiled)?;
        let (whole, by_need) = (collected.whole.len(), collected.by_need.len());
        Ok((
            collected,
            format!("{whole} archives whole, {by_need} by need"),
        ))
    }

    fn exports(&self, collected: &Collected, compiled: &Compiled) -> Result<(Exports, String)> {
        let compile::Request {
            plan,
            toolchain,
            source,
            linker,
            ..
        } = self.request;
        let exports = exports::exports(
            plan,
            toolchain,
            source,
            collected,
            compiled,
            &linker.cxx,
            self.out,
        )?;
        // The plan has already reported the functions that no source file names; these are not reported again.
        let declared = plan.crates.iter().flat_map(|one| &one.undefined);
        let reported: BTreeSet<&String> = declared.map(|report| &report.function).collect();
        for (function, place) in &exports.undefined {
            if !reported.contains(function) {
                self.request.sink.note(&format!(
                    "warning: `{function}` is declared but not defined, so it is not exported \
                     ({place})"
                ));
            }
        }
        let outcome = format!("{} functions", exports.functions.len());
        Ok((exports, outcome))
    }

    fn patch(&self, collected: &Collected) -> Result<(PatchedArchives, String)> {
        let patched = patch::patch(collected, self.request.plan.llvm.major, self.out)?;
        let redirected: usize = patched.members.iter().map(|one| one.redirected).sum();
        let objects = patched.members.len();
        let outcome = format!("{redirected} calls redirected in {objects} objects");
        Ok((patched, outcome))
    }

    fn link(
        &self,
        inputs: Inputs<'_>,
        sizes: &Utf8Path,
        extension: Compiling<'_>,
    ) -> Result<(Images, String)> {
        // In parallel with the link: the list of crates for the SBOM does not depend on it.
        let (linked, crates) = rayon::join(
            || link::both(inputs, Some(sizes), || joined(extension)),
            || rust_crates(self.request.staticlibs),
        );
        let images = Images {
            both: linked?,
            crates: crates?,
        };
        let outcome = format!("{} and {EXTENSION_FILE}", inputs.plan.identity.soname);
        Ok((images, outcome))
    }

    /// The dialect crates' own extensions; most bundles have none.
    pub(super) fn extensions(
        &self,
        phases: &mut Phases<'_>,
        inputs: Inputs<'_>,
        linked: &Linked,
    ) -> Result<Option<Extensions>> {
        if !self.request.plan.has_extensions() {
            phases.add("extensions", Duration::ZERO);
            return Ok(None);
        }
        phases.run("extensions", "the dialect crates' extensions", || {
            let request = extension::Request {
                inputs,
                library: &linked.library_unstripped,
                toolchain: self.request.toolchain,
                source: self.request.source,
                work: self.request.work,
                python: &self.options.python,
                offline: self.options.offline,
                digests: self.digests,
            };
            let wheels = self.request.plan.wheels.iter();
            let wheels = wheels.filter(|wheel| !wheel.extensions.is_empty());
            let names: Vec<&str> = wheels.map(|wheel| wheel.distribution.as_str()).collect();
            Ok((extension::extensions(request)?, names.join(", ")))
        })
    }

    pub(super) fn ods(&self, compiled: &Compiled) -> Result<(Modules, String)> {
        let compile::Request {
            plan,
            toolchain,
            work,
            ..
        } = self.request;
        let modules = ods::ods(
            plan,
            toolchain,
            &compiled.bundle,
            &compiled.crates,
            work,
            self.digests,
        )?;
        let dialects = modules.bundle.plain.len() + modules.crates.len();
        Ok((modules, format!("{dialects} dialects")))
    }
}

/// Waits for the thread that compiles the extension.
pub(super) fn joined(extension: Compiling<'_>) -> Result<Utf8PathBuf> {
    extension
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Adds to an error of the link or of the audit the owners of the archives that it names.
fn name_owners(error: Error, crates: &[CompiledCrate]) -> Error {
    let text = error.to_string();
    let archives = crates
        .iter()
        .flat_map(|owner| owner.archives().map(move |path| (owner, path)));
    let named = archives.filter_map(|(owner, path)| {
        let file = path.file_name()?;
        let is_named = text.contains(&format!(" {file}("));
        is_named.then(|| format!("{file} belongs to `{}`", owner.name))
    });
    let named: Vec<String> = named.collect();
    error.details(named)
}
