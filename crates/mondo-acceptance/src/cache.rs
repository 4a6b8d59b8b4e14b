//! The compile cache of a team: sccache over a folder, and two checkouts of one project.

use std::collections::BTreeMap;
use std::net::TcpListener;

use camino::{Utf8Path, Utf8PathBuf};
use fs_err::os::unix::fs::symlink;
use mondo::console;
use mondo_build::Result;
use mondo_build::cache::{CARGO, COMPILED, LINK, cache_dir};
use mondo_build::exec::Tool;
use mondo_testbed::files::{copy_tree, wheel_in};
use mondo_testbed::verdict::{expect, json, tool};
use mondo_testbed::{Context, Venv};

use crate::backend;

/// The project's name.
const NAME: &str = "shoal";

/// The C++ files of a project: the dialect's three, its extension's one and nanobind's at least.
const FILES: u64 = 5;

/// The folders of a user's cache that have what compilers and linkers made.
const COMPILER_RESULTS: [&str; 3] = [CARGO, COMPILED, LINK];

/// The reason that sccache gives for not caching build scripts, procedural macros and programs in Rust. It gives other
/// reasons for C++.
const PROGRAMS: &str = "crate-type";

/// The reasons for which it keeps nothing of a call without a file: cargo and mondo ask compilers who they are, and cargo
/// has rustc read from standard input for that.
const QUESTIONS: [&str; 2] = ["-", "missing input"];

/// Labels and lists of dialects of one CI run.
const MATRIX: [(&str, &str); 4] = [
    ("", "\"arith\""),
    ("", "\"func\", \"scf\""),
    ("label = \"bay\"\n", "\"arith\""),
    ("label = \"bay\"\n", "\"func\", \"scf\""),
];

/// Builds a project through sccache, with mondo's own Rust, which no cache of the user's has here; a second checkout then
/// compiles nothing. Both wheels have the bytes of one that was built without it. Of bundles of other labels and contents,
/// the first one compiles what the rest find.
pub fn check(context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("cache")?;
    let program = backend::program(context)?;
    let launcher = Venv::kept(context, "frontends")?.dir.join("bin/sccache");
    let team = Team::start(&program, &launcher, &scratch)?;

    let first = scratch.join("first").join(NAME);
    tool(program.as_str(), "begin a project")
        .args(["new", NAME, "--cpp", "--dir"])
        .arg(first.parent().unwrap_or(&first))
        .output()?;
    let second = scratch.join("second").join(NAME);
    copy_tree(&first, &second)?;
    let (wheel, filled) = team.build(&first, true, &[])?;
    filled.show(filled.misses >= FILES, "the first checkout is compiled")?;
    // Another user, with LLVM's packages at the same place.
    team.forget()?;
    let (same, found) = team.build(&second, true, &[])?;
    console::err(format!(
        "{NAME}: {} compiled in the first checkout; {} found and {} compiled in the second, beside {} build scripts and \
         procedural macros that sccache does not keep",
        filled.misses, found.hits, found.misses, found.programs
    ));
    let all = found.misses == 0 && found.others.is_empty() && found.hits >= FILES;
    found.show(all, "a second checkout compiles nothing")?;
    fs_err::remove_dir_all(second.join("build"))?;
    let (plain, _) = team.build(&second, false, &[])?;
    let same = same == wheel && plain == wheel;
    expect(same, "wheels differ with a launcher and without", second)?;
    matrix(&team, &scratch.join("matrix"))
}

/// Bundles of one CI run, each of a machine that has compiled nothing. What differs between them is linked.
fn matrix(team: &Team<'_>, folder: &Utf8Path) -> Result<()> {
    let mut compiled = Vec::new();
    for (number, (label, dialects)) in MATRIX.into_iter().enumerate() {
        let checkout = folder.join(number.to_string());
        fs_err::create_dir_all(&checkout)?;
        let manifest = format!(
            "manifest = 1\n[package]\ndistribution = \"bay\"\nlicense = \"MIT\"\nversion = \"1.0\"\n{label}\
             [llvm]\nversion = \"22\"\ntargets = []\n\
             [contents]\ndialects = [{dialects}]\ntools = [\"opt\"]\n\
             [link]\nminimum-glibc = \"2.17\"\nsort-for-compression = false\n"
        );
        fs_err::write(checkout.join("bay.toml"), manifest)?;
        team.forget()?;
        let arguments = ["--manifest", "bay.toml"];
        let (_, counts) = team.build(&checkout, true, &arguments)?;
        compiled.push(counts.misses);
        let shared = counts.others.is_empty() && (number == 0 || counts.misses == 0);
        counts.show(shared, "bundles of one CI run share all but the links")?;
    }
    console::err(format!(
        "{} bundles of one CI run: {compiled:?} compiled",
        compiled.len()
    ));
    Ok(())
}

/// The counts of an sccache server.
#[derive(Debug, Clone)]
struct Counts {
    hits: u64,
    misses: u64,
    /// Build scripts, procedural macros and programs in Rust, which sccache compiles and does not keep.
    programs: u64,
    /// Compilations that it does not keep for other reasons, and those reasons.
    others: BTreeMap<String, u64>,
}

impl Counts {
    fn show(&self, holds: bool, what: &str) -> Result<()> {
        let what = format!("this does not hold: {what}");
        expect(holds, what, format!("{self:?}"))
    }
}

/// A team whose builds go through one sccache server over a folder.
struct Team<'a> {
    program: &'a Utf8Path,
    launcher: &'a Utf8Path,
    variables: [(&'static str, String); 4],
    /// The cache of a user who has LLVM's packages, and has compiled nothing at first.
    user_cache: Utf8PathBuf,
}

impl<'a> Team<'a> {
    fn start(program: &'a Utf8Path, launcher: &'a Utf8Path, scratch: &Utf8Path) -> Result<Self> {
        let free_port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let new = Self {
            program,
            launcher,
            variables: [
                ("SCCACHE_DIR", scratch.join("compiled").into_string()),
                ("SCCACHE_SERVER_PORT", free_port.to_string()),
                ("SCCACHE_IDLE_TIMEOUT", "600".to_owned()),
                ("SCCACHE_CONF", "/nonexistent".to_owned()),
            ],
            user_cache: scratch.join("user-cache"),
        };
        fs_err::create_dir_all(&new.user_cache)?;
        for entry in cache_dir()?.read_dir_utf8()? {
            let entry = entry?;
            if !COMPILER_RESULTS.contains(&entry.file_name()) {
                symlink(entry.path(), new.user_cache.join(entry.file_name()))?;
            }
        }
        new.sccache(&["--start-server"])?;
        Ok(new)
    }

    fn with_variables(&self, tool: Tool) -> Tool {
        let variables = self.variables.iter();
        variables.fold(tool, |tool, (key, value)| tool.env(key, value))
    }

    fn sccache(&self, arguments: &[&str]) -> Result<String> {
        let sccache = self.with_variables(tool(self.launcher.as_str(), "run sccache"));
        Ok(sccache.args(arguments).output()?.stdout)
    }

    /// Makes the wheel of a checkout, through sccache or without it. Returns the wheel, and what sccache has counted
    /// meanwhile.
    fn build(
        &self,
        checkout: &Utf8Path,
        through: bool,
        arguments: &[&str],
    ) -> Result<(Vec<u8>, Counts)> {
        self.sccache(&["--zero-stats"])?;
        let mut mondo = self.with_variables(tool(self.program.as_str(), "build a wheel"));
        if through {
            mondo = mondo.env("MONDO_CACHE_DIR", &self.user_cache);
        }
        let launcher = if through {
            self.launcher.as_str()
        } else {
            "none"
        };
        mondo
            .args(["bundle", "--quiet", "--compiler-launcher", launcher])
            .args(arguments)
            .cwd(checkout)
            .output()?;
        let wheel = fs_err::read(wheel_in(&checkout.join("dist"))?)?;
        Ok((wheel, self.counts()?))
    }

    /// Takes away what compilers and linkers have made for the user.
    fn forget(&self) -> Result<()> {
        for name in COMPILER_RESULTS {
            fs_err::remove_dir_all(self.user_cache.join(name))?;
        }
        Ok(())
    }

    fn counts(&self) -> Result<Counts> {
        let text = self.sccache(&["--show-stats", "--stats-format", "json"])?;
        let value = json(&text)?;
        let sum = |key: &str| {
            let counts = value["stats"][key]["counts"].as_object();
            counts.map_or(0, |all| {
                all.values().filter_map(serde_json::Value::as_u64).sum()
            })
        };
        let reasons = value["stats"]["not_cached"].as_object();
        let mut others: BTreeMap<String, u64> = reasons
            .into_iter()
            .flatten()
            .filter_map(|(reason, count)| Some((reason.clone(), count.as_u64()?)))
            .collect();
        let all: u64 = others.values().sum();
        let programs = others.remove(PROGRAMS).unwrap_or_default();
        others.retain(|reason, _| !QUESTIONS.contains(&reason.as_str()));
        let is_explained = value["stats"]["requests_not_cacheable"].as_u64() == Some(all);
        let what = "sccache gives reasons for a part of what it does not keep";
        expect(is_explained, what, text)?;
        Ok(Counts {
            hits: sum("cache_hits"),
            misses: sum("cache_misses"),
            programs,
            others,
        })
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        let _ = self.sccache(&["--stop-server"]);
    }
}
