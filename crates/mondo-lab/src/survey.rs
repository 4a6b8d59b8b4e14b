//! `cargo lab survey`: what the audit says of other people's wheels, as pages in docs/audit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::Utf8PathBuf;
use mondo::console;
use mondo_audit::{Audit, Finding, ImageSummary, RuleId, Severity, reference};
use mondo_build::{Error, ErrorKind, Result, audit};
use mondo_testbed::files::wheel_in;
use mondo_testbed::{Context, Venv};
use serde::Deserialize;

/// A wheel of the list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    name: String,
    version: String,
    platform: String,
    python: String,
}

impl Wanted {
    /// The project's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What tables call it.
    pub(crate) fn title(&self) -> String {
        format!("{} {}, {}", self.name, self.version, self.platform)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    wheel: Vec<Wanted>,
}

/// Gets the listed wheels, those that are not there yet, one after the other.
pub(crate) fn fetch(context: &Context<'_>) -> Result<Vec<(Wanted, Utf8PathBuf)>> {
    let list = context.workspace.join("docs/audit/wheels.toml");
    let list: List = toml::from_str(&fs_err::read_to_string(&list)?).map_err(|error| {
        Error::new(ErrorKind::Check, "the list of wheels cannot be read")
            .at(&list)
            .because(error.to_string())
    })?;
    let tools = Venv::tools(context)?;
    let mut found = Vec::new();
    for wanted in list.wheel {
        let Wanted {
            name,
            version,
            platform,
            python,
        } = &wanted;
        let folder = context.scratch().join("survey");
        let folder = folder.join(format!("{name}-{version}-{platform}"));
        if wheel_in(&folder)?.is_none() {
            context
                .sink
                .note(&format!("getting {name} {version} for {platform}"));
            tools
                .python("download a wheel")
                .fails_as(ErrorKind::Network)
                .args(["-m", "pip", "download", "--quiet", "--no-deps"])
                .args(["--only-binary", ":all:", "--python-version", python])
                .args(["--platform", platform, "--dest", folder.as_str()])
                .arg(format!("{name}=={version}"))
                .output()?;
        }
        let wheel = wheel_in(&folder)?.ok_or_else(|| {
            Error::new(ErrorKind::Network, format!("pip left no wheel of {name}")).at(&folder)
        })?;
        found.push((wanted, wheel));
    }
    Ok(found)
}

/// Audits the listed wheels and writes a page for each of them, and one for all.
pub(crate) fn run(context: &Context<'_>) -> Result<()> {
    let folder = context.workspace.join("docs/audit");
    let mut index = "# What the audit says of other people's wheels\n\n\
                     Made by `cargo lab survey` from wheels.toml. No policy, no expectations: a \
                     generic audit of each wheel by itself. Names too many are exports that no C API has, and \
                     those of an extension beside its PyInit function. What other tools say of the same \
                     wheels is in differential.md, how long it takes is measured by `cargo lab bench \
                     audit`.\n\n\
                     | wheel | images | bytes | exports | names too many | UNIQUE | TypeIDs | \
                     glibc | errors | warnings | notes |\n|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|\n"
        .to_owned();
    for (wanted, path) in fetch(context)? {
        let Wanted {
            name,
            version,
            platform,
            ..
        } = &wanted;
        let audits = audit::files(std::slice::from_ref(&path))?;
        let Some(audit) = audits.first() else {
            continue;
        };
        let title = format!("{name} {version}, {platform}");
        let file = format!("{name}-{platform}.md");
        fs_err::write(folder.join(&file), page(&title, audit))?;
        let sum = |number: fn(&ImageSummary) -> u64| audit.images.iter().map(number).sum::<u64>();
        // Writing to a String cannot fail.
        let _ = writeln!(
            index,
            "| [{title}]({file}) | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            audit.images.len(),
            sum(|image| image.file_size),
            sum(|image| image.exports as u64),
            offenders(audit, RuleId::Exports, None),
            offenders(audit, RuleId::Unique, None),
            offenders(audit, RuleId::TypeId, None),
            glibc(audit),
            audit.count(Severity::Error),
            audit.count(Severity::Warning),
            audit.count(Severity::Info),
        );
        console::out(format!("docs/audit/{file}"));
    }
    index.push_str(
        "\n## What each rule applies to\n\nEach of these is shown by a file that breaks it and one that \
         does not, which the tests link or pack (`crates/mondo-audit/tests/fixtures`). \
         `mondo audit --explain RULE` has a page for each.\n\n",
    );
    index.push_str(&reference::table());
    fs_err::write(folder.join("README.md"), index)?;
    Ok(())
}

/// How many things a rule found, in one image or in all.
fn offenders(audit: &Audit, rule: RuleId, image: Option<&str>) -> usize {
    let findings = audit.findings.iter();
    findings
        .filter(|finding| finding.rule == rule && finding.severity != Severity::Info)
        .filter(|finding| image.is_none_or(|image| finding.image == image))
        .map(|finding| finding.offenders.len())
        .sum()
}

fn glibc(audit: &Audit) -> String {
    let floor = audit.floor().glibc();
    floor.map_or_else(String::new, |(major, minor)| format!("{major}.{minor}"))
}

fn page(title: &str, audit: &Audit) -> String {
    let mut text = format!(
        "# {title}\n\n{}\n\n## Images\n\n\
         | image | bytes | exports | imports | names too many | UNIQUE | TypeIDs | floor | RPATH | \
         hardening | symbols |\n|---|--:|--:|--:|--:|--:|--:|---|---|---|---|\n",
        audit.subject.as_deref().unwrap_or_default()
    );
    for image in &audit.images {
        let named = |rules: &[RuleId]| -> String {
            let found = audit.findings.iter().filter(|finding| {
                finding.image == image.name
                    && finding.severity != Severity::Info
                    && rules.contains(&finding.rule)
            });
            let names: Vec<&str> = found.map(|finding| finding.rule.name()).collect();
            names.join(", ")
        };
        let floor = image.floor.held.iter();
        let floor: Vec<String> = floor
            .map(|(family, held)| format!("{}_{}", family.prefix(), held.version))
            .collect();
        let count = |rule| offenders(audit, rule, Some(&image.name));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            image.name,
            image.file_size,
            image.exports,
            image.imports,
            count(RuleId::Exports),
            count(RuleId::Unique),
            count(RuleId::TypeId),
            floor.join(", "),
            named(&[RuleId::Runpath]),
            named(&[
                RuleId::Textrel,
                RuleId::Relro,
                RuleId::BindNow,
                RuleId::Stack,
                RuleId::BuildId,
                RuleId::Aslr,
                RuleId::Signature,
            ]),
            if image.stripped { "stripped" } else { "" },
        );
    }
    text.push_str(
        "\n## Findings\n\n| severity | rule | what | where | for example |\n|---|---|---|---|---|\n",
    );
    let mut alike: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in &audit.findings {
        let key = (finding.severity, finding.rule, &finding.what);
        alike.entry(key).or_default().push(finding);
    }
    for ((severity, rule, what), findings) in alike {
        let place = match findings[..] {
            [one] => one.image.clone(),
            _ => format!("{} and {} more", findings[0].image, findings.len() - 1),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {place} | {} |",
            severity.name(),
            rule.name(),
            plain(what),
            example(findings[0]),
        );
    }
    text
}

/// The first offenders. Paths of other people's build machines are theirs to publish.
fn example(finding: &Finding) -> String {
    if finding.rule == RuleId::BuildPath {
        return String::new();
    }
    let offenders = finding.offenders.iter().take(EXAMPLES);
    let shown: Vec<String> = offenders
        .map(|offender| {
            let name: String = offender.name.chars().take(LONGEST).collect();
            match offender.note.as_str() {
                "" => format!("`{name}`"),
                note => format!("`{name}` ({note})"),
            }
        })
        .collect();
    plain(&shown.join(", "))
}

/// How many offenders are shown, and how much of a name.
const EXAMPLES: usize = 2;
const LONGEST: usize = 60;

/// Text that does not end a column.
fn plain(text: &str) -> String {
    text.replace('|', "\\|")
}
