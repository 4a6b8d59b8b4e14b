//! `mondo audit`: what is looked at, what is let pass, where the reports go, how it ends.

mod short;

use std::collections::BTreeSet;
use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{
    Allow, Audit, Baseline, Load, Met, Policy, PolicyFile, RuleId, Severity, reference, report,
};
use mondo_build::{Error, ErrorKind, Result, audit, file};
use serde::Serialize;

use crate::args::AuditArgs;
use crate::console;
use crate::program::to_json;
use crate::progress::Verbosity;

/// The output of `--json`.
#[derive(Serialize)]
struct Outcome {
    audits: Vec<Audit>,
    /// Entries of the policy file that allowed nothing.
    unused_allows: Vec<Allow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Met>,
}

/// Audits files and prints what was found; the worst severity decides how it ends.
pub(super) fn run(args: &AuditArgs, json: bool, verbosity: Verbosity) -> Result<()> {
    if let Some(rule) = &args.explain {
        return explain_rule(rule);
    }
    let policy = args.policy.as_deref().map(read_policy).transpose()?;
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let stated = policy.clone().unwrap_or_default();
    let asked = Policy {
        loads: args.load.iter().map(|text| load(text)).collect(),
        exports: stated.exports,
        minimum_glibc: stated.minimum_glibc,
        minimum_macos: stated.minimum_macos,
        minimum_windows: stated.minimum_windows,
        ..Policy::default()
    };
    let mut audits = audit::files_under(&images(&args.paths)?, &asked)?;
    all_there(&asked.loads, &audits)?;

    let mut unused_allows = Vec::new();
    if let Some(policy) = &policy {
        let used: BTreeSet<usize> = audits.iter_mut().flat_map(|a| policy.apply(a)).collect();
        unused_allows = policy.unused(&used).cloned().collect();
    }
    if let Some(path) = &args.write_baseline {
        fs_err::write(path, Baseline::of(&audits).text())?;
        console::err(format!("wrote the baseline {path}"));
        return Ok(());
    }
    let outcome = Outcome {
        baseline: baseline.map(|baseline| baseline.apply(&mut audits)),
        audits,
        unused_allows,
    };
    if let Some(path) = &args.sarif {
        fs_err::write(path, to_json(&report::sarif(&outcome.audits))?)?;
    }
    if json {
        console::out(to_json(&outcome)?);
    } else {
        print(&outcome, args, verbosity);
    }
    // JSON has one document for the error; the text has listed the findings.
    let result = judge(&outcome.audits, args.fail_on, json);
    if result.is_ok() && !json {
        console::out(short::passed(&outcome.audits));
    }
    result
}

fn print(outcome: &Outcome, args: &AuditArgs, verbosity: Verbosity) {
    for audit in &outcome.audits {
        if verbosity < Verbosity::Verbose {
            console::out(short::text(audit));
            continue;
        }
        if outcome.audits.len() > 1 {
            let subject = audit.subject.as_deref();
            console::out(format!("== {} ==", subject.unwrap_or("together")));
        }
        console::out(report::text(audit));
    }
    for allow in &outcome.unused_allows {
        let file = args.policy.as_deref().unwrap_or(Utf8Path::new("policy"));
        console::out(format!(
            "{file}:{}: the entry allows a finding of `{}` that no longer occurs; remove the \
             entry",
            allow.line,
            allow.rule.name()
        ));
    }
    if let (Some(met), Some(file)) = (&outcome.baseline, &args.baseline) {
        console::out(format!("{file}: findings in the baseline: {}", met.known));
        for line in &met.gone {
            console::out(format!(
                "{file}: no longer found; write the baseline again: {line}"
            ));
        }
    }
}

fn explain_rule(name: &str) -> Result<()> {
    if name == "all" {
        let pages: Vec<String> = RuleId::ALL.iter().map(|&id| reference::text(id)).collect();
        console::out(format!("{}\n{}", reference::table(), pages.join("\n")));
        return Ok(());
    }
    let names = || RuleId::ALL.iter().map(|id| id.name()).collect::<Vec<_>>();
    let id = RuleId::by_name(name).ok_or_else(|| {
        Error::new(ErrorKind::Usage, format!("unknown rule `{name}`"))
            .help(format!("the rules are {}", names().join(", ")))
    })?;
    console::out(reference::text(id));
    Ok(())
}

fn read_policy(path: &Utf8Path) -> Result<PolicyFile> {
    let text = file::text(path)?;
    PolicyFile::parse(path.as_str(), &text).map_err(|error| {
        let place = format!("{path}:{}:{}", error.line, error.column);
        Error::new(ErrorKind::Usage, error.what)
            .at(place)
            .help("`mondo audit --explain all` explains every rule")
    })
}

fn read_baseline(path: &Utf8Path) -> Result<Baseline> {
    let text = file::text(path)?;
    Baseline::parse(path.as_str(), &text).map_err(|error| {
        Error::new(ErrorKind::Usage, "cannot read the baseline")
            .because(error.to_string())
            .help("create one with `--write-baseline`")
    })
}

/// `IMAGE`, `IMAGE:local` or `IMAGE:global`.
fn load(text: &str) -> Load {
    let (image, global) = match text.rsplit_once(':') {
        Some((image, "global")) => (image, true),
        Some((image, "local")) => (image, false),
        _ => (text, false),
    };
    Load {
        image: image.to_owned(),
        global,
    }
}

/// Fails if `--load` names an image that was not given: it is a typing error, and no audit of a process without the image.
fn all_there(loads: &[Load], audits: &[Audit]) -> Result<()> {
    let mut images = audits.iter().flat_map(|audit| &audit.images);
    let missing = loads.iter().find(|load| {
        !images
            .clone()
            .any(|image| image.name.ends_with(&load.image))
    });
    match missing {
        None => Ok(()),
        Some(load) => {
            let what = format!(
                "`--load` names an image that is not among the audited files: `{}`",
                load.image
            );
            Err(Error::new(ErrorKind::Usage, what)
                .because("pass the image's name as the report prints it, or its file name")
                .details(images.by_ref().map(|image| image.name.clone())))
        }
    }
}

/// The files to audit: those that are named, and the wheels and images in the folders that are.
fn images(paths: &[Utf8PathBuf]) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            images_below(path, &mut found)?;
            if found.len() == before {
                return Err(Error::new(
                    ErrorKind::Usage,
                    "the folder contains no wheel and no shared library",
                )
                .at(path));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn images_below(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) -> Result<()> {
    let mut entries = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        entries.push((entry.path().to_owned(), entry.file_type()?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, kind) in entries {
        // Symbolic links are passed over: a link's target is in the folder under its own name, or
        // does not belong to the folder.
        if kind.is_dir() {
            images_below(&path, found)?;
        } else if kind.is_file() && (path.extension() == Some("whl") || is_image(&path)?) {
            found.push(path);
        }
    }
    Ok(())
}

/// True if the file is of a format that can be audited, by its first bytes.
fn is_image(path: &Utf8Path) -> Result<bool> {
    let mut head = Vec::new();
    file::open(path)?.take(4096).read_to_end(&mut head)?;
    Ok(mondo_audit::is_image(path.as_str(), &head))
}

/// The command's result: an error if the worst finding is at least as severe as `limit`.
fn judge(audits: &[Audit], limit: Severity, listed: bool) -> Result<()> {
    let Some(worst) = audits.iter().filter_map(Audit::worst).min() else {
        return Ok(());
    };
    if worst > limit {
        return Ok(());
    }
    let (kind, words) = match worst {
        Severity::Error => (ErrorKind::Audit, ["error", "errors"]),
        Severity::Warning => (ErrorKind::AuditWarnings, ["warning", "warnings"]),
        Severity::Info => return Ok(()),
    };
    let of_them = |audit: &Audit| audit.count(worst);
    let count: usize = audits.iter().map(of_them).sum();
    let word = words[usize::from(count != 1)];
    let findings = audits.iter().flat_map(|audit| &audit.findings);
    let details = findings
        .filter(|finding| listed && finding.severity == worst)
        .map(|finding| {
            let rule = finding.rule.name();
            format!("[{rule}] {}: {}", finding.image, finding.what)
        });
    Err(Error::new(kind, format!("the audit found {count} {word}"))
        .details(details)
        .help(
            "run with `-v` for details, or `mondo audit --explain RULE` to explain a rule; \
             `--write-baseline` accepts the current findings",
        ))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use mondo_build::exec::Tool;

    use super::*;

    /// The command line of `audit` alone.
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: AuditArgs,
    }

    /// A folder with a library that leaks a C++ name and has no build-id.
    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let temp = tempfile::tempdir().expect("a folder");
        let dir = Utf8PathBuf::from_path_buf(temp.path().to_owned()).expect("UTF-8");
        fs_err::create_dir(dir.join("lib")).expect("a folder");
        fs_err::write(dir.join("lib/notes.txt"), "no image").expect("a file");
        link(&dir, "int _ZN4acme1aEv(void) { return 1; }");
        (temp, dir)
    }

    fn link(dir: &Utf8Path, source: &str) {
        fs_err::write(dir.join("a.c"), source).expect("the source");
        Tool::new("gcc", "link a library")
            .cwd(dir)
            .args(["-shared", "-fPIC", "-nostdlib", "a.c", "-o", "lib/liba.so"])
            .args(["-Wl,-soname,liba.so,--build-id=none,-z,now,-z,noexecstack"])
            .output()
            .expect("a compiler");
    }

    fn audited(dir: &Utf8Path, args: &[&str]) -> Result<()> {
        let lib = dir.join("lib");
        let line = ["audit", lib.as_str()];
        let line = Line::parse_from(line.iter().chain(args));
        run(&line.args, true, Verbosity::Normal)
    }

    fn code(result: Result<()>) -> u8 {
        result.err().map_or(0, |error| error.kind().exit_code())
    }

    #[test]
    fn the_worst_finding_decides_the_exit_code() {
        let (_temp, dir) = folder();
        assert_eq!(code(audited(&dir, &[])), 26);
        assert_eq!(code(audited(&dir, &["--fail-on", "error"])), 0);
        let policy = dir.join("policy.toml");
        fs_err::write(&policy, "[severity]\nbuild-id = \"error\"\n").expect("a file");
        let policy = ["--policy", policy.as_str()];
        assert_eq!(code(audited(&dir, &policy)), 24);
    }

    #[test]
    fn what_a_baseline_knows_does_not_fail_and_what_is_new_does() {
        let (_temp, dir) = folder();
        let file = dir.join("baseline.json");
        let write = ["--write-baseline", file.as_str()];
        let read = ["--baseline", file.as_str()];
        assert_eq!(code(audited(&dir, &write)), 0);
        let first = fs_err::read_to_string(&file).expect("the baseline");
        assert_eq!(code(audited(&dir, &write)), 0);
        assert_eq!(first, fs_err::read_to_string(&file).expect("the baseline"));
        assert_eq!(code(audited(&dir, &read)), 0);
        link(
            &dir,
            "int _ZN4acme1aEv(void) { return 1; } int _ZN4acme1bEv(void) { return 2; }",
        );
        let error = audited(&dir, &read).expect_err("a new leak");
        assert_eq!(error.kind(), ErrorKind::AuditWarnings);
        assert_eq!(error.listed().len(), 1, "{error}");
        assert!(error.listed()[0].contains("exports"), "{error}");
    }

    #[test]
    fn sarif_goes_to_its_file() {
        let (_temp, dir) = folder();
        let file = dir.join("out.sarif");
        assert_eq!(code(audited(&dir, &["--sarif", file.as_str()])), 26);
        let log: serde_json::Value =
            serde_json::from_str(&fs_err::read_to_string(&file).expect("the log")).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        assert!(results.iter().any(|result| result["ruleId"] == "exports"));
    }

    #[test]
    fn an_unknown_rule_of_a_policy_is_placed() {
        let (_temp, dir) = folder();
        let policy = dir.join("policy.toml");
        fs_err::write(&policy, "[severity]\nbuildid = \"error\"\n").expect("a file");
        let error = audited(&dir, &["--policy", policy.as_str()]).expect_err("no such rule");
        assert_eq!(error.kind(), ErrorKind::Usage);
        let place = error.place().expect("a place");
        assert!(place.ends_with("policy.toml:2:1"), "{place}");
    }

    #[test]
    fn a_folder_without_images_is_refused() {
        let (_temp, dir) = folder();
        fs_err::create_dir(dir.join("empty")).expect("a folder");
        let error = images(&[dir.join("empty")]).expect_err("nothing there");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(
            images(&[dir.join("lib")]).expect("one"),
            [dir.join("lib/liba.so")]
        );
    }

    #[test]
    fn a_library_to_load_is_one_of_the_audited() {
        let (_temp, dir) = folder();
        let error = audited(&dir, &["--load", "libb.so:global"]).expect_err("not there");
        assert!(error.what().contains("libb.so"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert_eq!(code(audited(&dir, &["--load", "liba.so:global"])), 26);
    }

    #[test]
    fn only_a_known_rule_is_explained() {
        let error = explain_rule("nope").expect_err("no such rule");
        assert_eq!(
            (error.kind(), error.kind().exit_code()),
            (ErrorKind::Usage, 2)
        );
        assert!(explain_rule("exports").is_ok());
    }

    /// A file that is not there has an exit code of its own: with that of a finding, a misspelt
    /// line of CI would look like one that found something.
    #[test]
    fn a_file_that_is_not_there_is_no_finding() {
        let (_temp, dir) = folder();
        let args = Line::parse_from(["audit", dir.join("nothing.whl").as_str()]);
        let error = run(&args.args, false, Verbosity::Normal).expect_err("no such file");
        assert_eq!(
            (error.kind(), error.kind().exit_code()),
            (ErrorKind::Io, 30)
        );
        assert!(error.to_string().contains("nothing.whl"), "{error}");
    }
}
