//! The comparison with two tools for wheels: auditwheel's platform tag, and abi3audit's names outside of the
//! stable ABI.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Arch, Format, Input, Policy, Role, RuleId, Wheel, is_image, read_image};
use mondo_build::{Error, ErrorKind, Result, audit, collect, digest};
use mondo_testbed::{Context, Venv};
use serde::Deserialize;

use super::compared::{Compared, LARGEST, add, unreadable};
use super::seen::Aspect;
use crate::folders;

/// The CPython with whose stable ABI extensions are compared, although most are not made for the stable ABI.
/// All listed wheels are for this version.
const ABI3: (u32, u32) = (3, 11);

/// The two tools, and the cache of their outputs, because they take minutes for a large wheel.
pub(super) struct Peers {
    pub(super) auditwheel: Venv,
    abi3audit: Venv,
    answers: Utf8PathBuf,
}

impl Peers {
    pub(super) fn new(context: &Context<'_>) -> Result<Self> {
        let list = folders::data(context, "tools.txt");
        Ok(Self {
            auditwheel: Venv::tools(context)?,
            abi3audit: Venv::kept(context, "audit-tools", &list)?,
            answers: context.scratch().join("differential"),
        })
    }

    /// The output of a tool of this environment, from the cache if it has one for the key `of` and the tool's
    /// version.
    fn answer(
        &self,
        tools: &Venv,
        of: &str,
        ask: impl FnOnce() -> Result<String>,
    ) -> Result<String> {
        let key = digest::short(format!(
            "{}\n{of}",
            tools.dir.file_name().unwrap_or_default()
        ));
        let file = self.answers.join(key);
        if file.exists() {
            return Ok(fs_err::read_to_string(file)?);
        }
        let text = ask()?;
        fs_err::create_dir_all(&self.answers)?;
        fs_err::write(file, &text)?;
        Ok(text)
    }

    /// Adds the differences between the two tools and the audit of a wheel.
    pub(super) fn compare(&self, path: &Utf8Path, compared: &mut Compared) -> Result<()> {
        if path.as_str().contains("linux") {
            let ours = platform_tag(path)?;
            let theirs = self.shown(path)?;
            let (ours, theirs) = (BTreeSet::from([ours]), BTreeSet::from([theirs]));
            add(
                compared,
                "auditwheel",
                Aspect::Tag,
                String::new(),
                ours,
                theirs,
            );
        }
        self.stable_abi(path, compared)
    }

    /// The platform tag that `auditwheel show` prints for a wheel.
    fn shown(&self, path: &Utf8Path) -> Result<String> {
        let key = format!("auditwheel {}", digest::of_file(path)?);
        let output = self.answer(&self.auditwheel, &key, || {
            let tool = self.auditwheel.python("run auditwheel");
            let output = tool.args(["-m", "auditwheel", "show"]).arg(path).output()?;
            Ok(output.stdout)
        })?;
        // The tag is the first text in quotes, in which auditwheel may have inserted line breaks.
        let tag = output
            .split('"')
            .nth(1)
            .map(|tag| tag.split_whitespace().collect());
        tag.ok_or_else(|| Error::new(ErrorKind::Check, "auditwheel shows no tag").because(&output))
    }

    /// Compares the extensions of a wheel as if they were for the stable ABI.
    fn stable_abi(&self, path: &Utf8Path, compared: &mut Compared) -> Result<()> {
        let bytes = collect::map(path)?;
        let wheel = Wheel::read(path.file_name().unwrap_or_default(), &bytes, LARGEST)
            .map_err(unreadable)?;
        let scratch = tempfile::tempdir()?;
        let folder = Utf8Path::from_path(scratch.path())
            .ok_or_else(|| Error::new(ErrorKind::Io, "the temporary folder is not UTF-8"))?;
        let mut images: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
        for entry in &wheel.entries {
            let contents = wheel.contents(entry).map_err(unreadable)?;
            if !is_image(&entry.name, &contents) {
                continue;
            }
            let Ok(facts) = read_image(&entry.name, &contents) else {
                continue;
            };
            let extension = matches!(Role::guess(&facts), Role::Extension { .. });
            if !extension || !facts.kind.is_linked() {
                continue;
            }
            // abi3audit recognises an extension for the stable ABI by its file name alone.
            let suffix = if facts.format == Format::Pe {
                "pyd"
            } else {
                "abi3.so"
            };
            let file = format!("m{}.{suffix}", images.len());
            fs_err::write(folder.join(&file), &contents)?;
            images.insert(file, (entry.name.clone(), outside(&entry.name, &contents)?));
        }
        if images.is_empty() {
            return Ok(());
        }
        let minimum = format!("{}.{}", ABI3.0, ABI3.1);
        let key = format!("abi3audit {minimum} {}", digest::of_file(path)?);
        let output = self.answer(&self.abi3audit, &key, || {
            let tool = self.abi3audit.python("run abi3audit").cwd(folder);
            let asked = ["-m", "abi3audit", "--strict", "--report"];
            let tool = tool.args(asked).args(["--assume-minimum-abi3", &minimum]);
            // abi3audit exits with another code than 0 if it has findings, so that the code is ignored.
            let output = tool.args(images.keys()).output_unchecked()?;
            if output.stdout.trim().is_empty() {
                let error = Error::new(ErrorKind::Check, "abi3audit reports nothing");
                return Err(error.because(output.stderr));
            }
            Ok(output.stdout)
        })?;
        let report: Report = serde_json::from_str(&output).map_err(|error| {
            Error::new(ErrorKind::Check, "abi3audit's report cannot be read")
                .because(error.to_string())
        })?;
        for (file, (name, ours)) in images {
            let Some(Spec::Object { object }) = report.specs.get(&file) else {
                let what = format!("abi3audit says nothing of {name}");
                return Err(Error::new(ErrorKind::Check, what));
            };
            let theirs = object.result.names();
            add(compared, "abi3audit", Aspect::StableAbi, name, ours, theirs);
        }
        Ok(())
    }
}

/// The platform tag that mondo-audit computes.
fn platform_tag(path: &Utf8Path) -> Result<String> {
    let audits = audit::files(&[path.to_owned()])?;
    let images = || audits.iter().flat_map(|audit| &audit.images);
    let arch = images()
        .find(|image| image.kind.is_linked())
        .map(|image| image.arch);
    let minimum = audits
        .first()
        .map(mondo_audit::Audit::minimum_versions)
        .unwrap_or_default();
    Ok(minimum
        .platform_tag(arch.unwrap_or(Arch::Other(0)))
        .unwrap_or_default())
}

/// The names outside of the stable ABI that mondo-audit finds.
fn outside(name: &str, bytes: &[u8]) -> Result<BTreeSet<String>> {
    let policy = Policy {
        abi3: Some(ABI3),
        ..Policy::default()
    };
    let audit = mondo_audit::audit(&[Input { name, bytes }], &policy).map_err(unreadable)?;
    let findings = audit.findings.into_iter();
    let ours = findings.filter(|one| one.rule == RuleId::Abi3 && one.what.starts_with("uses"));
    Ok(ours
        .flat_map(|one| one.details)
        .map(|detail| detail.name)
        .collect())
}

#[derive(Deserialize)]
struct Report {
    specs: BTreeMap<String, Spec>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Spec {
    Object { object: Judged },
    Other {},
}

#[derive(Deserialize)]
struct Judged {
    result: Judgement,
}

#[derive(Deserialize)]
struct Judgement {
    #[serde(default)]
    non_abi3_symbols: BTreeSet<String>,
    #[serde(default)]
    future_abi3_objects: BTreeMap<String, serde::de::IgnoredAny>,
}

impl Judgement {
    fn names(&self) -> BTreeSet<String> {
        let future = self.future_abi3_objects.keys();
        self.non_abi3_symbols
            .iter()
            .chain(future)
            .cloned()
            .collect()
    }
}
