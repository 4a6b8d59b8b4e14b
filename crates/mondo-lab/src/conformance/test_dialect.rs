//! The bundle of upstream's test dialect for Python. The dialect's sources are in mlir/test/python/lib, its
//! `dialect.toml` and the manifest in `tests/conformance/python_test`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result};

/// The path of the test of the dialect, below mlir/test/python.
pub(super) const TEST: &str = "dialects/python_test.py";

/// Files of upstream's mlir folder, and their paths in the dialect crate.
const FILES: &[(&str, &str)] = &[
    ("test/python/python_test_ops.td", "python_test_ops.td"),
    (
        "python/mlir/dialects/python_test.py",
        "python/dialects/python_test.py",
    ),
];

/// The folder of the C++ sources, in upstream's mlir folder and in the dialect crate.
const SOURCES: (&str, &str) = ("test/python/lib", "lib");

/// Writes the dialect crate to `folder`. Returns the manifest's path.
pub(super) fn lay_out(
    mlir: &Utf8Path,
    workspace: &Utf8Path,
    folder: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let copy = |from: &Utf8Path, to: Utf8PathBuf| -> Result<()> {
        if let Some(parent) = to.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::copy(from, to)?;
        Ok(())
    };
    for (from, to) in FILES {
        copy(&mlir.join(from), folder.join(to))?;
    }
    let (from, to) = SOURCES;
    for entry in mlir.join(from).read_dir_utf8()? {
        let entry = entry?;
        if matches!(entry.path().extension(), Some("cpp" | "h")) {
            copy(entry.path(), folder.join(to).join(entry.file_name()))?;
        }
    }
    let ours = workspace.join("tests/conformance/python_test");
    for name in ["dialect.toml", "bundle.toml"] {
        copy(&ours.join(name), folder.join(name))?;
    }
    Ok(folder.join("bundle.toml"))
}

/// The wheel of the dialect's extension.
pub(super) fn extension(wheels: &[Utf8PathBuf]) -> Result<&Utf8Path> {
    wheels.first().map(Utf8PathBuf::as_path).ok_or_else(|| {
        Error::new(
            ErrorKind::Check,
            "the bundle of the test dialect has no wheel of its extension",
        )
        .at("tests/conformance/python_test/dialect.toml")
    })
}
