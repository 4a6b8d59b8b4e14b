//! The other readers: the choice of those that can read an image, with their arguments and the parsers of
//! their output.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Arch, Facts, Format, ImageKind};
use mondo_build::exec::Tool;
use mondo_build::toolchain::{self, Toolchain};
use mondo_build::{Error, ErrorKind, Result};

use super::seen::Seen;
use super::{dump_parsers, elf};

/// The programs of the readers. Those of binutils are the system's.
pub(super) struct Readers<'t> {
    /// The folder of LLVM's readers, and the toolchain with their libraries; `None` to use binutils only.
    pub(super) llvm: Option<(Utf8PathBuf, &'t Toolchain)>,
}

type Parse = fn(&str) -> Seen;

impl Readers<'_> {
    /// The facts that each reader reports about the image in `file`, by the reader's name.
    pub(super) fn ask(
        &self,
        facts: &Facts<'_>,
        file: &Utf8Path,
    ) -> Result<Vec<(&'static str, Seen)>> {
        let mut seen = Vec::new();
        for (name, arguments, parse) in self.questions(facts) {
            let tool = if name.starts_with("llvm-") {
                let Some((folder, toolchain)) = &self.llvm else {
                    continue;
                };
                let tool = Tool::new(folder.join(name).as_str(), "read an image");
                toolchain::with_libraries(tool, toolchain)
            } else {
                Tool::new(name, "read an image").installed_by("apt-get install binutils")
            };
            let tool = tool.fails_as(ErrorKind::Check).env("LC_ALL", "C");
            let output = tool.args(arguments).arg(file).output_unchecked()?;
            // nm prints nothing and succeeds for an image without symbols. readelf may print all facts and
            // fail with complaints about the image.
            let is_empty = output.status.success() && output.stderr.contains(": no symbols");
            if output.stdout.trim().is_empty() && !is_empty {
                return Err(Error::new(
                    ErrorKind::Check,
                    format!("{name} reads nothing of an image"),
                )
                .at(facts.name)
                .because(output.stderr));
            }
            seen.push((name, parse(&output.stdout)));
        }
        Ok(seen)
    }

    fn questions(&self, facts: &Facts<'_>) -> Vec<(&'static str, &'static [&'static str], Parse)> {
        // Debian's binutils read ELF files for their own machine, and PE files for the same machine.
        let native = matches!(facts.arch, Arch::X86_64 | Arch::X86);
        if !facts.kind.is_linked() {
            return match (facts.kind, facts.format) {
                (ImageKind::Archive | ImageKind::Object, Format::Elf) if native => vec![
                    ("nm", &["--format=bsd"], elf::archive),
                    ("llvm-nm", &["--format=bsd"], elf::archive),
                ],
                _ => Vec::new(),
            };
        }
        let mut questions: Vec<(_, &'static [_], Parse)> = Vec::new();
        match facts.format {
            Format::Elf => {
                const TABLES: &[&str] = &["--wide", "--dyn-syms", "--dynamic", "--version-info"];
                questions.push(("readelf", TABLES, elf::readelf));
                if native {
                    questions.push(("nm", &["--dynamic", "--format=bsd"], elf::nm));
                    questions.push(("objdump", &["--private-headers"], elf::objdump));
                }
                questions.push((
                    "llvm-readobj",
                    &[
                        "--elf-output-style=GNU",
                        "--wide",
                        "--dyn-syms",
                        "--dynamic-table",
                        "--version-info",
                    ],
                    elf::readelf,
                ));
            }
            Format::MachO => {
                questions.push((
                    "llvm-objdump",
                    &["--macho", "--exports-trie"],
                    dump_parsers::exports_trie,
                ));
                questions.push((
                    "llvm-nm",
                    &["-m", "--undefined-only"],
                    dump_parsers::undefined,
                ));
                questions.push((
                    "llvm-objdump",
                    &["--macho", "--private-headers"],
                    dump_parsers::load_commands,
                ));
            }
            Format::Pe => {
                if native {
                    questions.push(("objdump", &["--private-headers"], dump_parsers::objdump_pe));
                }
                questions.push((
                    "llvm-readobj",
                    &["--file-headers", "--coff-exports", "--coff-imports"],
                    dump_parsers::readobj_pe,
                ));
            }
        }
        questions
    }
}
