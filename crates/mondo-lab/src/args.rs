//! The command line of `cargo lab`.

use camino::Utf8PathBuf;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::fuzz::Target;

/// Research on bundles: comparisons, surveys, other distributions, benchmarks and fuzzing.
#[derive(Debug, Parser)]
#[command(
    name = "cargo lab",
    bin_name = "cargo lab",
    version,
    propagate_version = true
)]
#[command(after_help = format!("{}\n\nExample: cargo lab survey", mondo::EXIT_CODES))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: mondo::Output,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Audit the wheels of data/wheels.toml: pages in target/mondo/survey, the table in docs/measurements.
    #[command(after_help = "Example: cargo lab survey")]
    Survey,
    /// Compare the audit's facts of wheels with binutils; any difference is an error.
    #[command(after_help = "Example: cargo lab agrees dist/mondo_mlir-22.1.8-*.whl")]
    Agrees(AgreesArgs),
    /// Load our wheels and other people's beside each other; write docs/measurements/coexistence.md.
    #[command(after_help = "Example: cargo lab coexist")]
    Coexist,
    /// Compare our package with upstream's: names, programs and probes, or those that are named.
    #[command(after_help = "Example: cargo lab api-diff --probes")]
    ApiDiff(ApiDiffArgs),
    /// Run programs over other people's packages with upstream's package and with ours.
    #[command(after_help = "Example: cargo lab clients")]
    Clients,
    /// Run the suites in other releases of the distribution; write pythons.md and glibc.md of
    /// docs/measurements.
    #[command(after_help = "Example: cargo lab distributions --python 3.14")]
    Distributions(DistributionsArgs),
    /// Use the page of `mondo size --html` in Chromium: light and dark, wide and on a phone.
    #[command(after_help = "Example: cargo lab page dist/mondo_mlir-22.1.8-*.whl")]
    Page(PageArgs),
    /// Run upstream's own Python tests over a bundle's wheel.
    #[command(
        after_help = "Example: cargo lab conformance --llvm-src ~/llvm-toolchain-22-22.1.8 ir/"
    )]
    Conformance(ConformanceArgs),
    /// Run inputs that libFuzzer makes up against the readers of mondo-audit.
    #[command(after_help = "Example: cargo lab fuzz elf wheel --seconds 600")]
    Fuzz(FuzzArgs),
    /// Read damaged bytecode and made-up texts with a bundle's MLIR, under an allocator with red zones.
    #[command(after_help = "Example: cargo lab damage --inputs 1000000")]
    Damage(DamageArgs),
    /// Measure, and print ratios against the peer that each benchmark names.
    #[command(after_help = "Example: cargo lab bench bundle")]
    Bench(BenchArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ApiDiffArgs {
    /// Compare names and signatures.
    #[arg(long)]
    pub(crate) names: bool,
    /// Compare what the programs of `tests/api_diff/notebooks` do.
    #[arg(long)]
    pub(crate) programs: bool,
    /// Compare some fifteen thousand calls.
    #[arg(long)]
    pub(crate) probes: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AgreesArgs {
    /// The wheels, which are for this machine.
    #[arg(required = true)]
    pub(crate) wheels: Vec<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PageArgs {
    /// The wheel whose sizes the page shows: one of ours, with `libMLIRIR.a` in it.
    pub(crate) wheel: Utf8PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DistributionsArgs {
    /// Download and unpack the releases again: they move on.
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Only this Python, once for each. The pages are written once each Python has results of the wheel.
    #[arg(long, value_name = "VERSION")]
    pub(crate) python: Vec<String>,
    /// Only parse, run passes and print under each Python with this wheel of the default manifest, and
    /// write no page.
    #[arg(long, value_name = "WHEEL", conflicts_with_all = ["fresh", "python"])]
    pub(crate) smoke: Option<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConformanceArgs {
    /// LLVM's source folder, which holds mlir/test/python. Without it: how to get one.
    #[arg(long)]
    pub(crate) llvm_src: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) manifest: mondo::ManifestArg,
    /// This wheel of that manifest, instead of making it.
    #[arg(long)]
    pub(crate) wheel: Option<Utf8PathBuf>,
    /// The tests of upstream's tools instead, over the commands of a bundle that has them, for instance
    /// that of manifests/default-tools.toml.
    #[arg(long)]
    pub(crate) tools: bool,
    /// The test over the dialect of mlir/test/python/lib instead, with a bundle of that dialect and its
    /// C++ extension, which are compiled for it.
    #[arg(long, conflicts_with_all = ["tools", "wheel", "manifest", "pattern"])]
    pub(crate) test_dialect: bool,
    /// With `--tools`: the programs of this folder instead of the bundle's, for comparison.
    #[arg(long, value_name = "DIR", requires = "tools", conflicts_with = "wheel")]
    pub(crate) programs: Option<Utf8PathBuf>,
    /// Only the tests whose path below mlir/test/python (with `--tools`: below mlir/test) has this in it.
    pub(crate) pattern: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FuzzArgs {
    /// Only these targets, in this order; all without any.
    pub(crate) targets: Vec<Target>,
    /// Seconds that each of them runs.
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u32,
    /// Begin with the seeds alone, and do not keep what is found for the next run.
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DamageArgs {
    /// The number of inputs of each kind.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) inputs: u64,
    /// The number that the inputs follow from.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// A wheel, instead of that of manifests/core.toml, or of manifests/default.toml for `--upstream`.
    #[arg(long)]
    pub(crate) wheel: Option<Utf8PathBuf>,
    /// Find inputs that end the process with the wheel and not with upstream's package. The folder, LLVM's
    /// `mlir/test` for instance, has the texts that are changed.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) upstream: Option<Utf8PathBuf>,
    /// For `--upstream`: the folder for findings and progress, from which another run continues.
    #[arg(long, requires = "upstream")]
    pub(crate) out: Option<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// The subject of the measurement.
    #[arg(value_enum)]
    pub(crate) what: Bench,
    /// For `audit`: these wheels, instead of those of data/wheels.toml.
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// For `bindings`: count instructions with valgrind, too.
    #[arg(long)]
    pub(crate) instructions: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// The audit of wheels against `auditwheel show`.
    Audit,
    /// Link, rebuild and audit times against the bare linker command.
    Bundle,
    /// Time and memory of importing, by manifest, beside other people's packages; writes
    /// docs/measurements/import.md.
    Import,
    /// The Python layer against upstream's bindings of the same LLVM.
    Bindings,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clap_accepts_the_command_line() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_of_each_command_has_an_example() {
        for command in Args::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            let example = format!("Example: cargo lab {}", command.get_name());
            assert!(help.unwrap_or_default().contains(&example), "{command}");
        }
    }

    /// Each command `cargo lab …` on a page, in inline code or as a line of a code block.
    fn lines(page: &str) -> impl Iterator<Item = &str> {
        page.match_indices("cargo lab ").map(|(at, _)| {
            let end = if page[..at].ends_with('`') { '`' } else { '\n' };
            let line = page[at..].split(end).next().unwrap_or_default();
            line.split(" #").next().unwrap_or(line)
        })
    }

    /// The reason why the command line does not accept the command or options of `line`, if it does not.
    fn unknown(line: &str) -> Option<String> {
        let mut root = Args::command();
        root.build();
        let mut words = line.split(|each: char| each.is_whitespace() || "[]|…".contains(each));
        let name = words.nth(2).unwrap_or_default();
        let Some(command) = root.find_subcommand(name) else {
            return Some(format!("{line}: no command {name}"));
        };
        let known = |flag: &str| {
            let mut arguments = command.get_arguments();
            arguments.any(|known| known.get_long() == Some(flag))
        };
        let mut flags = words.filter_map(|word| word.strip_prefix("--"));
        let flag = flags.find(|flag| !known(flag))?;
        Some(format!("{line}: no --{flag}"))
    }

    #[test]
    fn the_pages_name_commands_that_exist() {
        let root = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut folders = vec![root.join("docs")];
        let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir_utf8().expect("a folder") {
                let path = entry.expect("an entry").into_path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension() == Some("md") {
                    pages.push(path);
                }
            }
        }
        let texts = pages
            .iter()
            .map(|page| fs_err::read_to_string(page).expect("a page"));
        let text: String = texts.collect();
        assert!(lines(&text).count() > 5, "the pages name few commands");
        let wrong: Vec<String> = lines(&text).filter_map(unknown).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let wrong: Vec<String> = lines("`cargo lab suvrey`\ncargo lab fuzz --slow # x\n")
            .filter_map(unknown)
            .collect();
        assert_eq!(
            wrong,
            [
                "cargo lab suvrey: no command suvrey",
                "cargo lab fuzz --slow: no --slow"
            ]
        );
    }
}
