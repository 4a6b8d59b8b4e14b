//! The other layout of a bundle: what its wheel would hold, as a folder that another project's build
//! backend takes into a wheel of its own.
//!
//! ```text
//! acme_mlir-tree/
//!   mondo.json      what this is: `Description`
//!   python/         goes to the top of a wheel as it is; `acme/mlir/…` is in it
//!   licenses/       for that wheel's `.dist-info/licenses`
//!   sboms/          for its `.dist-info/sboms`
//!   cmake/          for find_package(mondo): the library, and where the rest is
//!   lib/            the static library, in a tree that has one
//! ```
//!
//! The tree is the audited wheel, file by file. It is written beside its place and takes it in one
//! step, so that there is always a whole one.

use std::collections::BTreeMap;
use std::io::{ErrorKind as IoErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;

use camino::Utf8Path;
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::{file, interrupt};
use mondo_plan::plan::{NATIVE_DIR, Plan};
use rayon::prelude::*;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::Serialize;

use crate::wheel::{Entry, Packed, Source, Stage, Tag, WheelFile, check_paths};

/// The file that makes a folder a tree.
pub const DESCRIPTION: &str = "mondo.json";

/// The description of a tree, for programs. Paths are relative to the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Description {
    /// The format's version: 1.
    pub tree: u32,
    /// The distribution's name, by which the SBOM calls it.
    pub distribution: String,
    /// Its version.
    pub version: String,
    /// The private label, or none for upstream's name.
    pub label: Option<String>,
    /// The dotted import root: `acme.mlir`.
    pub import_root: String,
    /// The folder whose contents go to the top of a wheel: `python`.
    pub python: String,
    /// The import root's folder: `python/acme/mlir`.
    pub package: String,
    /// The least that a wheel with this in it may be tagged with.
    pub tag: DescribedTag,
    /// `>=3.10`.
    pub requires_python: String,
    /// Requirements that the wheel has to have.
    pub requires: Vec<String>,
    /// The newest glibc version that its images need.
    pub glibc: String,
    /// LLVM's version.
    pub llvm: String,
    /// The dialects, by MLIR's names.
    pub dialects: Vec<String>,
    /// LLVM's code generators.
    pub llvm_targets: Vec<String>,
    /// The mondo library.
    pub library: DescribedLibrary,
    /// Extension modules.
    pub extensions: Vec<String>,
    /// The console scripts of MLIR's tools: command to entry point.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub scripts: BTreeMap<String, String>,
    /// An SPDX expression for all of it but LLVM and other libraries, which the SBOM has.
    pub license: String,
    /// Licence texts, which have to ship.
    pub licenses: Vec<String>,
    /// SBOMs.
    pub sboms: Vec<String>,
}

/// A wheel tag in its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DescribedTag {
    /// `cp310`.
    pub python: String,
    /// `abi3`.
    pub abi: String,
    /// `manylinux_2_36_x86_64`, or several joined by `.`.
    pub platform: String,
}

/// The library and headers to build against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DescribedLibrary {
    /// The library.
    pub file: String,
    /// Its SONAME.
    pub soname: String,
    /// The symbol version of what it exports.
    pub version_node: String,
    /// The C API's headers.
    pub include: String,
    /// The static library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
}

/// The inputs of a tree's description, beside its files.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Names and contents.
    pub plan: &'a Plan,
    /// The tag of the wheel that the tree would be.
    pub tag: &'a Tag,
    /// The glibc it needs.
    pub glibc: (u32, u32),
    /// LLVM's version.
    pub llvm: &'a str,
    /// The static library, if the tree is to have it.
    pub archive: Option<&'a Utf8Path>,
}

/// The name of the tree's folder in `out_dir`: `acme_mlir-tree`, or `acme_mlir-static` with the static library. It has no
/// version, so that build files can name it.
///
/// # Errors
/// `ErrorKind::Wheel` where name or version is not one, and `ErrorKind::Io` where the folder exists and is not a tree.
pub fn place(plan: &Plan, has_archive: bool, out_dir: &Utf8Path) -> Result<String> {
    let name = folder_name(plan, has_archive)?;
    check_place(&out_dir.join(&name))?;
    Ok(name)
}

fn folder_name(plan: &Plan, has_archive: bool) -> Result<String> {
    let kind = if has_archive { "static" } else { "tree" };
    Ok(format!("{}-{kind}", plan.metadata.file_name()?))
}

/// Writes the tree of `packed` into `out_dir`. `check` gets the bytes of the wheel that the tree corresponds to. If
/// `check` fails, nothing is written, and an earlier tree stays.
///
/// # Errors
/// `ErrorKind::Wheel` or `ErrorKind::Io` where it cannot be made, and the errors of `check`.
pub fn write(
    packed: Packed,
    about: About<'_>,
    out_dir: &Utf8Path,
    check: impl FnOnce(&str, &[u8]) -> Result<()>,
) -> Result<WheelFile> {
    check(&packed.name, &packed.bytes)?;
    let mut stage = laid_out(&packed);
    let mut description = describe(about, &stage)?;
    if let Some(archive) = about.archive {
        let place = format!("lib/{}", archive.file_name().unwrap_or_default());
        stage.file(place.clone(), archive, false);
        description.library.archive = Some(place);
    }
    let text = serde_json::to_string_pretty(&description).map_err(|error| {
        Error::new(ErrorKind::Wheel, "cannot describe the tree").caused_by(error)
    })?;
    stage.bytes(DESCRIPTION, text + "\n");
    stage.bytes("cmake/mondo-config.cmake", cmake(&description));

    let target = out_dir.join(folder_name(about.plan, about.archive.is_some())?);
    put(&stage, &target)?;
    Ok(WheelFile {
        sha256: digest::of_tree(&target)?,
        size: packed.entries.iter().map(|entry| entry.size).sum(),
        path: target,
        entries: packed.entries,
    })
}

/// The wheel's files in their places in the tree. What only an installer reads is left out.
fn laid_out(packed: &Packed) -> Stage {
    let place = |path: &str| {
        let dist_info = path
            .strip_prefix(packed.dist_info.as_str())
            .and_then(|rest| rest.strip_prefix('/'));
        match dist_info {
            None => Some(format!("python/{path}")),
            Some(dist_info) => ["licenses/", "sboms/"]
                .iter()
                .any(|folder| dist_info.starts_with(folder))
                .then(|| dist_info.to_owned()),
        }
    };
    let entries = packed.stage.entries.iter();
    let entries = entries.filter_map(|entry| {
        Some(Entry {
            path: place(&entry.path)?,
            ..entry.clone()
        })
    });
    Stage {
        entries: entries.collect(),
    }
}

fn describe(about: About<'_>, stage: &Stage) -> Result<Description> {
    let About {
        plan,
        tag,
        glibc,
        llvm,
        archive: _,
    } = about;
    let package = format!("python/{}", plan.identity.import_root.replace('.', "/"));
    let native = format!("{package}/{NATIVE_DIR}");
    let library = format!("{native}/{}", plan.identity.soname);
    let mut extensions: Vec<String> = stage
        .entries
        .iter()
        .filter(|entry| entry.executable && entry.path != library)
        .map(|entry| entry.path.clone())
        .collect();
    extensions.sort();
    let below = |folder: &str| {
        let entries = stage.entries.iter().map(|entry| entry.path.clone());
        let mut paths: Vec<String> = entries.filter(|path| path.starts_with(folder)).collect();
        paths.sort();
        paths
    };
    Ok(Description {
        tree: 1,
        distribution: plan.metadata.distribution.clone(),
        version: plan.metadata.normal_version()?,
        label: plan.identity.label.clone(),
        import_root: plan.identity.import_root.clone(),
        python: "python".into(),
        package,
        tag: DescribedTag {
            python: tag.python.clone(),
            abi: tag.abi.clone(),
            platform: tag.platform.clone(),
        },
        requires_python: plan.metadata.requires_python.clone(),
        requires: plan.metadata.requires.clone(),
        glibc: format!("{}.{}", glibc.0, glibc.1),
        llvm: llvm.to_owned(),
        dialects: plan
            .dialects
            .iter()
            .map(|dialect| dialect.name.clone())
            .collect(),
        llvm_targets: plan.llvm_targets.clone(),
        library: DescribedLibrary {
            file: library,
            soname: plan.identity.soname.clone(),
            version_node: plan.identity.version_node.clone(),
            include: format!("{native}/include"),
            archive: None,
        },
        extensions,
        scripts: plan
            .metadata
            .entry_points
            .get("console_scripts")
            .cloned()
            .unwrap_or_default(),
        license: plan.metadata.license.clone(),
        licenses: below("licenses/"),
        sboms: below("sboms/"),
    })
}

/// The file that `find_package(mondo CONFIG)` reads. It needs no quoting, because every name in it consists of
/// identifiers.
fn cmake(description: &Description) -> String {
    let Description {
        import_root,
        library,
        ..
    } = description;
    let native = format!("{}/{NATIVE_DIR}", import_root.replace('.', "/"));
    format!(
        "# {root}, for find_package(mondo CONFIG). MONDO_PYTHON_DIR goes to the top of a wheel; what links\n\
         # against mondo::mlir needs an rpath to ${{MONDO_NATIVE}}, which is relative to that.\n\
         get_filename_component(MONDO_TREE \"${{CMAKE_CURRENT_LIST_DIR}}/..\" ABSOLUTE)\n\
         set(MONDO_IMPORT_ROOT \"{root}\")\n\
         set(MONDO_NATIVE \"{native}\")\n\
         set(MONDO_PYTHON_DIR \"${{MONDO_TREE}}/python\")\n\
         set(MONDO_LICENSES_DIR \"${{MONDO_TREE}}/licenses\")\n\
         set(MONDO_SBOMS_DIR \"${{MONDO_TREE}}/sboms\")\n\
         if(NOT TARGET mondo::mlir)\n\
         \x20 add_library(mondo::mlir SHARED IMPORTED)\n\
         \x20 set_target_properties(mondo::mlir PROPERTIES\n\
         \x20   IMPORTED_LOCATION \"${{MONDO_TREE}}/{file}\"\n\
         \x20   IMPORTED_SONAME \"{soname}\"\n\
         \x20   INTERFACE_INCLUDE_DIRECTORIES \"${{MONDO_TREE}}/{include}\")\n\
         endif()\n",
        root = import_root,
        file = library.file,
        soname = library.soname,
        include = library.include,
    )
}

/// Refuses a `target` that exists and is not an earlier tree, because a tree replaces nothing else.
fn check_place(target: &Utf8Path) -> Result<()> {
    if target.symlink_metadata().is_err() || target.join(DESCRIPTION).is_file() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Io,
        "cannot write the tree: its folder exists and is not a tree",
    )
    .at(target)
    .because(format!("the folder has no {DESCRIPTION}"))
    .help("move the folder, or pass another one with `--out-dir`"))
}

/// Makes `stage` the content of the folder `target`: all of it or, after any error, none of it.
fn put(stage: &Stage, target: &Utf8Path) -> Result<()> {
    check_place(target)?;
    check_paths(stage.entries.iter().map(|entry| entry.path.as_str()))?;
    let dir = target
        .parent()
        .filter(|dir| !dir.as_str().is_empty())
        .unwrap_or(Utf8Path::new("."));
    let failed = |error: std::io::Error| {
        Error::new(ErrorKind::Io, "cannot write the tree")
            .at(target)
            .caused_by(error)
            .help("check that the output folder is writable, and that the disk is not full")
    };
    fs_err::create_dir_all(dir).map_err(failed)?;
    let temporary = tempfile::Builder::new()
        .prefix(".mondo-")
        .suffix(".tree.part")
        .tempdir_in(dir)
        .map_err(failed)?;
    let fresh = Utf8Path::from_path(temporary.path())
        .ok_or_else(|| Error::new(ErrorKind::Io, "the folder's name is not UTF-8").at(dir))?
        .join("tree");
    // Folders first: files are written beside each other.
    for entry in &stage.entries {
        let path = fresh.join(&entry.path);
        fs_err::create_dir_all(path.parent().unwrap_or(&fresh)).map_err(failed)?;
    }
    stage
        .entries
        .par_iter()
        .try_for_each(|entry| write_entry(entry, &fresh.join(&entry.path)))?;
    interrupt::check()?;
    take_place(&fresh, target).map_err(failed)
}

fn write_entry(entry: &Entry, path: &Utf8Path) -> Result<()> {
    interrupt::check()?;
    let mode = if entry.executable { 0o755 } else { 0o644 };
    let mut target = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .map_err(|error| Error::from(error).at(path))?;
    let written = match &entry.source {
        Source::Bytes(bytes) => target.write_all(bytes),
        Source::File(from) => std::io::copy(&mut file::open(from)?, &mut target).map(drop),
    };
    written
        .and_then(|()| target.sync_all())
        .map_err(|error| Error::from(error).at(path))
}

/// Gives `fresh` the name `target`. The two names are exchanged if there is an earlier tree, which afterwards is at
/// `fresh`. On file systems without an exchange the earlier tree is moved away first, and moved back if the new one
/// cannot take its place.
fn take_place(fresh: &Utf8Path, target: &Utf8Path) -> std::io::Result<()> {
    if target.symlink_metadata().is_err() {
        return std::fs::rename(fresh, target);
    }
    match renameat_with(
        CWD,
        fresh.as_std_path(),
        CWD,
        target.as_std_path(),
        RenameFlags::EXCHANGE,
    )
    .map_err(std::io::Error::from)
    {
        Err(error)
            if matches!(
                error.kind(),
                IoErrorKind::InvalidInput | IoErrorKind::Unsupported
            ) =>
        {
            let before = fresh.with_extension("before");
            std::fs::rename(target, &before)?;
            std::fs::rename(fresh, target).inspect_err(|_| {
                // The error of the first rename is reported, so an error of this one is ignored.
                let _ = std::fs::rename(&before, target);
            })
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::wheel::sbom::SbomInput;
    use crate::wheel::{WriteOptions, pack, platform};
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::manifest;
    use mondo_plan::plan;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    fn acme() -> Plan {
        let text = "manifest = 1\n[package]\ndistribution = \"acme-mlir\"\nlabel = \"acme\"\n\
                    license = \"MIT\"\n[llvm]\nversion = \"22\"\n[contents]\ndialects = []\n";
        let manifest = manifest::parse(text, "m.toml".into()).unwrap();
        plan::resolve(&manifest, &Catalogue::upstream().unwrap(), &[], "x86_64").unwrap()
    }

    /// A tree with a library of these bytes.
    fn write_to(
        dir: &Utf8Path,
        library: &str,
        check: impl FnOnce(&str, &[u8]) -> Result<()>,
    ) -> Result<WheelFile> {
        let (plan, tag) = (acme(), Tag::abi3((3, 10), platform((2, 17), "x86_64")));
        let mut stage = Stage::default();
        stage.bytes("acme/mlir/ir.py", "x = 1");
        stage.bytes("acme/mlir/_mlir_libs/libacme_mondo.so", library);
        stage.bytes("acme/mlir/_mlir_libs/_mlir.abi3.so", "extension");
        for entry in &mut stage.entries {
            entry.executable = entry.path.ends_with(".so");
        }
        let options = WriteOptions::default();
        let packed = pack(
            &stage,
            &plan.metadata,
            &tag,
            &SbomInput::default(),
            &options,
        )?;
        let about = About {
            plan: &plan,
            tag: &tag,
            glibc: (2, 17),
            llvm: "22.1.8",
            archive: None,
        };
        write(packed, about, dir, check)
    }

    #[test]
    fn a_tree_describes_itself() {
        let (_guard, dir) = folder();
        let written = write_to(&dir, "library", |name, bytes| {
            assert_eq!(
                name,
                "acme_mlir-22-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
            );
            assert!(bytes.starts_with(b"PK"));
            Ok(())
        })
        .unwrap();
        let tree = dir.join("acme_mlir-tree");
        assert_eq!(written.path, tree);
        assert_eq!(written.sha256, digest::of_tree(&tree).unwrap());
        let text = fs_err::read_to_string(tree.join(DESCRIPTION)).unwrap();
        let description: serde_json::Value = serde_json::from_str(&text).unwrap();
        insta::assert_json_snapshot!(description, @r#"
        {
          "tree": 1,
          "distribution": "acme-mlir",
          "version": "22",
          "label": "acme",
          "import_root": "acme.mlir",
          "python": "python",
          "package": "python/acme/mlir",
          "tag": {
            "python": "cp310",
            "abi": "abi3",
            "platform": "manylinux2014_x86_64.manylinux_2_17_x86_64"
          },
          "requires_python": ">=3.10",
          "requires": [],
          "glibc": "2.17",
          "llvm": "22.1.8",
          "dialects": [
            "builtin"
          ],
          "llvm_targets": [],
          "library": {
            "file": "python/acme/mlir/_mlir_libs/libacme_mondo.so",
            "soname": "libacme_mondo.so",
            "version_node": "ACME_MLIR_22",
            "include": "python/acme/mlir/_mlir_libs/include"
          },
          "extensions": [
            "python/acme/mlir/_mlir_libs/_mlir.abi3.so"
          ],
          "license": "MIT",
          "licenses": [],
          "sboms": [
            "sboms/acme_mlir.cdx.json"
          ]
        }
        "#);
    }

    #[test]
    fn the_description_of_a_tree_names_what_is_there() {
        let (_guard, dir) = folder();
        let tree = write_to(&dir, "library", |_, _| Ok(())).unwrap().path;
        let text = fs_err::read_to_string(tree.join(DESCRIPTION)).unwrap();
        let description: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in ["package", "python"] {
            assert!(tree.join(description[key].as_str().unwrap()).is_dir());
        }
        for file in ["library/file", "extensions/0", "sboms/0"] {
            let path = description.pointer(&format!("/{file}")).unwrap();
            assert!(tree.join(path.as_str().unwrap()).is_file(), "{file}");
        }
    }

    #[test]
    fn a_tree_is_the_wheel_without_what_an_installer_reads() {
        let (_guard, dir) = folder();
        let tree = write_to(&dir, "library", |_, _| Ok(())).unwrap().path;
        assert!(!tree.join("METADATA").exists());
        let library = tree.join("python/acme/mlir/_mlir_libs/libacme_mondo.so");
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &fs_err::metadata(library).unwrap().permissions(),
        );
        assert_eq!(mode & 0o111, 0o111, "{mode:o}");
    }

    /// A tree that is refused, or cannot be written, leaves the earlier tree and nothing else.
    #[test]
    fn an_earlier_tree_is_replaced_by_a_good_one_only() {
        let (_guard, dir) = folder();
        let library = dir.join("acme_mlir-tree/python/acme/mlir/_mlir_libs/libacme_mondo.so");
        write_to(&dir, "first", |_, _| Ok(())).unwrap();
        let refused = write_to(&dir, "second", |_, _| {
            Err(Error::new(ErrorKind::Audit, "no"))
        });
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Audit);
        assert_eq!(fs_err::read(&library).unwrap(), b"first");

        let mut stage = Stage::default();
        stage.file("python/x", dir.join("no such file"), false);
        put(&stage, &dir.join("acme_mlir-tree")).unwrap_err();
        assert_eq!(fs_err::read(&library).unwrap(), b"first");

        write_to(&dir, "third", |_, _| Ok(())).unwrap();
        assert_eq!(fs_err::read(&library).unwrap(), b"third");
        let left: Vec<_> = dir
            .read_dir_utf8()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        assert_eq!(left, ["acme_mlir-tree"]);
    }

    #[test]
    fn what_is_no_tree_is_not_replaced() {
        let (_guard, dir) = folder();
        let mine = dir.join("acme_mlir-tree/mine.txt");
        fs_err::create_dir_all(mine.parent().unwrap()).unwrap();
        fs_err::write(&mine, "years of work").unwrap();
        let error = write_to(&dir, "library", |_, _| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("mondo.json"), "{error}");
        assert_eq!(fs_err::read_to_string(&mine).unwrap(), "years of work");
    }
}
