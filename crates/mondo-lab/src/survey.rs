//! `cargo lab survey`: audits other people's wheels. Writes the table to docs/measurements/wheels.md, and a
//! page for each wheel with all findings to target/mondo/survey.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::Utf8PathBuf;
use mondo::console;
use mondo_audit::{Audit, Finding, ImageSummary, RuleId, Severity};
use mondo_build::{Error, ErrorKind, Result, audit, bundle};
use mondo_testbed::files::wheel_in;
use mondo_testbed::{Context, Venv};
use serde::Deserialize;

use crate::folders::{self, write_measurement};

/// A wheel of data/wheels.toml.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    name: String,
    version: String,
    platform: String,
    python: String,
}

impl Wanted {
    /// The wheel's title in tables.
    pub(crate) fn title(&self) -> String {
        format!("{} {}, {}", self.name, self.version, self.platform)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    wheel: Vec<Wanted>,
}

/// Returns the listed wheels with their paths. Those that are missing are downloaded one after the other.
pub(crate) fn fetch(context: &Context<'_>) -> Result<Vec<(Wanted, Utf8PathBuf)>> {
    let list = folders::data(context, "wheels.toml");
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

/// Audits the listed wheels, and writes a page for each of them, an index of the pages, and the table.
pub(crate) fn run(context: &Context<'_>) -> Result<()> {
    let folder = bundle::work_dir(context.workspace).join("survey");
    fs_err::create_dir_all(&folder)?;
    let wheels = fetch(context)?;
    let mut table = head(&folders::today()?, wheels.len());
    let mut index = format!(
        "# Audit of {} published wheels\n\ndocs/measurements/wheels.md explains the columns.\n\n{COLUMNS}",
        wheels.len()
    );
    for (wanted, path) in wheels {
        let audits = audit::files(std::slice::from_ref(&path))?;
        let Some(audit) = audits.first() else {
            continue;
        };
        let title = wanted.title();
        let file = format!("{}-{}.md", wanted.name, wanted.platform);
        let place = folder.join(&file);
        fs_err::write(&place, page(&title, audit))?;
        console::out(&place);
        let row = row(audit);
        // Writing to a String cannot fail.
        let _ = writeln!(index, "| [{title}]({file}) | {row} |");
        let _ = writeln!(table, "| {title} | {row} |");
    }
    fs_err::write(folder.join("README.md"), index)?;
    write_measurement(context, "wheels.md", &table)
}

/// The head of the table of wheels.
const COLUMNS: &str = "\
| wheel | images | bytes | exports | unexpected exports | UNIQUE | TypeIDs | glibc | errors | warnings | notes |
|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|
";

/// The text before the rows of the table of `count` wheels.
fn head(date: &str, count: usize) -> String {
    format!(
        "\
# Audit of {count} published wheels

Measured with `cargo lab survey` on {date}, over the wheels of `crates/mondo-lab/data/wheels.toml`. Each wheel
is audited alone, without a policy file. An unexpected export is one that no C API declares; of a Python
extension, every export but its `PyInit` function. `cargo lab survey` writes a page for each wheel, with
all findings, to `target/mondo/survey/`. See also the [rules](../reference/audit-rules.md) and the
[speed](audit-speed.md) of the audit.

{COLUMNS}"
    )
}

/// The columns of a wheel after its title.
fn row(audit: &Audit) -> String {
    let sum = |number: fn(&ImageSummary) -> u64| audit.images.iter().map(number).sum::<u64>();
    let columns = [
        audit.images.len().to_string(),
        sum(|image| image.file_size).to_string(),
        sum(|image| image.exports as u64).to_string(),
        details(audit, RuleId::Exports, None).to_string(),
        details(audit, RuleId::Unique, None).to_string(),
        details(audit, RuleId::TypeId, None).to_string(),
        glibc(audit),
        audit.count(Severity::Error).to_string(),
        audit.count(Severity::Warning).to_string(),
        audit.count(Severity::Info).to_string(),
    ];
    columns.join(" | ")
}

/// The number of details in the findings of a rule, in one image or in all.
fn details(audit: &Audit, rule: RuleId, image: Option<&str>) -> usize {
    let findings = audit.findings.iter();
    findings
        .filter(|finding| finding.rule == rule && finding.severity != Severity::Info)
        .filter(|finding| image.is_none_or(|image| finding.image == image))
        .map(|finding| finding.details.len())
        .sum()
}

fn glibc(audit: &Audit) -> String {
    let minimum = audit.minimum_versions().glibc();
    minimum.map_or_else(String::new, |(major, minor)| format!("{major}.{minor}"))
}

fn page(title: &str, audit: &Audit) -> String {
    let mut text = format!(
        "# {title}\n\n{}\n\n## Images\n\n\
         | image | bytes | exports | imports | unexpected exports | UNIQUE | TypeIDs | minimum system | RPATH | \
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
        let minimum = image.minimum_versions.needed.iter();
        let minimum: Vec<String> = minimum
            .map(|(family, needed)| format!("{}_{}", family.prefix(), needed.version))
            .collect();
        let count = |rule| details(audit, rule, Some(&image.name));
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
            minimum.join(", "),
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

/// The first details of a finding. Paths of build machines are left out: this page does not publish those of
/// other people.
fn example(finding: &Finding) -> String {
    if finding.rule == RuleId::BuildPath {
        return String::new();
    }
    let details = finding.details.iter().take(EXAMPLES);
    let shown: Vec<String> = details
        .map(|detail| {
            let name: String = detail.name.chars().take(LONGEST).collect();
            match detail.note.as_str() {
                "" => format!("`{name}`"),
                note => format!("`{name}` ({note})"),
            }
        })
        .collect();
    plain(&shown.join(", "))
}

/// The number of examples of a finding.
const EXAMPLES: usize = 2;
/// The number of characters of an example's name.
const LONGEST: usize = 60;

/// Text with `|` escaped, which would end a column.
fn plain(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_begins_as_written() {
        let (page, date) = folders::committed("wheels.md");
        let rows = page.lines().filter(|line| line.starts_with("| ")).count();
        let head = head(&date, rows - 1);
        assert!(page.starts_with(&head), "{head}");
    }
}
