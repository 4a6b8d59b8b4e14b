//! The folders of inputs and outputs: `data` of this crate, and the dated pages of docs/measurements.

use camino::Utf8PathBuf;
use mondo::console;
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::Context;

/// The path of a file in this crate's `data`.
pub(crate) fn data(context: &Context<'_>, name: &str) -> Utf8PathBuf {
    context.workspace.join("crates/mondo-lab/data").join(name)
}

/// The path of a page in docs/measurements.
pub(crate) fn measurement(context: &Context<'_>, name: &str) -> Utf8PathBuf {
    context.workspace.join("docs/measurements").join(name)
}

/// Writes a page of docs/measurements.
pub(crate) fn write_measurement(context: &Context<'_>, name: &str, text: &str) -> Result<()> {
    fs_err::write(
        measurement(context, name),
        text.trim_end().to_owned() + "\n",
    )?;
    console::out(format!("docs/measurements/{name}"));
    Ok(())
}

/// The date of a measurement, as in `2026-11-21`.
pub(crate) fn today() -> Result<String> {
    let date = Tool::new("date", "get the date").arg("+%F").output()?;
    Ok(date.stdout.trim().to_owned())
}

/// A committed page and the date in it, for tests that compare the page with its generator's text.
#[cfg(test)]
pub(crate) fn committed(name: &str) -> (String, String) {
    let folder = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measurements");
    let page = fs_err::read_to_string(folder.join(name)).expect("the page");
    let (_, dated) = page.split_once("` on ").expect("a command and a date");
    let date = dated[.."2026-11-21".len()].to_owned();
    (page, date)
}
