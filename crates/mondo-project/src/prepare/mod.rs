//! From a project's entry in the manifest to a folder with a `dialect.toml`.

mod build;
mod parts;
mod program_archives;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_plan::manifest::{Project, Word, unfit_for_cmake};
use mondo_toolchain::{Linker, Toolchain};

use crate::built_archives::BuiltArchives;
use crate::closure::{self, Closure, Trees};
use crate::configure::{Configure, Folders, Need};
use crate::description::Description;
use crate::dialect_toml::DialectToml;
use crate::dialects::Known;
use crate::excluded::{self, PassFunctions};
use crate::file_api::{Reply, Target};
use crate::headers;
use crate::ninja::Ninja;
use crate::programs::Program;
use crate::record::{Group, Package, Record};
use crate::source_tree::{Origin, origin};
use crate::tools::Tools;
use crate::unlinked::{self, Definition};
use crate::{dialects, modules, prefix, python, unread};

/// The borrowed inputs of [`prepare`].
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The projects, each after those that it needs.
    pub projects: &'a [Project],
    /// The bundle's LLVM.
    pub toolchain: &'a Toolchain,
    /// The C++ compiler and lld.
    pub linker: &'a Linker,
    /// `CMake` and Ninja.
    pub tools: &'a Tools,
    /// The interpreter that extensions are compiled for.
    pub python: &'a OsStr,
    /// The folder of intermediate files.
    pub work: &'a Utf8Path,
    /// Checks the name of a project's wheel, once it is known whether the project has extensions.
    pub check_wheel: &'a dyn Fn(&Project, bool) -> Result<()>,
    /// The receiver of progress.
    pub sink: &'a dyn Sink,
}

/// A project that has been built and described as a dialect crate.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Its name.
    pub name: String,
    /// The folder with its `dialect.toml`.
    pub folder: Utf8PathBuf,
    /// `CMake`'s build tree.
    pub build: Utf8PathBuf,
    /// Its dialects.
    pub dialects: Vec<String>,
    /// The number of steps that Ninja ran.
    pub steps: usize,
    /// The number of its own archives that go into the library.
    pub archives: usize,
    /// The number of its Python extensions.
    pub extensions: usize,
    /// Groups of MLIR's own Python package that it embeds.
    pub embedded: Vec<String>,
    /// Sentences about the parts of the project that the bundle does not have.
    pub excluded: Vec<String>,
    /// Further sentences for the report.
    pub notes: Vec<String>,
    /// Files and folders of the machine, outside of the toolchain, that `CMake` found: variable and path.
    pub host: Vec<(String, String)>,
    /// The package that the project's users import, if it is not only the bundle's own.
    pub python_root: Option<String>,
    /// The folders of its sources and of what its build makes.
    pub roots: Vec<Utf8PathBuf>,
    /// The source of its code.
    pub origin: Origin,
    /// The archives that no target makes, with a sentence about who links each.
    pub asked: Vec<(Utf8PathBuf, String)>,
    /// The archives that it adds to the library, and those of them that come whole.
    pub(crate) linked: BTreeSet<Utf8PathBuf>,
    whole: BTreeSet<Utf8PathBuf>,
    /// The folder that relative names of sources begin at.
    top: Utf8PathBuf,
    pub(crate) folders: Folders,
    files: python::Files,
}

impl Prepared {
    /// What a plan needs to know about the project.
    #[must_use]
    pub fn description(&self) -> Description {
        Description {
            name: self.name.clone(),
            folder: self.folder.clone(),
            dialects: self.dialects.clone(),
            extensions: self.extensions,
            python_root: self.python_root.clone(),
        }
    }

    /// The definitions of these symbols in targets of the project that the bundle does not link, by symbol.
    ///
    /// # Errors
    /// `ErrorKind::Io` if `CMake`'s description of a target cannot be read.
    pub fn unlinked(&self, symbols: &[&str]) -> Result<BTreeMap<String, Definition>> {
        if symbols.is_empty() {
            return Ok(BTreeMap::new());
        }
        let record = Record::read(&self.folders.record)?;
        let reply = Reply::read(&self.folders.build)?;
        let linked = self
            .linked
            .iter()
            .chain(&self.whole)
            .map(camino::Utf8PathBuf::as_path)
            .collect();
        let sources = unlinked::sources(&record, &reply, &self.build, &linked, &self.top)?;
        Ok(unlinked::definitions(symbols, &sources))
    }

    /// Its Python files: the path below the import root, and the file.
    pub fn python_files(&self) -> impl Iterator<Item = (&Utf8Path, &Utf8Path)> {
        let files = self.files.iter();
        files.map(|(inside, from)| (inside.as_path(), from.as_path()))
    }
}

/// Configures and builds the projects, and describes each as a dialect crate.
///
/// # Errors
/// `ErrorKind::Compile` where `CMake` or a compiler fails, `ErrorKind::Toolchain` for another LLVM,
/// `ErrorKind::Plan` where the manifest names what a project does not have, and `ErrorKind::Archive` for a
/// shared library.
pub fn prepare(request: Request<'_>) -> Result<Vec<Prepared>> {
    if let Some(char) = unfit_for_cmake(request.work) {
        return Err(Error::new(
            ErrorKind::Plan,
            format!("the path of the folder for intermediate files contains {char:?}"),
        )
        .at(request.work)
        .because("CMake splits paths at this character, in lists and in commands")
        .help("set CARGO_TARGET_DIR to another folder"));
    }
    let prefix = prefix::usable(request.toolchain, request.work)?;
    let modules = request.work.join("projects/cmake");
    modules::write(&modules)?;
    let upstream = dialects::upstream(request.toolchain)?;
    let mut done: Vec<Prepared> = Vec::new();
    for project in request.projects {
        let one = Preparation {
            request,
            project,
            prefix: &prefix,
            modules: &modules,
            upstream: &upstream,
            folders: &Folders::of(project, request.work, request.linker.instrumentation),
            done: &done,
        };
        let prepared = one.run()?;
        prepared.description().write(&prepared.folders.own)?;
        done.push(prepared);
    }
    let all = request.projects.iter().zip(&done);
    python::check_all(all.map(|(project, prepared)| {
        let root = prepared.python_root.as_ref();
        (project, &prepared.files, root)
    }))?;
    Ok(done)
}

/// The state of preparing one project.
pub(crate) struct Preparation<'a> {
    pub(crate) request: Request<'a>,
    pub(crate) project: &'a Project,
    pub(crate) prefix: &'a Utf8Path,
    pub(crate) modules: &'a Utf8Path,
    /// The names of MLIR's own dialects.
    pub(crate) upstream: &'a BTreeSet<String>,
    pub(crate) folders: &'a Folders,
    pub(crate) done: &'a [Prepared],
}

/// A project whose targets are built.
struct Built {
    configured: Configured,
    /// The archives of the build before, as they were verified.
    archives: BuiltArchives,
    /// The number of steps that Ninja ran, those in the trees of needed projects included.
    steps: usize,
}

/// The answers of `CMake` about a configured project.
struct Configured {
    record: Record,
    reply: Reply,
    closure: Closure,
    /// The archives that the extensions link themselves, by their groups.
    extensions: BTreeMap<String, Closure>,
    /// The programs that become commands of the bundle.
    programs: Vec<Program>,
}

impl Configured {
    /// The closures of all that the bundle takes, the project's libraries last.
    fn closures(&self) -> impl Iterator<Item = &Closure> + Clone {
        let of_programs = self.programs.iter().map(|program| &program.closure);
        self.extensions
            .values()
            .chain(of_programs)
            .chain([&self.closure])
    }

    /// The closures of what is linked into the library.
    fn of_the_library(&self) -> impl Iterator<Item = &Closure> + Clone {
        let of_programs = self.programs.iter().map(|program| &program.closure);
        [&self.closure].into_iter().chain(of_programs)
    }
}

impl Preparation<'_> {
    fn run(&self) -> Result<Prepared> {
        let Built {
            configured,
            archives,
            steps,
        } = self.built()?;
        let Configured {
            record,
            reply,
            closure,
            programs,
            ..
        } = &configured;
        let name = self.project.name.get_ref().clone();
        let parts = self.parts(&configured)?;
        let (groups, include, headers) = (parts.groups, parts.include, parts.headers);
        let (mut whole, mut by_need) = (parts.whole, parts.by_need);
        let own = self.folders.own.join("crate");
        let files = python::laid_out(self.project, &groups, &own.join("python"))?;
        let known = Known {
            project: self.project,
            record,
            handles: dialects::by_dialect(&headers.dialects, &parts.generated),
            upstream: self.upstream,
            generated: &parts.generated,
            groups: &groups,
            include: &include,
            headers: OnceCell::new(),
        };
        let registered = known.registered(|| self.source_texts(&closure.targets))?;
        let pass_functions = PassFunctions {
            c_api: headers.pass_functions,
            cpp: registered.unnamed_passes,
            uncalled: registered.uncalled_passes,
        };
        let origin = origin(self.project, &record.version);
        let mut commands = Vec::new();
        for program in programs {
            let (archive, command) = self.archive_of(program)?;
            whole.push(archive.clone());
            by_need.push(archive);
            commands.push(command);
        }
        let aside = headers::defined(headers.aside, &whole);
        let toml = DialectToml {
            name: name.clone(),
            license: origin.license.clone(),
            license_files: origin.license_files.clone(),
            authors: self.project.authors.clone(),
            version: origin.version_and_revision(),
            wheel: format!("mondo-{name}"),
            depends: self.depends(),
            passes: registered.passes,
            dialect_extensions: registered.dialect_extensions,
            translations: registered.translations,
            tool_translations: registered.tool_translations,
            options: parts.options,
            extensions: parts.extensions,
            whole,
            by_need,
            include: include.clone(),
            headers: headers.files,
            links: closure::links(record, configured.of_the_library()),
            commands,
            python: !files.is_empty(),
            dialects: registered.dialects,
        };
        let names: Vec<String> = toml
            .dialects
            .iter()
            .map(|dialect| dialect.name.clone())
            .collect();
        let excluded = excluded::of(&known, &names, &pass_functions, &aside);
        let path = own.join(mondo_plan::dialect_crate::FILE_NAME);
        let text = toml.text();
        if !fs_err::read_to_string(&path).is_ok_and(|there| there == text) {
            replace(&path, text.as_bytes())?;
        }
        let embedded: BTreeSet<String> = self
            .packages(record)
            .flat_map(|package| package.groups.iter())
            .filter(|name| name.starts_with("MLIRPython") && record.group(name).is_none())
            .cloned()
            .collect();
        let linked = toml.by_need.iter().chain(&toml.whole);
        let own_archives: Vec<&Utf8PathBuf> = linked
            .filter(|path| path.starts_with(&self.folders.build))
            .collect();
        archives.write(&own_archives)?;
        Ok(Prepared {
            python_root: python::root(self.project, self.packages(record).find_map(Package::root))?,
            roots: self.roots(),
            origin,
            name,
            folder: own,
            build: self.folders.build.clone(),
            dialects: names,
            steps,
            archives: toml.by_need.len(),
            linked: toml.by_need.into_iter().collect(),
            whole: toml.whole.into_iter().collect(),
            top: self.top(),
            folders: self.folders.clone(),
            extensions: toml.extensions.len(),
            embedded: embedded.into_iter().collect(),
            excluded,
            notes: self.notes(reply)?,
            host: self.host(reply),
            asked: closure::asked_for(self.project, record, configured.closures()),
            files,
        })
    }

    /// The notes for the report. Those about options that the project does not read are also shown now.
    fn notes(&self, reply: &Reply) -> Result<Vec<String>> {
        let unread = unread::notes(self.project, reply, &self.folders.shared);
        unread.iter().for_each(|said| self.request.sink.note(said));
        let mut notes = self.configure(&[]).notes()?;
        notes.extend(unread);
        Ok(notes)
    }

    fn configure<'c>(&'c self, needs: &'c [Need]) -> Configure<'c> {
        Configure {
            project: self.project,
            projects: self.request.projects,
            folders: self.folders,
            prefix: self.prefix,
            modules: self.modules,
            toolchain: self.request.toolchain,
            linker: self.request.linker,
            tools: self.request.tools,
            python: self.request.python,
            needs,
        }
    }

    /// The folder that relative names of sources begin at.
    fn top(&self) -> Utf8PathBuf {
        match self.project.unified {
            true => self.modules.join("unified"),
            false => self.project.folder.clone(),
        }
    }

    /// The texts of the sources of these targets, as far as they can be read.
    fn source_texts(&self, targets: &[(String, Target)]) -> Vec<String> {
        let top = self.top();
        let sources = targets.iter().flat_map(|(_, target)| &target.sources);
        let code = sources.filter(|source| unlinked::is_cpp(&source.path));
        let texts = code.filter_map(|source| fs_err::read(top.join(&source.path)).ok());
        texts
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .collect()
    }

    /// The folders of its sources and of what its build makes.
    fn roots(&self) -> Vec<Utf8PathBuf> {
        let own = [self.project.folder.clone(), self.folders.build.clone()];
        let configure = self.configure(&[]);
        let third_party = configure.third_party().into_iter();
        own.into_iter()
            .chain(third_party.map(|source| source.folder))
            .chain(configure.external())
            .collect()
    }

    fn ninja(&self) -> Ninja<'_> {
        Ninja {
            tools: self.request.tools,
            name: self.project.name.get_ref(),
            folders: self.folders,
            toolchain: self.request.toolchain,
        }
    }

    /// The trees that a link line of this project names.
    pub(crate) fn trees<'t>(
        &'t self,
        project: &'t Project,
        build: &'t Utf8Path,
        needed: &'t [Utf8PathBuf],
    ) -> Trees<'t> {
        Trees {
            project,
            build,
            prefix: self.prefix,
            toolchain: self.request.toolchain,
            needed,
            instrumentation: self.request.linker.instrumentation,
        }
    }

    fn packages<'r>(&self, record: &'r Record) -> impl Iterator<Item = &'r Package> {
        let wanted: Vec<String> = words(&self.project.modules);
        record
            .modules
            .iter()
            .filter(move |module| wanted.contains(&module.name))
    }

    /// The Python groups of the package, in the package's order.
    fn groups<'r>(&self, record: &'r Record) -> Vec<&'r Group> {
        let names = self
            .packages(record)
            .flat_map(|package| package.groups.iter());
        names.filter_map(|name| record.group(name)).collect()
    }
}

fn words(list: &[Word]) -> Vec<String> {
    list.iter().map(|word| word.get_ref().clone()).collect()
}
