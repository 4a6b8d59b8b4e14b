//! Generators of dialect crates: programs that are compiled and linked for this machine, and run before
//! the crate's own code is compiled. A run is left out while neither the program, its arguments nor a
//! declared input has changed.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_plan::dialect_crate::{DialectCrate, Generator, GeneratorRun};
use mondo_plan::document::suggest;
use mondo_toolchain::Toolchain;

use crate::cpp::{Compiler, FOR_LLVM, Sources};
use crate::llvm_archives;

/// A crate's generators, and where they work.
#[derive(Clone, Copy)]
pub(super) struct Generators<'a> {
    pub(super) of: &'a DialectCrate,
    /// Include folders of the crate, with that of generated files.
    pub(super) include: &'a [Utf8PathBuf],
    /// Include folders of the crates that come before this one in the plan.
    pub(super) others: &'a [Utf8PathBuf],
    /// The folder of generated files.
    pub(super) generated: &'a Utf8Path,
    /// The crate's work folder.
    pub(super) folder: &'a Utf8Path,
    pub(super) compiler: Compiler<'a>,
}

impl Generators<'_> {
    /// Makes the programs and runs them.
    pub(super) fn run(self) -> Result<()> {
        for generator in &self.of.generators {
            let program = self.program(generator)?;
            for (index, run) in generator.runs.iter().enumerate() {
                self.run_one(generator, &program, index, run)?;
            }
        }
        Ok(())
    }

    fn program(self, generator: &Generator) -> Result<Utf8PathBuf> {
        let (crate_name, name) = (self.of.name.get_ref(), generator.name.get_ref());
        let folder = self.folder.join("generators").join(name);
        let mut flags: Vec<String> = FOR_LLVM.iter().map(ToString::to_string).collect();
        flags.extend(generator.options.arguments());
        let objects = self.compiler.compile(&[Sources {
            owner: format!("the generator `{name}` of the dialect crate `{crate_name}`"),
            files: &generator.sources,
            root: (&self.of.folder, crate_name),
            include: self.include.to_vec(),
            system_include: self.others.to_vec(),
            flags,
            objects: folder.join("objects"),
        }])?;
        let archives = self.archives(generator)?;
        let program = folder.join(name);
        let mut inputs = BTreeMap::new();
        for path in objects.iter().flatten() {
            inputs.insert(path.to_string(), digest::of_path(path)?);
        }
        for path in &archives {
            let metadata = fs_err::metadata(path)?;
            inputs.insert(
                path.to_string(),
                format!("{} {:?}", metadata.len(), metadata.modified()?),
            );
        }
        let link = Tool::new(
            &self.compiler.linker.cxx,
            format!("link the generator {name}"),
        )
        .fails_as(ErrorKind::Compile)
        .installed_by("apt-get install g++")
        .args(objects.iter().flatten())
        .arg("-Wl,--start-group")
        .args(&archives)
        .arg("-Wl,--end-group")
        .args(["-pthread", "-ldl", "-lm", "-o", program.as_str()]);
        let record = Record {
            path: folder.join("linked"),
            text: format!("{}\n{inputs:?}", link.command_line()),
        };
        if !record.is_fresh([&program]) {
            link.output()?;
            record.write()?;
        }
        Ok(program)
    }

    /// The archives that the generator is linked from: LLVM's by name, others by path, and those that LLVM's archives
    /// depend on.
    fn archives(self, generator: &Generator) -> Result<Vec<Utf8PathBuf>> {
        let toolchain: &Toolchain = self.compiler.toolchain;
        let present = llvm_archives::archives_in(&toolchain.prefix.join("lib"))?;
        let mut found = Vec::new();
        for name in &generator.archives {
            let word = name.get_ref();
            let path = self.of.folder.join(word);
            match present.get(word) {
                Some(path) => found.push(path.clone()),
                None if path.is_file() => found.push(path),
                None => {
                    let what = format!(
                        "the dialect crate `{}`: `generator.archives` names `{word}`, which \
                         does not exist",
                        self.of.name.get_ref()
                    );
                    return Err(self
                        .of
                        .error(ErrorKind::Archive, name.span(), what)
                        .because(format!(
                            "it is neither an archive of this LLVM nor the file {path}"
                        ))
                        .help(suggest(word, present.keys().map(String::as_str))));
                }
            }
        }
        if !found.is_empty() {
            let native = llvm_archives::native(toolchain);
            found.extend(native.into_iter().map(|(_, path)| path));
        }
        Ok(found)
    }

    fn run_one(
        self,
        generator: &Generator,
        program: &Utf8Path,
        index: usize,
        run: &GeneratorRun,
    ) -> Result<()> {
        let name = generator.name.get_ref();
        let outputs: Vec<Utf8PathBuf> = run
            .outputs
            .iter()
            .map(|to| self.generated.join(to.get_ref()))
            .collect();
        let upstream = self.compiler.toolchain.prefix.join("include");
        let folders = self.include.iter().chain(self.others).chain([&upstream]);
        let include: Vec<String> = folders
            .flat_map(|dir| ["-I".into(), dir.to_string()])
            .collect();
        let arguments = run.args.iter().flat_map(|word| {
            if word == "{include}" {
                return include.clone();
            }
            vec![word.replace("{out}", self.generated.as_str())]
        });
        let tool = Tool::new(program.as_str(), format!("run the generator {name}"))
            .fails_as(ErrorKind::Compile)
            .cwd(&self.of.folder)
            .args(arguments);
        let tool = mondo_toolchain::with_libraries(tool, self.compiler.toolchain);
        let mut inputs = BTreeMap::new();
        for path in run.inputs.iter().map(Utf8PathBuf::as_path).chain([program]) {
            inputs.insert(path.to_string(), digest::of_path(path)?);
        }
        let record = Record {
            path: self
                .folder
                .join("generators")
                .join(name)
                .join(format!("run-{index}")),
            text: format!("{}\n{inputs:?}", tool.command_line()),
        };
        if record.is_fresh(&outputs) {
            return Ok(());
        }
        for output in &outputs {
            fs_err::create_dir_all(output.parent().unwrap_or(self.generated))?;
            if output.is_file() {
                fs_err::remove_file(output)?;
            }
        }
        tool.output()?;
        if let Some(missing) = run
            .outputs
            .iter()
            .zip(&outputs)
            .find(|(_, path)| !path.is_file())
        {
            let what = format!(
                "the dialect crate `{}`: the generator `{name}` did not write `{}`",
                self.of.name.get_ref(),
                missing.0.get_ref()
            );
            let error: Error = self.of.error(ErrorKind::Compile, missing.0.span(), what);
            return Err(error
                .because(format!(
                    "{} does not exist after the generator ran",
                    missing.1
                ))
                .help(
                    "write to `{out}`, which mondo replaces by the folder of generated files \
                     in the arguments",
                ));
        }
        record.write()
    }
}

/// The command and inputs of a finished step.
struct Record {
    path: Utf8PathBuf,
    text: String,
}

impl Record {
    fn is_fresh<'a>(&self, outputs: impl IntoIterator<Item = &'a Utf8PathBuf>) -> bool {
        let same = fs_err::read_to_string(&self.path).is_ok_and(|text| text == self.text);
        same && outputs.into_iter().all(|path| path.is_file())
    }

    fn write(&self) -> Result<()> {
        replace(&self.path, self.text.as_bytes())
    }
}
