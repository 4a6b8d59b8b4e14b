//! The short report: whether a wheel's platform tag holds, one line for each finding, and one verdict for all files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use mondo_audit::{Audit, Finding, Severity};

/// The number of images from which on a finding that they share is one line.
const MANY: usize = 3;

/// The report of one wheel, or of the images that are not part of one.
pub(super) fn text(audit: &Audit) -> String {
    let mut text = format!("{}\n", audit.subject.as_deref().unwrap_or("all together"));
    // Writing to a String cannot fail.
    if let Some(subject) = &audit.subject {
        let _ = write_platform(&mut text, subject, audit);
    }
    let mut alike: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in &audit.findings {
        let key = (finding.severity, finding.rule, &finding.what);
        alike.entry(key).or_default().push(finding);
    }
    for findings in alike.values() {
        if findings.len() >= MANY {
            let _ = write_finding(&mut text, findings[0], &format!("{} files", findings.len()));
            continue;
        }
        for finding in findings {
            let _ = write_finding(&mut text, finding, &finding.image);
        }
    }
    text.trim_end().to_owned()
}

fn write_finding(text: &mut String, finding: &Finding, place: &str) -> std::fmt::Result {
    let (severity, rule) = (finding.severity.name(), finding.rule.name());
    writeln!(text, "  {severity}[{rule}] {place}: {}", finding.what)
}

/// Writes the promise of the platform tags, the needs of the images, and the lowest tag that would hold.
fn write_platform(text: &mut String, subject: &str, audit: &Audit) -> std::fmt::Result {
    let file = subject.strip_suffix(".whl").unwrap_or(subject);
    let promised = file.rsplit('-').next().unwrap_or(file);
    let refused = audit
        .findings
        .iter()
        .any(|finding| finding.rule.name() == "tag" && finding.severity != Severity::Info);
    let verdict = match (refused, audit.images.is_empty()) {
        (true, _) => "does not hold",
        (false, true) => "holds, because there is no native code",
        (false, false) => "holds",
    };
    writeln!(text, "  platform tag   {promised}: {verdict}")?;
    let versions = audit.minimum_versions();
    let needs: Vec<String> = versions
        .needed
        .iter()
        .map(|(family, needed)| {
            let version = format!("{}_{}", family.prefix(), needed.version);
            match needed.symbols.first() {
                Some(symbol) => format!("{version} ({symbol})"),
                None => version,
            }
        })
        .collect();
    if !needs.is_empty() {
        writeln!(text, "  needs          {}", needs.join(", "))?;
    }
    let lowest = audit.images.first();
    if let Some(lowest) = lowest.and_then(|image| versions.platform_tag(image.arch)) {
        writeln!(text, "  lowest tag     {lowest}")?;
    }
    let outside = outside(audit);
    if !outside.is_empty() {
        let names: Vec<&str> = outside.into_iter().collect();
        writeln!(text, "  links to       {}", names.join(", "))?;
    }
    Ok(())
}

/// The libraries that the images need and the wheel does not have.
fn outside(audit: &Audit) -> BTreeSet<&str> {
    let images: BTreeSet<&str> = audit
        .images
        .iter()
        .flat_map(|image| {
            let file = image.name.rsplit('/').next();
            file.into_iter().chain(image.soname.as_deref())
        })
        .collect();
    let needed = audit.images.iter().flat_map(|image| &image.needed);
    needed
        .map(String::as_str)
        .filter(|name| !images.contains(name.rsplit('/').next().unwrap_or(name)))
        .collect()
}

/// The last line of an audit that did not fail.
pub(super) fn passed(audits: &[Audit]) -> String {
    let images: usize = audits
        .iter()
        .filter(|audit| audit.subject.is_some() || audits.len() == 1)
        .map(|audit| audit.images.len())
        .sum();
    let count = |severity| -> usize { audits.iter().map(|audit| audit.count(severity)).sum() };
    let numbers = [
        (images, "image"),
        (count(Severity::Error), "error"),
        (count(Severity::Warning), "warning"),
        (count(Severity::Info), "note"),
    ];
    let numbers = numbers.map(|(number, noun)| {
        let end = if number == 1 { "" } else { "s" };
        format!("{number} {noun}{end}")
    });
    format!("passed: {}", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use camino::{Utf8Path, Utf8PathBuf};
    use mondo_build::audit;
    use mondo_build::exec::Tool;

    use super::*;

    /// A wheel with a library that needs a newer glibc than 2.5, without a build-id.
    fn wheel(dir: &Utf8Path, platform: &str) -> Utf8PathBuf {
        fs_err::write(
            dir.join("a.c"),
            "#include <string.h>\nvoid *a_copy(void *to, void *from, unsigned long n) { return memcpy(to, from, n); }\n",
        )
        .expect("the source");
        Tool::new("gcc", "link a library")
            .cwd(dir)
            .args(["-shared", "-fPIC", "-fno-builtin", "a.c", "-o", "liba.so"])
            .args(["-Wl,-soname,liba.so,--build-id=none,-z,now"])
            .output()
            .expect("a compiler");
        let name = format!("a-1.0-py3-none-{platform}.whl");
        let script = "import sys, zipfile\n\
                      wheel = zipfile.ZipFile(sys.argv[1], 'w')\n\
                      wheel.write('liba.so', 'a/liba.so')\n\
                      wheel.writestr('a-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: a\\nVersion: 1.0\\n')\n\
                      wheel.writestr('a-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: ' + sys.argv[2])\n\
                      wheel.close()";
        Tool::new("python3", "write a wheel")
            .cwd(dir)
            .args(["-c", script, &name, &format!("py3-none-{platform}")])
            .output()
            .expect("Python");
        dir.join(name)
    }

    #[test]
    fn a_finding_is_a_line_and_the_tag_has_its_verdict() {
        let temp = tempfile::tempdir().expect("a folder");
        let dir = Utf8Path::from_path(temp.path()).expect("UTF-8");
        for (platform, verdict) in [
            ("manylinux_2_17_x86_64", ": holds\n"),
            ("manylinux1_x86_64", ": does not hold\n"),
        ] {
            let audits = audit::files(&[wheel(dir, platform)]).expect("readable");
            let text = text(&audits[0]);
            let first = format!("  platform tag   {platform}{verdict}");
            assert!(text.contains(&first), "{text}");
            assert!(
                text.contains("  needs          GLIBC_2.14 (memcpy)"),
                "{text}"
            );
            assert!(
                text.contains("  lowest tag     manylinux_2_14_x86_64"),
                "{text}"
            );
            assert!(text.contains("  links to       libc.so.6"), "{text}");
            assert!(text.contains("\n  warning[build-id] a/liba.so: "), "{text}");
            assert_eq!(text.lines().count(), 5 + audits[0].findings.len(), "{text}");
        }
    }
}
