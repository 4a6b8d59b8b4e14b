//! The report about a machine's tools for a build: the tools found, the rule that chose each, the
//! candidates rejected and why, and the command that fixes each problem. Nothing is downloaded.

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache_entry;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Serialize;

use crate::existing_installation::{self, Locked};
use crate::host::Host;
use crate::installation::{Origin, Toolchain, wanted_packages};
use crate::linker::{self, Linker};
use crate::lock::PackageSet;
use crate::mirrors::{mirrors, without_secrets};
use crate::provision::{self, Cached, Tree};
use crate::request::Request;
use crate::sets;

/// All that [`doctor`] found.
#[derive(Debug, Clone, Serialize)]
pub struct DoctorReport {
    /// The LLVM that a build would use now. `None` if a build would download one first.
    pub toolchain: Option<Toolchain>,
    /// Every place where LLVM is looked for, in order, and what came of it.
    pub candidates: Vec<Candidate>,
    /// The linker and the C++ compiler, where both are there.
    pub linker: Option<Linker>,
    /// The programs of a build.
    pub tools: Vec<ToolFact>,
    /// The per-user cache.
    pub cache: CacheFact,
    /// The contents of the toolchain lock for this machine.
    pub lock: String,
    /// The missing things, each with a way to get it.
    pub problems: Vec<Problem>,
}

/// A place where LLVM was looked for.
#[derive(Debug, Clone, Serialize)]
pub struct Candidate {
    /// The rule that leads there.
    pub origin: Origin,
    /// The place, where there is one.
    pub place: Option<Utf8PathBuf>,
    /// True for the candidate that is used.
    pub chosen: bool,
    /// The reason for which it is, or is not.
    pub reason: String,
}

/// A program, and what it says of itself.
#[derive(Debug, Clone, Serialize)]
pub struct ToolFact {
    /// The tool's role: `rustc`, `lld`, `C++ compiler`.
    pub name: String,
    /// Its version or its place. `None` if it is missing.
    pub found: Option<String>,
    /// The reason for which it may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional: Option<String>,
}

/// The per-user cache.
#[derive(Debug, Clone, Serialize)]
pub struct CacheFact {
    /// Its folder.
    pub dir: Utf8PathBuf,
    /// The toolchains in it, by folder name, with their bytes on disk.
    pub toolchains: Vec<(String, u64)>,
}

/// Something that is missing.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    /// The thing that is missing or wrong.
    pub what: String,
    /// The remedy, mostly a command.
    pub fix: String,
}

/// Checks everything that a build with this request needs; with the kit in the folder `kit` this does not include
/// Rust. Problems of the machine are part of the report and no errors.
///
/// # Errors
/// `ErrorKind::Io` and `ErrorKind::Interrupted` alone: what is missing is in the report.
pub fn doctor(request: &Request, kit: Option<&Utf8Path>) -> Result<DoctorReport> {
    doctor_on(request, kit, &Host::here())
}

pub(super) fn doctor_on(
    request: &Request,
    kit: Option<&Utf8Path>,
    host: &Host,
) -> Result<DoctorReport> {
    let mut report = DoctorReport {
        toolchain: None,
        candidates: Vec::new(),
        linker: None,
        tools: Vec::new(),
        cache: cache(&request.cache_dir),
        lock: lock(request),
        problems: Vec::new(),
    };
    report.look_for_llvm(request, host)?;
    report.look_for_rust(request.major, kit)?;
    let comes = match sets::known_set(request) {
        Ok(set) => has_compiler(set.base.as_deref().unwrap_or(&set)),
        Err(error) => error.kind() == ErrorKind::Network,
    };
    report.look_for_tools(comes)?;
    report.look_for_mirrors(request, host);
    Ok(report)
}

impl DoctorReport {
    fn look_for_llvm(&mut self, request: &Request, host: &Host) -> Result<()> {
        self.by_name(request, host, Origin::Flag, request.llvm_dir.as_deref())?;
        let dir = request.env_llvm_dir.as_deref();
        self.by_name(request, host, Origin::Environment, dir)?;

        let place = existing_installation::system_prefix(request.major, host);
        match existing_installation::system(request, host)? {
            Ok(toolchain) => self.serves(toolchain, "everything that a bundle needs is installed"),
            Err(reason) => self.passed_over(Origin::System, Some(&place), &reason),
        }
        match sets::known_set(request) {
            Ok(set) => {
                let tree = Tree::of(&set, &request.cache_dir);
                let place = tree.root.as_path();
                match tree.cached()? {
                    Cached::Usable(toolchain) => self.serves(*toolchain, "it is in the cache"),
                    Cached::Absent => {
                        let reason = format!(
                            "not provisioned yet; a build downloads {} packages, {} MB",
                            set.unpacked().count(),
                            set.download_size() / 1_000_000
                        );
                        self.passed_over(Origin::Provisioned, Some(place), &reason);
                    }
                    Cached::Damaged(why) => {
                        let reason = format!("damaged, so the next build unpacks it again: {why}");
                        self.passed_over(Origin::Provisioned, Some(place), &reason);
                    }
                }
            }
            // A suite that moves has not been asked yet.
            Err(error) if error.kind() == ErrorKind::Network => {
                let reason = format!("{}; a build asks for them", error.what());
                self.passed_over(Origin::Provisioned, None, &reason);
            }
            Err(error) => {
                self.passed_over(Origin::Provisioned, None, error.what());
                if self.toolchain.is_none() {
                    self.problem(&error, &install_llvm(request.major));
                }
            }
        }
        Ok(())
    }

    /// Adds a folder that the user named. If it is not usable, no later candidate is chosen in its place.
    fn by_name(
        &mut self,
        request: &Request,
        host: &Host,
        origin: Origin,
        dir: Option<&Utf8Path>,
    ) -> Result<()> {
        let Some(dir) = dir else {
            self.passed_over(origin, None, "not given");
            return Ok(());
        };
        match existing_installation::take(dir, origin, request, host, Locked::Cached) {
            Ok(toolchain) => {
                let why = match toolchain.supplement {
                    None => "requested, and complete",
                    Some(_) => "requested; locked packages have what it lacks",
                };
                self.serves(toolchain, why);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                self.passed_over(origin, Some(dir), &error.to_string());
                self.problem(&error, &install_llvm(request.major));
            }
        }
        Ok(())
    }

    fn serves(&mut self, toolchain: Toolchain, why: &str) {
        let first = self.toolchain.is_none();
        self.candidates.push(Candidate {
            origin: toolchain.origin,
            place: toolchain
                .named
                .clone()
                .or_else(|| Some(toolchain.prefix.clone())),
            chosen: first,
            reason: if first {
                why.to_owned()
            } else {
                "usable, but mondo uses an earlier entry".to_owned()
            },
        });
        self.toolchain.get_or_insert(toolchain);
    }

    fn passed_over(&mut self, origin: Origin, place: Option<&Utf8Path>, reason: &str) {
        self.candidates.push(Candidate {
            origin,
            place: place.map(Utf8Path::to_owned),
            chosen: false,
            reason: reason.to_owned(),
        });
    }

    fn problem(&mut self, error: &Error, fix: &str) {
        self.problems.push(Problem {
            what: error.what().to_owned(),
            fix: error.next_step().unwrap_or(fix).to_owned(),
        });
    }

    /// Looks for Rust, which is needed only without a kit.
    fn look_for_rust(&mut self, llvm: u32, kit: Option<&Utf8Path>) -> Result<()> {
        self.tool("kit", Some(kit.map_or("none", Utf8Path::as_str).to_owned()));
        let fix = format!("install Rust with rustup; or pip install mondo-kit-{llvm}");
        let kit = kit.map(|_| "not needed with a kit");
        self.unless(kit, |report| {
            report.version("rustc", &linker::rustc(), &["--version"], &fix)?;
            report.version("cargo", "cargo", &["--version"], &fix)
        })
    }

    /// Looks for the linker and the C++ compiler. `comes` is true if the packages that a build would download contain
    /// both.
    fn look_for_tools(&mut self, comes: bool) -> Result<()> {
        match linker::linker(self.toolchain.as_ref()) {
            _ if self.toolchain.is_none() && comes && linker::named_cxx().is_none() => {
                for tool in ["lld", "C++ compiler"] {
                    self.tool(tool, Some("comes with LLVM's packages".to_owned()));
                }
            }
            Ok(linker) => {
                self.tool(
                    "lld",
                    Some(format!("{} in {}", linker.lld_version, linker.lld_dir)),
                );
                self.tool(
                    "C++ compiler",
                    Some(format!("{} ({})", linker.cxx_version, linker.cxx)),
                );
                let archive = linker::compiler_path(&linker.cxx, "libstdc++.a")?;
                if archive.is_none() {
                    self.problems.push(Problem {
                        what: format!("`{}` has no static libstdc++", linker.cxx),
                        fix: "apt-get install g++, or set CXX to a compiler that has it".to_owned(),
                    });
                }
                self.tool("static libstdc++", archive.map(Utf8PathBuf::into_string));
                self.linker = Some(linker);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                self.tool("lld and C++ compiler", None);
                self.problem(&error, "apt-get install g++");
            }
        }
        let python = "apt-get install python3 python3-pip python3-venv";
        self.version("python3", "python3", &["--version"], python)?;
        self.version("pip", "python3", &["-m", "pip", "--version"], python)?;
        let ensurepip = ["-c", "import venv, ensurepip; print(ensurepip.version())"];
        self.version("venv (bundled pip)", "python3", &ensurepip, python)?;
        let extensions = "needed only for C++ extensions: apt-get install python3-dev";
        self.unless(Some(extensions), |report| {
            report.version("Python.h", "python3", &["-c", HEADERS], extensions)
        })?;
        Ok(())
    }

    /// Looks for mirrors. A build needs one only if it has to download LLVM.
    fn look_for_mirrors(&mut self, request: &Request, host: &Host) {
        let optional = self.toolchain.as_ref().map(|_| "not needed with this LLVM");
        let found = match mirrors(&request.mirrors, host) {
            Ok(mirrors) => {
                let addresses: Vec<String> = mirrors
                    .addresses
                    .iter()
                    .map(|address| without_secrets(address))
                    .collect();
                Some(format!("{} ({})", addresses.join(", "), mirrors.named_by))
            }
            Err(error) => {
                if optional.is_none() {
                    self.problem(&error, "set MONDO_DEB_MIRROR");
                }
                None
            }
        };
        self.tools.push(ToolFact {
            name: "mirrors of packages".to_owned(),
            found,
            optional: optional.map(str::to_owned),
        });
    }

    /// Looks for tools, which may be missing where there is a reason.
    fn unless(
        &mut self,
        reason: Option<&str>,
        look: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (tools, problems) = (self.tools.len(), self.problems.len());
        look(self)?;
        if reason.is_some() {
            self.problems.truncate(problems);
            for tool in &mut self.tools[tools..] {
                tool.optional = reason.map(str::to_owned);
            }
        }
        Ok(())
    }

    fn tool(&mut self, name: &str, found: Option<String>) {
        self.tools.push(ToolFact {
            name: name.to_owned(),
            found,
            optional: None,
        });
    }

    fn version(&mut self, name: &str, program: &str, args: &[&str], fix: &str) -> Result<()> {
        let run = Tool::new(program, format!("start {name}"))
            .args(args)
            .output();
        match run {
            Ok(output) => {
                let line = output.stdout.lines().next().unwrap_or_default();
                self.tool(name, Some(line.trim().to_owned()));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                self.tool(name, None);
                self.problems.push(Problem {
                    what: error.what().to_owned(),
                    fix: fix.to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// True if a set of packages has the linker and the C++ compiler.
fn has_compiler(set: &PackageSet) -> bool {
    let has = |start: &str| {
        set.packages
            .iter()
            .any(|package| package.name.starts_with(start))
    };
    has("lld-") && has("clang-")
}

fn install_llvm(major: u32) -> String {
    format!("apt-get install {}", wanted_packages(major).join(" "))
}

fn lock(request: &Request) -> String {
    match sets::known_set(request) {
        Ok(set) => format!(
            "LLVM {} for {}: {} packages, {} MB ({})",
            set.llvm,
            set.architecture,
            set.unpacked().count(),
            set.download_size() / 1_000_000,
            request.lock
        ),
        Err(error) => format!("{} ({})", error.what(), request.lock),
    }
}

fn cache(dir: &Utf8Path) -> CacheFact {
    let home = provision::home(dir);
    let mut toolchains: Vec<(String, u64)> = home
        .read_dir_utf8()
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().starts_with("llvm-"))
        .map(|entry| {
            let bytes = cache_entry::size(entry.path());
            (entry.file_name().to_owned(), bytes)
        })
        .collect();
    toolchains.sort();
    CacheFact {
        dir: dir.to_owned(),
        toolchains,
    }
}

/// Prints the folder of Python's headers; fails without them.
const HEADERS: &str = "\
import os, sysconfig
folder = sysconfig.get_path('include')
os.stat(os.path.join(folder, 'Python.h'))
print(folder)
";

/// `{:#}` also has the packages of the LLVM that is used.
impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.problems.len(), &self.toolchain) {
            (0, Some(_)) => writeln!(f, "ready: nothing is missing")?,
            (0, None) => writeln!(
                f,
                "ready: the next build downloads LLVM, and nothing else is missing"
            )?,
            (1, _) => writeln!(f, "not ready: 1 thing is missing")?,
            (several, _) => writeln!(f, "not ready: {several} things are missing")?,
        }
        for problem in &self.problems {
            let fix = problem.fix.replace('\n', "\n       ");
            writeln!(f, " ! {}\n   fix: {fix}", problem.what)?;
        }
        writeln!(f, "where mondo searches for LLVM:")?;
        for candidate in &self.candidates {
            let mark = if candidate.chosen { "→" } else { " " };
            write!(
                f,
                " {mark} {}",
                existing_installation::called(candidate.origin)
            )?;
            if let Some(place) = &candidate.place {
                write!(f, " {place}")?;
            }
            writeln!(f, ": {}", candidate.reason.replace('\n', "\n     "))?;
        }
        if let Some(toolchain) = &self.toolchain {
            writeln!(f, "LLVM {}:", toolchain.version)?;
            writeln!(f, "   libclang {}", toolchain.libclang_dir)?;
            for dir in &toolchain.library_dirs {
                writeln!(f, "   static libraries {dir}")?;
            }
            let traits = toolchain.traits.names();
            if !traits.is_empty() {
                writeln!(f, "   compiled with {}", traits.join(", "))?;
            }
            if f.alternate() {
                for package in &toolchain.packages {
                    writeln!(f, "   package {} {}", package.name, package.version)?;
                }
            } else if !toolchain.packages.is_empty() {
                let count = toolchain.packages.len();
                writeln!(f, "   {count} packages, which -v lists")?;
            }
        }
        writeln!(f, "lock: {}", self.lock)?;
        writeln!(f, "cache: {}", self.cache.dir)?;
        for (name, bytes) in &self.cache.toolchains {
            writeln!(f, "   {name}: {} MB", bytes / 1_000_000)?;
        }
        writeln!(f, "programs:")?;
        for tool in &self.tools {
            match (&tool.found, &tool.optional) {
                (Some(found), _) => writeln!(f, "   {}: {found}", tool.name)?,
                (None, Some(reason)) => writeln!(f, "   {}: none, {reason}", tool.name)?,
                (None, None) => writeln!(f, "   {}: MISSING", tool.name)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> DoctorReport {
        let tool = |name: &str, optional: Option<&str>| ToolFact {
            name: name.to_owned(),
            found: None,
            optional: optional.map(str::to_owned),
        };
        DoctorReport {
            toolchain: None,
            candidates: Vec::new(),
            linker: None,
            tools: vec![
                tool("rustc", Some("not needed with a kit")),
                tool("pip", None),
            ],
            cache: CacheFact {
                dir: "/cache".into(),
                toolchains: Vec::new(),
            },
            lock: String::new(),
            problems: Vec::new(),
        }
    }

    #[test]
    fn the_verdict_comes_first_and_agrees_with_what_follows() {
        let mut report = report();
        let text = report.to_string();
        assert!(text.starts_with("ready: "), "{text}");
        assert!(
            text.contains("rustc: none, not needed with a kit"),
            "{text}"
        );
        report.problems.push(Problem {
            what: "pip is missing".to_owned(),
            fix: "apt-get install python3-pip".to_owned(),
        });
        let text = report.to_string();
        let first: Vec<&str> = text.lines().take(3).collect();
        assert_eq!(first[0], "not ready: 1 thing is missing");
        assert_eq!(first[1], " ! pip is missing");
        assert!(text.contains("pip: MISSING"), "{text}");
    }

    #[test]
    fn what_a_kit_replaces_is_no_problem() {
        let mut report = report();
        report.tools.clear();
        report
            .unless(Some("not needed"), |report| {
                report.version("none", "no-such-program", &[], "install it")
            })
            .unwrap();
        assert!(report.problems.is_empty());
        assert_eq!(report.tools[0].optional.as_deref(), Some("not needed"));
        report
            .unless(None, |report| {
                report.version("none", "no-such-program", &[], "install it")
            })
            .unwrap();
        assert_eq!(report.problems.len(), 1);
    }
}
