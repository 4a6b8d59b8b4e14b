//! The wheels as other people's tools see them.

use mondo::console;
use mondo_audit::Severity;
use mondo_build::audit;
use mondo_build::bundle::Bundle;
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::binutils::{bracketed, exported, readelf};
use mondo_testbed::{Context, Extent, Venv};

use super::extent;
use mondo_tidy::pages;

/// The gate has the wheels of default and core; `--all` also that of acme.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let tools = Venv::tools(context)?;
    for name in extent::manifests(extent) {
        let bundle = context.bundle(name)?;
        let wheel = bundle.wheel.as_str();
        tools
            .python("pass zipfile -t")
            .args(["-m", "zipfile", "-t", wheel])
            .output()?;
        tools
            .python("pass check-wheel-contents")
            .args(["-m", "check_wheel_contents", wheel])
            .stream()?;
        auditwheel(&tools, &bundle)?;
        documented_size(context, name, &bundle)?;
        images(context, &bundle)?;
        no_warnings(&bundle)?;
        again(&bundle)?;
    }
    Ok(())
}

/// The audit of the wheel as CI does it, without the manifest, has nothing to warn of.
fn no_warnings(bundle: &Bundle) -> Result<()> {
    for audit in audit::files(std::slice::from_ref(&bundle.wheel))? {
        let findings = audit.findings.iter();
        let findings = findings.filter(|finding| finding.severity != Severity::Info);
        let said: Vec<String> = findings
            .map(|finding| format!("{}: {}", finding.image, finding.what))
            .collect();
        expect(said.is_empty(), || format!("the audit warns: {said:?}"))?;
    }
    Ok(())
}

/// docs/measurements/size.md has the wheel's size.
fn documented_size(context: &Context<'_>, name: &str, bundle: &Bundle) -> Result<()> {
    let bytes = fs_err::metadata(&bundle.wheel)?.len();
    match pages::other_size(context.workspace, name, bytes)? {
        None => Ok(()),
        Some(why) => Err(
            Error::new(ErrorKind::Check, "a page has another size of the wheel")
                .at(&bundle.wheel)
                .because(why)
                .help("measure with `cargo xtask size`, and write the row and its date again"),
        ),
    }
}

/// auditwheel finds the tag that the file name claims.
fn auditwheel(tools: &Venv, bundle: &Bundle) -> Result<()> {
    let wheel = bundle.wheel.as_str();
    let said = tools
        .python("run auditwheel")
        .args(["-m", "auditwheel", "show", wheel])
        .output()?
        .stdout;
    let words: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    // The older name of the same policy comes first in the file name.
    let platform = &bundle.report.minimum_glibc.platform;
    let platform = platform.rsplit('.').next().unwrap_or(platform);
    let claimed = format!("platform tag: \"{platform}\"");
    if words.contains(&claimed) {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Check, "auditwheel finds another platform tag")
            .at(wheel)
            .because(format!("expected {claimed}; it says: {words}")),
    )
}

/// readelf and nm agree with the report and with the rules of the audit.
fn images(context: &Context<'_>, bundle: &Bundle) -> Result<()> {
    let dir = context
        .scratch()
        .join("unpacked")
        .join(&bundle.report.distribution);
    if dir.exists() {
        fs_err::remove_dir_all(&dir)?;
    }
    fs_err::create_dir_all(&dir)?;
    Tool::new("python3", "unpack the wheel")
        .args(["-m", "zipfile", "-e", bundle.wheel.as_str(), dir.as_str()])
        .output()?;
    let native = dir
        .join(bundle.report.import_root.replace('.', "/"))
        .join("_mlir_libs");
    let soname = &bundle.report.library.file;
    let library = native.join(soname);
    let extension = native.join(&bundle.report.extension.file);

    let symbols = exported(&library)?;
    let node = &bundle.report.exports.version_node;
    // nm also lists the version node itself, an absolute symbol.
    let functions: Vec<_> = symbols.iter().filter(|(kind, _)| *kind == 'T').collect();
    expect(functions.len() == bundle.report.exports.functions, || {
        format!(
            "nm counts {} functions in {soname}, the report {}",
            functions.len(),
            bundle.report.exports.functions
        )
    })?;
    let foreign: Vec<_> = symbols
        .iter()
        .filter(|(kind, name)| match kind {
            'A' => name.trim_end_matches('@') != node,
            'T' => !name.ends_with(&format!("@@{node}")),
            _ => true,
        })
        .collect();
    expect(foreign.is_empty(), || {
        format!("{soname} also exports {foreign:?}")
    })?;
    let names: Vec<_> = exported(&extension)?
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    expect(names == ["PyInit__mlir"], || {
        format!("the extension exports {names:?}")
    })?;

    const LIBC: &[&str] = &[
        "libc.so.6",
        "libm.so.6",
        "libdl.so.2",
        "libpthread.so.0",
        "librt.so.1",
        "ld-linux-x86-64.so.2",
    ];
    for (image, own) in [(&library, None), (&extension, Some(soname.as_str()))] {
        let dynamic = readelf(image, "--dynamic")?;
        let needed = bracketed(&dynamic, "(NEEDED)");
        let foreign: Vec<_> = needed
            .iter()
            .filter(|name| !LIBC.contains(&name.as_str()) && Some(name.as_str()) != own)
            .collect();
        expect(foreign.is_empty(), || format!("{image} needs {foreign:?}"))?;
        expect(
            own.is_none_or(|own| needed.iter().any(|name| name == own)),
            || format!("{image} does not need the mondo library"),
        )?;
        let runpath = bracketed(&dynamic, "(RUNPATH)");
        let wanted: &[&str] = if own.is_some() { &["$ORIGIN"] } else { &[] };
        expect(runpath == wanted, || {
            format!("{image} has RUNPATH {runpath:?}")
        })?;
        expect(
            dynamic.contains("BIND_NOW") && !dynamic.contains("TEXTREL"),
            || format!("{image} binds lazily or has text relocations"),
        )?;
        let segments = readelf(image, "--segments")?;
        expect(
            segments.contains("GNU_RELRO") && !segments.contains("RWE"),
            || format!("{image} has no RELRO, or memory that is written and run"),
        )?;
        expect(readelf(image, "--notes")?.contains("Build ID:"), || {
            format!("{image} has no build-id")
        })?;
    }
    expect(
        bracketed(&readelf(&library, "--dynamic")?, "(SONAME)") == [soname.as_str()],
        || "the library's SONAME is not its file name".into(),
    )
}

/// The finished wheel under our own audit, as for anyone's wheel.
fn again(bundle: &Bundle) -> Result<()> {
    let audits = mondo_build::audit::files(std::slice::from_ref(&bundle.wheel))?;
    for audit in &audits {
        console::out(mondo_audit::report::text(audit));
    }
    audits.iter().try_for_each(mondo_build::audit::judge)
}

fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Check, otherwise()))
    }
}
