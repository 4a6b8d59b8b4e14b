//! The source distribution of a project: `<name>-<version>.tar.gz` with the project's files and
//! PKG-INFO (PEP 517, PEP 643). Its bytes are a function of the files alone: entries are sorted, every
//! time is the given epoch, every mode 0644 or 0755, every owner 0.

mod archive;
mod files;

use std::collections::BTreeSet;
use std::io::Write;

use camino::{Utf8Path, Utf8PathBuf};
use flate2::{Compression, GzBuilder};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_core::{file, interrupt};
use mondo_plan::manifest::SdistPlan;
use mondo_plan::metadata::Metadata;

use crate::wheel::Epoch;

/// The metadata file of a source distribution, which corresponds to METADATA of a wheel.
const PKG_INFO: &str = "PKG-INFO";

/// Writes the source distribution of the project in `folder` to `out_dir`. Returns its path.
///
/// # Errors
/// `ErrorKind::Wheel` for a name that cannot be in it, and `ErrorKind::Io` where a file cannot be read
/// or written.
pub fn write(
    folder: &Utf8Path,
    metadata: &Metadata,
    sdist: &SdistPlan,
    epoch: Epoch,
    out_dir: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let name = format!("{}-{}", metadata.file_name()?, metadata.normal_version()?);
    let licenses: Vec<String> = metadata
        .license_files
        .iter()
        .map(|file| file.strip_prefix(folder).unwrap_or(file).to_string())
        .collect();
    let mut archive = archive::Archive::new(epoch);
    let info = metadata.render(&licenses)?;
    archive.file(&format!("{name}/{PKG_INFO}"), info.as_bytes(), false)?;
    for file in files::of(folder, sdist)? {
        interrupt::check()?;
        // An archive of an earlier run may be in the project's folder, and must not become part of the new one.
        let is_output = out_dir != folder && folder.join(&file).starts_with(out_dir);
        if file == PKG_INFO || is_output {
            continue;
        }
        let path = folder.join(&file);
        check_link(&path, folder)?;
        let executable = is_executable(&path)?;
        archive.file(
            &format!("{name}/{file}"),
            &file::read(&path, u64::MAX)?,
            executable,
        )?;
    }
    let tar = archive.finish()?;
    // The gzip header has no file name and no time, so that the bytes are reproducible.
    let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    gzip.write_all(&tar)?;
    let bytes = gzip.finish()?;
    let path = out_dir.join(format!("{name}.tar.gz"));
    fs_err::create_dir_all(out_dir)?;
    replace(&path, &bytes)?;
    Ok(path)
}

/// The paths of the files of the project in `folder` that its source distribution has, relative to it.
///
/// # Errors
/// `ErrorKind::Manifest` for a pattern that cannot be read, and `ErrorKind::Io` for a folder.
pub fn files(folder: &Utf8Path, sdist: &SdistPlan) -> Result<BTreeSet<String>> {
    files::of(folder, sdist)
}

/// Refuses a symbolic link that leads out of the project: the archive has the contents of the file that a link points
/// to.
fn check_link(path: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    if !path.is_symlink() {
        return Ok(());
    }
    let refused = |what: &str| {
        Error::new(ErrorKind::Wheel, what)
            .at(path)
            .help("add it to `exclude` in [tool.mondo.sdist], or replace it with a file")
    };
    let target = path.canonicalize_utf8().map_err(|error| {
        refused("the target of a symbolic link does not exist").caused_by(error)
    })?;
    if target.starts_with(folder.canonicalize_utf8()?) {
        return Ok(());
    }
    Err(
        refused("an sdist must not contain a symbolic link that leaves the project").because(
            format!("it points to {target}, whose contents the sdist would include"),
        ),
    )
}

fn is_executable(path: &Utf8Path) -> Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs_err::metadata(path)?.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn project(root: &Utf8Path, files: &[&str]) {
        for file in files {
            fs_err::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs_err::write(root.join(file), format!("{file}\n")).unwrap();
        }
    }

    fn metadata(root: &Utf8Path) -> Metadata {
        Metadata {
            distribution: "Acme.MLIR".into(),
            version: "1.0".into(),
            license: "MIT".into(),
            license_files: vec![root.join("LICENSE")],
            requires_python: ">=3.10".into(),
            ..Metadata::default()
        }
    }

    fn made(root: &Utf8Path, sdist: &SdistPlan) -> Vec<u8> {
        let metadata = metadata(root);
        let path = write(root, &metadata, sdist, Epoch::default(), &root.join("dist")).unwrap();
        assert_eq!(path.file_name(), Some("acme_mlir-1.0.tar.gz"));
        fs_err::read(path).unwrap()
    }

    /// The names in an archive: each member's header has its name first.
    fn names(gzip: &[u8]) -> Vec<String> {
        let mut bytes = Vec::new();
        GzDecoder::new(gzip).read_to_end(&mut bytes).unwrap();
        let mut names = Vec::new();
        let mut at = 0;
        while bytes[at] != 0 {
            let text = |from: usize, to: usize| {
                let field = bytes[at + from..at + to].split(|byte| *byte == 0).next();
                String::from_utf8(field.unwrap().to_vec()).unwrap()
            };
            let size = usize::from_str_radix(&text(124, 135), 8).unwrap();
            names.push(text(0, 100));
            at += 512 + size.div_ceil(512) * 512;
        }
        names
    }

    #[test]
    fn an_sdist_has_what_gitignore_leaves() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        project(
            root,
            &[
                "LICENSE",
                "pyproject.toml",
                "lib/a.cpp",
                "lib/generated.inc",
                "lib/keep.inc",
                ".git/HEAD",
                ".github/workflows/ci.yml",
                "target/mondo/x",
                "data/big.bin",
                "python/__pycache__/a.pyc",
                ".venv/pyvenv.cfg",
                "PKG-INFO",
            ],
        );
        fs_err::write(root.join(".gitignore"), "*.inc\n").unwrap();
        let sdist = SdistPlan {
            include: vec!["/lib/keep.inc".into()],
            exclude: vec!["data/".into()],
        };
        let first = made(root, &sdist);
        assert_eq!(
            names(&first),
            [
                "PKG-INFO",
                ".github/workflows/ci.yml",
                ".gitignore",
                "LICENSE",
                "lib/a.cpp",
                "lib/keep.inc",
                "pyproject.toml",
            ]
            .map(|name| format!("acme_mlir-1.0/{name}"))
        );
        assert_eq!(made(root, &sdist), first, "its own output is not in it");
    }

    #[test]
    fn links_out_of_the_project_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap().join("project");
        project(&root, &["LICENSE", "a.txt"]);
        project(&root.with_file_name("elsewhere"), &["secret"]);
        let link = root.join("link");
        for (target, said) in [
            ("../elsewhere/secret", "elsewhere/secret"),
            ("nowhere", "the target of a symbolic link does not exist"),
        ] {
            std::os::unix::fs::symlink(target, &link).unwrap();
            let error = write(
                &root,
                &metadata(&root),
                &SdistPlan::default(),
                Epoch::default(),
                &root.join("dist"),
            )
            .unwrap_err();
            assert_eq!(error.place(), Some(link.as_str()));
            assert!(error.to_string().contains(said), "{error}");
            fs_err::remove_file(&link).unwrap();
        }
        std::os::unix::fs::symlink("a.txt", &link).unwrap();
        let names = names(&made(&root, &SdistPlan::default()));
        assert!(
            names.contains(&"acme_mlir-1.0/link".to_owned()),
            "{names:?}"
        );
    }

    #[test]
    fn tar_and_python_read_what_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let long = format!("{}/{}.py", "a".repeat(120), "b".repeat(120));
        project(root, &["LICENSE", "ö.txt", &long]);
        made(root, &SdistPlan::default());
        let script = "import sys, tarfile\n\
                      with tarfile.open(sys.argv[1]) as it:\n\
                      \x20   it.extractall(sys.argv[2], filter='data')\n";
        mondo_core::exec::Tool::new("python3", "unpack an sdist")
            .args([
                "-c",
                script,
                root.join("dist/acme_mlir-1.0.tar.gz").as_str(),
            ])
            .arg(root.join("out"))
            .output()
            .unwrap();
        let unpacked = root.join("out/acme_mlir-1.0");
        for file in ["LICENSE", "ö.txt", &long] {
            assert_eq!(
                fs_err::read_to_string(unpacked.join(file)).unwrap(),
                format!("{file}\n")
            );
        }
        let info = fs_err::read_to_string(unpacked.join("PKG-INFO")).unwrap();
        assert!(info.contains("License-File: LICENSE\n"), "{info}");
    }
}
