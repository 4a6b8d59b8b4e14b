//! The wheels as other people's tools see them.

use camino::Utf8Path;
use mondo::console;
use mondo_audit::Severity;
use mondo_build::audit;
use mondo_build::bundle::Bundle;
use mondo_build::{ErrorKind, Result};
use mondo_testbed::files::unzip;
use mondo_testbed::verdict::{expect, failed, tool};
use mondo_testbed::{Context, Extent, Venv};
use mondo_tidy::pages;

/// The manifests whose wheels are tested, those of the gate first.
pub(super) const MANIFESTS: [&str; 3] = ["default", "core", "acme"];

/// The libraries of glibc, which images may need.
const LIBC: &str = "libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 ld-linux-x86-64.so.2";

/// The gate has the wheels of default and core; `--all` also that of acme.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let tools = Venv::kept(context, "tools")?;
    for name in extent.first(2, &MANIFESTS) {
        let bundle = context.bundle(name)?;
        for (purpose, arguments) in [
            ("pass zipfile -t", &["-m", "zipfile", "-t"][..]),
            ("pass check-wheel-contents", &["-m", "check_wheel_contents"]),
        ] {
            let tool = tools.python(purpose).fails_as(ErrorKind::Check);
            tool.args(arguments).arg(&bundle.wheel).output()?;
        }
        auditwheel(&tools, &bundle)?;
        documented_size(context, name, &bundle)?;
        images(context, &bundle)?;
        audited(&bundle)?;
    }
    Ok(())
}

/// The audit of the wheel as CI does it, without the manifest, has nothing to warn of.
fn audited(bundle: &Bundle) -> Result<()> {
    for audit in audit::files(std::slice::from_ref(&bundle.wheel))? {
        console::out(mondo_audit::report::text(&audit));
        let findings = audit.findings.iter();
        let findings = findings.filter(|finding| finding.severity != Severity::Info);
        let warnings: Vec<String> = findings
            .map(|finding| format!("{}: {}", finding.image, finding.what))
            .collect();
        expect(warnings.is_empty(), "the audit warns", warnings.join("\n"))?;
        audit::judge(&audit)?;
    }
    Ok(())
}

/// docs/measurements/size.md has the wheel's size.
fn documented_size(context: &Context<'_>, name: &str, bundle: &Bundle) -> Result<()> {
    let bytes = fs_err::metadata(&bundle.wheel)?.len();
    let other = pages::other_size(context.workspace, name, bytes)?;
    let help = "measure with `cargo xtask size`, and write the row and its date again";
    other.map_or(Ok(()), |what| Err(failed(what).help(help)))
}

/// auditwheel finds the tag that the file name claims.
fn auditwheel(tools: &Venv, bundle: &Bundle) -> Result<()> {
    let printed = tools
        .python("run auditwheel")
        .args(["-m", "auditwheel", "show", bundle.wheel.as_str()])
        .output()?
        .stdout;
    let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    // The older name of the same policy comes first in the file name.
    let platform = bundle.report.minimum_glibc.platform.rsplit('.').next();
    let claimed = format!("platform tag: \"{}\"", platform.unwrap_or_default());
    let what = format!("auditwheel finds another tag than {claimed}");
    expect(words.contains(&claimed), what, words)
}

/// readelf and nm agree with the report and with the rules of the audit.
fn images(context: &Context<'_>, bundle: &Bundle) -> Result<()> {
    let report = &bundle.report;
    let folder = context.empty_folder(&format!("unpacked/{}", report.distribution))?;
    unzip(&bundle.wheel, &folder)?;
    let native = folder
        .join(report.import_root.replace('.', "/"))
        .join("_mlir_libs");
    let soname = &report.library.file;
    let library = native.join(soname);
    let extension = native.join(&report.extension.file);

    let symbols = exported(&library)?;
    let node = &report.exports.version_node;
    let functions = symbols.iter().filter(|(kind, _)| *kind == 'T').count();
    let what = format!("nm counts {functions} functions in {soname}");
    let same = functions == report.exports.functions;
    expect(same, what, report.exports.functions)?;
    let foreign = symbols.iter().filter(|(kind, name)| match kind {
        // nm also lists the version node itself, an absolute symbol.
        'A' => name.trim_end_matches('@') != node,
        'T' => !name.ends_with(&format!("@@{node}")),
        _ => true,
    });
    let foreign: Vec<_> = foreign.collect();
    let what = format!("{soname} exports others'");
    expect(foreign.is_empty(), what, format!("{foreign:?}"))?;
    let of_extension = exported(&extension)?;
    let is_module = matches!(&of_extension[..], [(_, name)] if name == "PyInit__mlir");
    let what = "the extension exports something else";
    expect(is_module, what, format!("{of_extension:?}"))?;

    for (image, own) in [(&library, None), (&extension, Some(soname.as_str()))] {
        let dynamic = readelf(image, "--dynamic")?;
        let segments = readelf(image, "--segments")?;
        let needed = bracketed(&dynamic, "(NEEDED)");
        let is_known =
            |name: &String| LIBC.split(' ').any(|libc| libc == name) || Some(name.as_str()) == own;
        let runpath: &[&str] = if own.is_some() { &["$ORIGIN"] } else { &[] };
        for (holds, what) in [
            (needed.iter().all(is_known), "needs other libraries"),
            (
                own.is_none_or(|own| needed.iter().any(|name| name == own)),
                "lacks the mondo library",
            ),
            (
                bracketed(&dynamic, "(RUNPATH)") == runpath,
                "has another RUNPATH",
            ),
            (dynamic.contains("BIND_NOW"), "binds lazily"),
            (!dynamic.contains("TEXTREL"), "has text relocations"),
            (segments.contains("GNU_RELRO"), "has no RELRO"),
            (
                !segments.contains("RWE"),
                "has memory that is written and run",
            ),
            (
                readelf(image, "--notes")?.contains("Build ID:"),
                "has no build-id",
            ),
        ] {
            let what = format!("{image} {what}");
            expect(holds, what, format!("{dynamic}{segments}"))?;
        }
    }
    let dynamic = readelf(&library, "--dynamic")?;
    let is_named = bracketed(&dynamic, "(SONAME)") == [soname.as_str()];
    let what = "the library's SONAME is not its file name";
    expect(is_named, what, dynamic)
}

/// The defined dynamic symbols of an image, as `nm` lists them: kind, and name with its version.
fn exported(image: &Utf8Path) -> Result<Vec<(char, String)>> {
    let options = ["--dynamic", "--defined-only", "--with-symbol-versions"];
    let listing = binutil("nm", &options, image)?;
    let symbol = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        Some((words.next()?.chars().next()?, words.next()?.to_owned()))
    };
    Ok(listing.lines().filter_map(symbol).collect())
}

/// The text that `readelf --wide` prints with this option.
fn readelf(image: &Utf8Path, option: &str) -> Result<String> {
    binutil("readelf", &["--wide", option], image)
}

fn binutil(name: &str, options: &[&str], image: &Utf8Path) -> Result<String> {
    let tool = tool(name, format!("run {name}")).installed_by("apt-get install binutils");
    let tool = tool.env("LC_ALL", "C").args(options).arg(image);
    Ok(tool.output()?.stdout)
}

/// The values in square brackets on the lines of `readelf --dynamic` that have `tag`.
fn bracketed(dynamic: &str, tag: &str) -> Vec<String> {
    let lines = dynamic.lines().filter(|line| line.contains(tag));
    let values = lines.filter_map(|line| line.split_once('[')?.1.split_once(']'));
    values.map(|(value, _)| value.to_owned()).collect()
}
