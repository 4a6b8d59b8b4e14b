//! Runs of `CMake`: the options by which a project becomes part of a bundle. Its errors are in `refusal.rs`.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_plan::manifest::{Archive, Project, ProjectSource, Word, owned_by_mondo};
use mondo_toolchain::{self as toolchain, Instrumentation, Linker, Toolchain};

use crate::record::Record;
use crate::refusal::{Refusal, missing_need, refused};
use crate::tools::Tools;
use crate::{file_api, modules, own_targets, precompiled, release_flags, unread};

/// The flags of all C and C++ that ships, beside those of the project.
const FLAGS: &[&str] = &[
    "-fvisibility=hidden",
    "-ffunction-sections",
    "-fdata-sections",
    "-fdiagnostics-color=never",
    "-w",
];

/// Flags of all C++. A target that needs RTTI may add `-frtti` for itself.
const CXX_FLAGS: &[&str] = &["-fvisibility-inlines-hidden", "-fno-rtti"];

/// The variable with the folders in which `find_package` looks. It has the projects that this one needs, and the
/// value that the manifest gives.
const PREFIX_PATH: &str = "CMAKE_PREFIX_PATH";

/// Variables that mondo sets and that a project's manifest entry may set, too.
const SHARED: &[&str] = &[
    PREFIX_PATH,
    "CMAKE_C_FLAGS",
    "CMAKE_CXX_FLAGS",
    "CMAKE_C_FLAGS_RELEASE",
    "CMAKE_CXX_FLAGS_RELEASE",
    "MLIR_ENABLE_BINDINGS_PYTHON",
];

/// The placeholder for the LLVM prefix in an option's value, for projects that have a variable of their own for it.
const LLVM: &str = "{llvm}";

/// The file with the names of the targets that a project makes in place of exported ones.
const OWN_TARGETS: &str = "own-targets";

/// The number of characters of a digest that tell the build trees and manifests of one work folder apart; paths stay
/// short.
const KEY: usize = 6;

/// A project's folders.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    /// The folder of what mondo makes of the project for one manifest.
    pub(crate) own: Utf8PathBuf,
    /// The folder of what the manifests with this project and these options share: the build tree, and mondo's files about it.
    pub(crate) shared: Utf8PathBuf,
    /// `CMake`'s build tree.
    pub(crate) build: Utf8PathBuf,
    /// The file to which `data/project.cmake` records the project's targets and Python groups.
    pub(crate) record: Utf8PathBuf,
}

impl Folders {
    /// The folders of `project`. Manifests share the build tree of a project with the same options. Builds with and
    /// without instrumentation have different folders, so that none replaces another.
    pub(crate) fn of(project: &Project, work: &Utf8Path, instrumentation: Instrumentation) -> Self {
        let name = project.name.get_ref();
        let options: Vec<String> = project
            .define
            .iter()
            .map(|(key, value)| format!("{key}={}", value.get_ref()))
            .collect();
        let tree = format!(
            "{}\n{}\n{}",
            project.folder,
            project.unified,
            options.join("\n")
        );
        let mut shared = work.join("projects").join(format!("{name}-{}", key(&tree)));
        if !instrumentation.is_none() {
            shared = shared.join(instrumentation.folder());
        }
        let manifest = project.manifest();
        let manifest = camino::absolute_utf8(manifest).unwrap_or_else(|_| manifest.to_owned());
        Self {
            own: shared.join(format!("manifest-{}", key(manifest.as_str()))),
            build: shared.join("build"),
            record: shared.join("record.jsonl"),
            shared,
        }
    }
}

/// A digest of `text` that is a short part of a path.
fn key(text: &str) -> String {
    let mut key = digest::short(text);
    key.truncate(KEY);
    key
}

/// A project that another one needs: its name, its sources and its build tree.
pub(crate) type Need = (String, Utf8PathBuf, Utf8PathBuf);

/// Third-party sources of a project.
#[derive(Debug)]
pub(crate) struct ThirdParty<'a> {
    /// The name that its `CMake` has for them.
    pub(crate) name: &'a str,
    /// The folder that they are in, once the archive is unpacked.
    pub(crate) folder: Utf8PathBuf,
    pub(crate) archive: Option<&'a Archive>,
}

/// The borrowed inputs of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Configure<'a> {
    pub(crate) project: &'a Project,
    /// All projects of the manifest.
    pub(crate) projects: &'a [Project],
    pub(crate) folders: &'a Folders,
    /// The LLVM prefix that `find_package(MLIR)` accepts.
    pub(crate) prefix: &'a Utf8Path,
    /// The folder of mondo's own `CMake` files.
    pub(crate) modules: &'a Utf8Path,
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) linker: &'a Linker,
    pub(crate) tools: &'a Tools,
    pub(crate) python: &'a OsStr,
    pub(crate) needs: &'a [Need],
}

impl Configure<'_> {
    /// Runs `CMake` unless it has run with these options already. Ninja reruns it when one of the project's `CMake`
    /// files changes.
    pub(crate) fn run(&self) -> Result<()> {
        let mut own = self.own_targets()?;
        let mut refused = BTreeSet::new();
        loop {
            let Err(refusal) = self.run_with(&own)? else {
                let mut made = self.made_of(&own)?;
                made.extend(refused.iter().cloned());
                if made == own {
                    break;
                }
                // Some names were found in the text of a `CMakeLists.txt` that is not configured. The project does
                // not make these targets, so their exported ones are imported again.
                own = made;
                continue;
            };
            let Some(target) =
                own_targets::refused(&refusal.said).filter(|target| !own.contains(target))
            else {
                return Err(refusal.error);
            };
            if refused.is_empty() {
                own.extend(own_targets::made(&self.sources(), self.prefix)?);
            }
            own.insert(target.clone());
            refused.insert(target);
        }
        let names: Vec<&str> = own.iter().map(String::as_str).collect();
        replace(
            &self.folders.shared.join(OWN_TARGETS),
            names.join("\n").as_bytes(),
        )
    }

    /// Lets Ninja run `CMake` again where one of its inputs has changed: the answers of before would repeat an error
    /// that they no longer have. False if that fails.
    fn is_current(&self) -> Result<bool> {
        let tool = Tool::new(
            self.tools.ninja.as_str(),
            format!("configure the project `{}`", self.project.name.get_ref()),
        )
        .args(["-C", self.folders.build.as_str(), "build.ninja"])
        .env("LC_ALL", "C");
        let tool = toolchain::with_libraries(tool, self.toolchain);
        let output = self.tools.run(tool).output_unchecked()?;
        Ok(output.status.success())
    }

    /// The targets that the project makes itself although LLVM exports them, as an earlier run found them.
    fn own_targets(&self) -> Result<BTreeSet<String>> {
        let path = self.folders.shared.join(OWN_TARGETS);
        let text = fs_err::read_to_string(path).unwrap_or_default();
        self.made_of(&text.lines().map(str::to_owned).collect())
    }

    /// Those of `own` that the project really makes, by its record.
    fn made_of(&self, own: &BTreeSet<String>) -> Result<BTreeSet<String>> {
        if own.is_empty() || !self.folders.record.is_file() {
            return Ok(own.clone());
        }
        let record = Record::read(&self.folders.record)?;
        let targets = record.targets.into_iter().map(|target| target.name);
        Ok(targets.filter(|name| own.contains(name)).collect())
    }

    /// A sentence about the exported targets that the project replaces by its own.
    pub(crate) fn notes(&self) -> Result<Vec<String>> {
        let note = own_targets::note(self.project.name.get_ref(), &self.own_targets()?);
        Ok(note.into_iter().collect())
    }

    /// Runs `CMake` with the targets of `own` omitted from the exported ones. The inner result has the error of
    /// `CMake` itself.
    fn run_with(&self, own: &BTreeSet<String>) -> Result<std::result::Result<(), Refusal>> {
        let mut arguments = self.arguments();
        if !own.is_empty() {
            let names: Vec<&str> = own.iter().map(String::as_str).collect();
            arguments.push(format!("-D{}={}", own_targets::VARIABLE, names.join(";")));
        }
        let text = format!(
            "{}\n{}\n{}",
            self.tools.cmake,
            modules::digest(),
            arguments.join("\n")
        );
        let done = self.folders.shared.join("configured");
        let same = fs_err::read_to_string(&done).is_ok_and(|there| there == text);
        let there =
            self.folders.build.join("build.ninja").is_file() && self.folders.record.is_file();
        if same && there && self.is_current()? {
            return Ok(Ok(()));
        }
        if done.exists() {
            fs_err::remove_file(&done)?;
        }
        file_api::ask(&self.folders.build)?;
        let tool = Tool::new(
            self.tools.cmake.as_str(),
            format!("configure the project `{}`", self.project.name.get_ref()),
        )
        .args(&arguments);
        let tool = self
            .tools
            .run(toolchain::with_libraries(tool, self.toolchain));
        let tool = tool.env("LC_ALL", "C");
        let output = tool.output_unchecked()?;
        let log = self.folders.shared.join("configure.log");
        let said = format!("{}{}", output.stdout, output.stderr);
        replace(
            &log,
            format!("{}\n\n{said}", tool.command_line()).as_bytes(),
        )?;
        if !output.status.success() {
            let error = refused(self.project, &said, &log);
            let error = match missing_need(self.project, self.projects, &said) {
                Some(help) => error.help(help),
                None => error,
            };
            return Ok(Err(Refusal { said, error }));
        }
        if !self.folders.record.is_file() {
            return Err(Error::new(
                ErrorKind::Compile,
                format!(
                    "the CMake of the project `{}` does not call `project()`",
                    self.project.name.get_ref()
                ),
            )
            .at(self.project.folder.join("CMakeLists.txt"))
            .because("mondo adds its CMake functions in the first call of `project()`"));
        }
        unread::keep(self.project, &said, &self.folders.shared)?;
        replace(&done, text.as_bytes())?;
        Ok(Ok(()))
    }

    /// The folders of the project's sources.
    fn sources(&self) -> Vec<Utf8PathBuf> {
        let own = [self.project.folder.clone()];
        own.into_iter().chain(self.external()).collect()
    }

    fn arguments(&self) -> Vec<String> {
        let (project, folders) = (self.project, self.folders);
        let name = project.name.get_ref();
        let source = if project.unified {
            self.modules.join("unified")
        } else {
            project.folder.clone()
        };
        let mut list = vec![
            "--fresh".to_owned(),
            format!("-S{source}"),
            format!("-B{}", folders.build),
            "-GNinja".to_owned(),
            "--log-level=NOTICE".to_owned(),
            "-Wno-author".to_owned(),
        ];
        let mut define = |key: &str, value: &str| {
            debug_assert!(
                owned_by_mondo(key).is_some() || SHARED.contains(&key),
                "{key} is in neither list"
            );
            list.push(format!("-D{key}={value}"));
        };
        define("CMAKE_MAKE_PROGRAM", self.tools.ninja.as_str());
        define("CMAKE_CXX_COMPILER", &self.linker.cxx);
        if let Some(locked) = &self.linker.locked {
            define("CMAKE_C_COMPILER", locked.cc.as_str());
        }
        if let Some(launcher) = &self.linker.launcher {
            for language in ["C", "CXX"] {
                let key = format!("CMAKE_{language}_COMPILER_LAUNCHER");
                define(&key, launcher.program().as_str());
            }
        } else if precompiled::are_wanted(project, self.linker) {
            let script = precompiled::script(self.prefix);
            define("CMAKE_CXX_COMPILER_LAUNCHER", script.as_str());
        }
        // The build type is fixed, because projects depend on it: `Debug` would switch on assertions, which MLIR's
        // archives are compiled without.
        define("CMAKE_BUILD_TYPE", "Release");
        // These variables add arguments to the compiler's command. They come before all flags of the project, and
        // stay there if the project sets CMAKE_CXX_FLAGS. The variables for flags, in the loop below, are defined as
        // well, since otherwise `CMake` initialises them from the environment.
        let flags = self.flags();
        define("CMAKE_C_COMPILER_ARG1", &flags);
        define(
            "CMAKE_CXX_COMPILER_ARG1",
            &format!("{flags} {}", CXX_FLAGS.join(" ")),
        );
        for language in ["C", "CXX"] {
            define(&format!("CMAKE_{language}_FLAGS"), "");
            let key = format!("CMAKE_{language}_FLAGS_RELEASE");
            let own = self.defined(&key);
            define(
                &key,
                &release_flags::value(own, self.linker.instrumentation),
            );
        }
        let lld = format!("-B{} -fuse-ld=lld", self.linker.lld_dir);
        let instrumented = match self.linker.instrumentation {
            Instrumentation::Address => format!("{lld} -fsanitize=address"),
            Instrumentation::None | Instrumentation::Debug => lld.clone(),
        };
        define("CMAKE_EXE_LINKER_FLAGS", &instrumented);
        // Flags for shared libraries and plug-ins that the project's tests load. The distribution's zlib and zstd are
        // compiled without -fPIC, so that they link only if their symbols are bound inside of the library. A plug-in
        // has no -Bsymbolic, because it shares MLIR with the program that loads it.
        for (kind, bound) in [
            ("SHARED", "-Wl,-Bsymbolic"),
            ("MODULE", "-Wl,--exclude-libs,libz.a:libzstd.a"),
        ] {
            let key = format!("CMAKE_{kind}_LINKER_FLAGS");
            define(&key, &format!("{lld} {bound}"));
        }
        define("CMAKE_POSITION_INDEPENDENT_CODE", "ON");
        define("BUILD_SHARED_LIBS", "OFF");
        define("MLIR_DIR", self.prefix.join("lib/cmake/mlir").as_str());
        define("LLVM_DIR", self.prefix.join("lib/cmake/llvm").as_str());
        let python = self.python.to_string_lossy();
        define("Python3_EXECUTABLE", &python_path(&python));
        define("Python_EXECUTABLE", &python_path(&python));
        let bindings = if project.modules.is_empty() {
            "OFF"
        } else {
            "ON"
        };
        define("MLIR_ENABLE_BINDINGS_PYTHON", bindings);
        define("nanobind_DIR", self.modules.as_str());
        let ours = self.modules.join("project.cmake");
        define("CMAKE_PROJECT_TOP_LEVEL_INCLUDES", ours.as_str());
        define("MONDO_RECORD", folders.record.as_str());
        let words = |words: &[Word]| {
            let words: Vec<&str> = words.iter().map(|word| word.get_ref().as_str()).collect();
            words.join(";")
        };
        define("MONDO_MODULES", &words(&project.modules));
        define("MONDO_C_API", &words(&project.c_api));
        define("MONDO_LIBRARIES", &words(&project.libraries));
        if self.tools.offline {
            define("FETCHCONTENT_FULLY_DISCONNECTED", "ON");
            // With this policy, missing sources are an error also for projects that require an older CMake.
            define("CMAKE_POLICY_DEFAULT_CMP0170", "NEW");
        }
        let names: Vec<&str> = project.sources.keys().map(String::as_str).collect();
        define("MONDO_SOURCES", &names.join(";"));
        for source in self.third_party() {
            let name = source.name;
            let key = |part: &str| format!("MONDO_SOURCE_{name}_{part}");
            define(&key("FOLDER"), source.folder.as_str());
            if let Some(archive) = source.archive {
                define(&key("URL"), &archive.url);
                define(&key("SHA256"), &archive.sha256);
            }
        }
        if project.unified {
            define("MONDO_UNIFIED_PREFIX", self.prefix.as_str());
            define("MONDO_UNIFIED_NAME", name);
            define("MONDO_UNIFIED_SOURCE", project.folder.as_str());
            define(
                "MONDO_UNIFIED_LLVM",
                folders.shared.join("llvm-project").as_str(),
            );
        }
        let own = project
            .define
            .get(PREFIX_PATH)
            .map(|value| self.filled(value.get_ref()));
        let trees = self.needs.iter().map(|(_, _, build)| build.to_string());
        let trees: Vec<String> = trees.chain(own).collect();
        if !trees.is_empty() {
            define(PREFIX_PATH, &trees.join(";"));
        }
        let others = project
            .define
            .iter()
            .filter(|(key, _)| *key != PREFIX_PATH && !release_flags::is_one(key));
        list.extend(others.map(|(key, value)| format!("-D{key}={}", self.filled(value.get_ref()))));
        list
    }

    /// The third-party sources of the project.
    pub(crate) fn third_party(&self) -> Vec<ThirdParty<'_>> {
        let sources = self.project.sources.iter();
        let sources = sources.map(|(name, source)| match source.get_ref() {
            ProjectSource::Folder(folder) => ThirdParty {
                name,
                folder: folder.clone(),
                archive: None,
            },
            ProjectSource::Archive(archive) => ThirdParty {
                name,
                folder: self.folders.shared.join("sources").join(name),
                archive: Some(archive),
            },
        });
        sources.collect()
    }

    /// The value that the manifest gives an option.
    fn defined(&self, key: &str) -> Option<String> {
        let mut all = self.project.define.iter();
        let (_, value) = all.find(|(own, _)| release_flags::name_of(own) == key)?;
        Some(self.filled(value.get_ref()))
    }

    /// The value of an option in which the placeholders for the folders of this project and of those that it needs
    /// are replaced.
    fn filled(&self, value: &str) -> String {
        let name = self.project.name.get_ref();
        let own = (name, &self.project.folder, &self.folders.build);
        let others = self
            .needs
            .iter()
            .map(|(name, source, build)| (name, source, build));
        let all = others.chain([own]);
        let value = value.replace(LLVM, self.prefix.as_str());
        all.fold(value, |value, (name, source, build)| {
            value
                .replace(&format!("{{{name}.source}}"), source.as_str())
                .replace(&format!("{{{name}.build}}"), build.as_str())
        })
    }

    /// The source folders of other external projects that LLVM's build would add beside this one.
    pub(crate) fn external(&self) -> Vec<Utf8PathBuf> {
        let folders = self.project.define.iter().filter_map(|(key, value)| {
            let key = key.strip_prefix("LLVM_EXTERNAL_")?;
            key.strip_suffix("_SOURCE_DIR")?;
            Utf8Path::new(&self.filled(value.get_ref()))
                .canonicalize_utf8()
                .ok()
        });
        folders.collect()
    }

    /// The compiler's flags for the project. They map paths, so that no path of the build machine is in an object; if
    /// several maps match, the last one applies.
    fn flags(&self) -> String {
        let name = self.project.name.get_ref();
        let flags = FLAGS.iter().chain(self.linker.whole_functions());
        let mut flags: Vec<String> = flags.map(ToString::to_string).collect();
        let mut maps = vec![
            (self.toolchain.prefix.join("include"), "llvm".to_owned()),
            (self.prefix.join("include"), "llvm".to_owned()),
        ];
        // The C++ library's headers have their paths in checks, which the compiler keeps where it does not optimize.
        maps.extend(
            self.toolchain
                .sysroot
                .clone()
                .map(|from| (from, "sysroot".to_owned())),
        );
        for (needed, source, build) in self.needs {
            maps.push((source.clone(), needed.clone()));
            maps.push((build.clone(), format!("{needed}/build")));
        }
        for source in self.third_party() {
            maps.push((source.folder, source.name.to_owned()));
        }
        for folder in self.external() {
            let name = folder.file_name().unwrap_or(name).to_owned();
            maps.push((folder, name));
        }
        maps.push((self.project.folder.clone(), name.clone()));
        maps.push((self.folders.build.clone(), format!("{name}/build")));
        // A debugger finds the sources by their paths.
        let map = match self.linker.instrumentation.is_none() {
            true => "-ffile-prefix-map",
            false => "-fmacro-prefix-map",
        };
        flags.extend(maps.iter().map(|(from, to)| format!("{map}={from}={to}")));
        flags.join(" ")
    }
}

/// Makes a path of an interpreter that is given by its name, since `CMake` would look for the name in the build tree.
fn python_path(python: &str) -> String {
    if python.contains('/') {
        return python.to_owned();
    }
    let folders = std::env::var("PATH").unwrap_or_default();
    let mut found = folders
        .split(':')
        .map(|dir| Utf8Path::new(dir).join(python));
    found
        .find(|path| path.is_file())
        .map_or_else(|| python.to_owned(), Utf8PathBuf::into_string)
}
