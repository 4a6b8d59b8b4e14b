//! The check of a crate's code: what is compiled, what is there already, and what is generated.

use std::collections::BTreeSet;

use camino::{Utf8Component, Utf8PathBuf};
use mondo_core::error::Result;

use super::Placer;
use crate::dialect_crate::file;
use crate::dialect_crate::model::{
    Code, Cpp, Dialect, DialectCrate, Generator, GeneratorRun, Prebuilt, Rust, Tblgen, Tool,
};
use crate::spanned::Spanned;

impl Placer<'_> {
    pub(super) fn code(
        &self,
        name: &Spanned<String>,
        dialects: &[Dialect],
        cpp: Option<Spanned<file::Cpp>>,
        prebuilt: Option<Spanned<file::Prebuilt>>,
        rust: Option<Spanned<file::Rust>>,
    ) -> Result<Code> {
        match (cpp, prebuilt, rust) {
            (Some(cpp), None, None) => self.cpp(cpp.into_inner(), dialects).map(Code::Cpp),
            (None, Some(prebuilt), None) => {
                self.prebuilt(prebuilt.into_inner()).map(Code::Prebuilt)
            }
            (None, None, Some(rust)) => self.rust(rust.into_inner()).map(Code::Rust),
            (None, None, None) => Err(self
                .refuse(name.span(), "the crate has no code")
                .help("add `[cpp]`, `[prebuilt]` or `[rust]`")),
            (cpp, prebuilt, rust) => {
                let last = rust
                    .map(|table| table.span())
                    .or(prebuilt.map(|table| table.span()))
                    .or(cpp.map(|table| table.span()));
                Err(self
                    .refuse(
                        last.unwrap_or_default(),
                        "the crate has more than one of `[cpp]`, `[prebuilt]` and `[rust]`",
                    )
                    .help("create one crate for each, and connect their dialects with `depends`"))
            }
        }
    }

    fn cpp(&self, cpp: file::Cpp, dialects: &[Dialect]) -> Result<Cpp> {
        let include = self.folders("cpp.include", &cpp.include)?;
        Ok(Cpp {
            sources: self.sources("cpp.sources", &cpp.sources)?,
            headers: self.headers("cpp.headers", &cpp.headers, &include)?,
            include,
            options: self.options("cpp", cpp.std, cpp.flags, cpp.defines)?,
            archives: cpp.archives,
            tblgen: self.tblgen(cpp.tblgen_dialect, cpp.tblgen, dialects)?,
        })
    }

    fn prebuilt(&self, prebuilt: file::Prebuilt) -> Result<Prebuilt> {
        let include = self.folders("prebuilt.include", &prebuilt.include)?;
        let whole = self.sources("prebuilt.whole", &prebuilt.whole)?;
        let mut by_need = self.sources("prebuilt.archives", &prebuilt.archives)?;
        by_need.retain(|archive| !whole.contains(archive));
        Ok(Prebuilt {
            headers: self.headers("prebuilt.headers", &prebuilt.headers, &include)?,
            whole,
            by_need,
            include,
            archives: prebuilt.links,
            options: self.options("prebuilt", prebuilt.std, prebuilt.flags, prebuilt.defines)?,
        })
    }

    fn rust(&self, rust: file::Rust) -> Result<Rust> {
        if !self.folder.join("Cargo.toml").is_file() {
            return Err(self
                .refuse(
                    rust.package.span(),
                    format!(
                        "`rust.package` is {:?}, but it has no Cargo.toml",
                        rust.package.get_ref()
                    ),
                )
                .because(format!(
                    "`{}` does not exist",
                    self.folder.join("Cargo.toml")
                )));
        }
        let word = rust.package.get_ref();
        let good = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if word.is_empty() || !word.bytes().all(good) {
            return Err(self.refuse(
                rust.package.span(),
                format!("invalid `rust.package`: {word:?}"),
            ));
        }
        Ok(Rust {
            package: rust.package,
        })
    }

    fn tblgen(
        &self,
        dialects: Vec<file::TblgenDialect>,
        runs: Vec<file::Tblgen>,
        owned: &[Dialect],
    ) -> Result<Vec<Tblgen>> {
        let mut checked = Vec::new();
        for one in dialects {
            checked.extend(self.tblgen_dialect(&one, owned)?);
        }
        for run in runs {
            checked.push(Tblgen {
                tool: run.tool,
                from: self.file("cpp.tblgen.from", &run.from)?,
                to: self.generated("cpp.tblgen.to", &run.to)?,
                args: run.args,
            });
        }
        Ok(checked)
    }

    /// The runs that a dialect's files take.
    fn tblgen_dialect(&self, one: &file::TblgenDialect, owned: &[Dialect]) -> Result<Vec<Tblgen>> {
        let from = self.file("cpp.tblgen-dialect.td", &one.td)?;
        self.generated("cpp.tblgen-dialect.prefix", &one.prefix)?;
        let dialect = match (&one.dialect, owned) {
            (Some(dialect), _) => dialect.get_ref(),
            (None, [dialect]) => dialect.name.get_ref(),
            (None, _) => {
                return Err(self
                    .refuse(one.td.span(), "`cpp.tblgen-dialect` has no `dialect`")
                    .because(format!("the crate has {} dialects", owned.len()))
                    .help("add `dialect = \"…\"`"));
            }
        };
        let mut runs = Vec::new();
        for (end, what) in [("h", "decls"), ("cpp", "defs")] {
            let mut add = |part: &str, generator: &str, only: &[String]| {
                let to = format!("{}{part}.{end}.inc", one.prefix.get_ref());
                let mut args = vec![format!("-gen-{generator}-{what}")];
                args.extend_from_slice(only);
                runs.push(Tblgen {
                    tool: Tool::MlirTblgen,
                    from: from.clone(),
                    to: Spanned::new(one.prefix.span(), to.into()),
                    args,
                });
            };
            add("Dialect", "dialect", &[format!("-dialect={dialect}")]);
            add(
                "Types",
                "typedef",
                &[format!("-typedefs-dialect={dialect}")],
            );
            add(
                "Attributes",
                "attrdef",
                &[format!("-attrdefs-dialect={dialect}")],
            );
            add("Enums", "enum", &[]);
            add("Ops", "op", &[]);
        }
        Ok(runs)
    }

    /// A path below the folder of generated files.
    fn generated(&self, key: &str, word: &Spanned<String>) -> Result<Spanned<Utf8PathBuf>> {
        let path = Utf8PathBuf::from(word.get_ref());
        let plain = path
            .components()
            .all(|part| matches!(part, Utf8Component::Normal(_)));
        if plain && !path.as_str().is_empty() {
            return Ok(Spanned::new(word.span(), path));
        }
        Err(self
            .refuse(word.span(), format!("invalid `{key}`: {:?}", path.as_str()))
            .because("it must be a path inside the folder of generated files"))
    }

    pub(super) fn generators(&self, generators: Vec<file::Generator>) -> Result<Vec<Generator>> {
        let mut checked: Vec<Generator> = Vec::new();
        for one in generators {
            let (word, span) = (one.name.get_ref(), one.name.span());
            let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if word.is_empty() || !word.chars().all(good) {
                return Err(self
                    .refuse(span, format!("invalid `generator.name`: {word:?}"))
                    .because("a program's name has letters, digits, `-` and `_`"));
            }
            if checked.iter().any(|other| other.name.get_ref() == word) {
                return Err(self.refuse(span, format!("two generators are named `{word}`")));
            }
            if one.runs.is_empty() {
                return Err(self
                    .refuse(span, format!("the generator `{word}` has no runs"))
                    .help("add `[[generator.run]]` with `args`, `inputs` and `outputs`"));
            }
            let runs = one.runs.into_iter().map(|run| self.generator_run(run));
            checked.push(Generator {
                sources: self.sources("generator.sources", &one.sources)?,
                archives: one.archives,
                options: self.options("generator", one.std, one.flags, one.defines)?,
                runs: runs.collect::<Result<_>>()?,
                name: one.name,
            });
        }
        Ok(checked)
    }

    fn generator_run(&self, run: file::GeneratorRun) -> Result<GeneratorRun> {
        let outputs = run.outputs.iter();
        let outputs = outputs.map(|output| self.generated("generator.run.outputs", output));
        Ok(GeneratorRun {
            args: run.args,
            inputs: self.sources("generator.run.inputs", &run.inputs)?,
            outputs: outputs.collect::<Result<_>>()?,
        })
    }

    /// Checks that no two entries generate the same file.
    pub(super) fn generated_names(&self, one: &DialectCrate) -> Result<()> {
        let of_tblgen = match &one.code {
            Code::Cpp(cpp) => cpp.tblgen.as_slice(),
            Code::Prebuilt(_) | Code::Rust(_) => &[],
        };
        let of_tblgen = of_tblgen.iter().map(|run| ("cpp.tblgen.to", &run.to));
        let runs = one.generators.iter().flat_map(|generator| &generator.runs);
        let of_generators = runs.flat_map(|run| &run.outputs);
        let of_generators = of_generators.map(|to| ("generator.run.outputs", to));
        let mut seen = BTreeSet::new();
        for (key, to) in of_tblgen.chain(of_generators) {
            let path = to.get_ref();
            if !seen.insert(path) {
                return Err(self.refuse(to.span(), format!("`{key}` lists `{path}` twice")));
            }
        }
        Ok(())
    }
}
