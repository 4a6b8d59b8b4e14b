//! The programs of locked packages on any host. They were linked for the C library of their own release, which an older
//! host lacks, so each is started by that library's loader. A script in the program's place does so, and thus anything
//! can start it: CMake, Ninja, a compiler.

use std::os::unix::fs::PermissionsExt as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

use crate::host::Target;
use crate::inspect::triplet;
use crate::installation::{SYSROOT, Toolchain};
use crate::lock::PackageSet;

/// The folder, beside `bin`, of the programs themselves. They find their libraries by the same relative path from both.
const FOLDER: &str = "programs";

const ELF: &[u8] = b"\x7fELF";

/// The names of the scripts that compile C and C++ for the sysroot.
pub(super) const COMPILERS: [(&str, &str); 2] = [("mondo-cc", "gcc"), ("mondo-c++", "g++")];

/// The minor versions of CPython whose headers a host may have.
const PYTHONS: std::ops::RangeInclusive<u32> = 10..=19;

/// Puts a script in place of each program of the LLVM prefixes in `root`, if the C library is there as well, and
/// adds scripts for compilers. `identity` is in the text of each, because compiler launchers take a script's text for
/// the identity of the compiler.
///
/// # Errors
/// `ErrorKind::Io` where a file cannot be read, moved or written.
pub(super) fn wrap(root: &Utf8Path, target: &Target, identity: &str) -> Result<()> {
    let Some(loader) = target.loader() else {
        return Ok(());
    };
    let loader = Utf8Path::new(SYSROOT).join(loader);
    let prefixes = root.join("usr/lib");
    if !root.join(&loader).is_file() || !prefixes.is_dir() {
        return Ok(());
    }
    for prefix in prefixes.read_dir_utf8()? {
        let prefix = prefix?.into_path();
        let bin = prefix.join("bin");
        let is_llvm = prefix
            .file_name()
            .is_some_and(|name| name.starts_with("llvm-"));
        if is_llvm && bin.is_dir() {
            let programs = prefix.join(FOLDER);
            wrap_folder(&bin, &programs, &loader)?;
            if programs.join("clang").is_file() {
                let prefix = prefix.strip_prefix(root).unwrap_or(&prefix);
                let compilers = Compilers {
                    base: "$root".to_owned(),
                    prefix: prefix.to_owned(),
                    loader: loader.clone(),
                    gcc: gcc(&root.join(SYSROOT))?,
                    identity: identity.to_owned(),
                };
                compilers.write(&bin)?;
                link_python_headers(&root.join(SYSROOT))?;
            }
        }
    }
    Ok(())
}

fn wrap_folder(bin: &Utf8Path, programs: &Utf8Path, loader: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(programs)?;
    let entries: Vec<_> = bin.read_dir_utf8()?.collect::<std::io::Result<_>>()?;
    for entry in entries {
        // A link leads to a program that gets a script, which looks at the name by which it was started.
        if !entry.file_type()?.is_file() || !is_elf(entry.path())? {
            continue;
        }
        fs_err::rename(entry.path(), programs.join(entry.file_name()))?;
        write_script(entry.path(), &script(entry.file_name(), loader))?;
    }
    Ok(())
}

fn write_script(file: &Utf8Path, text: &str) -> Result<()> {
    fs_err::write(file, text)?;
    fs_err::set_permissions(file, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Adds scripts to the LLVM of `set` in `root` that start the compiler of `base` with the headers and libraries of
/// `root`. Both are folders of the same cache.
///
/// # Errors
/// `ErrorKind::Io` where a script cannot be written.
pub(super) fn borrow_compiler(
    root: &Utf8Path,
    set: &PackageSet,
    base: &Toolchain,
    target: &Target,
    identity: &str,
) -> Result<()> {
    let (Some(loader), Some(sysroot)) = (target.loader(), &base.sysroot) else {
        return Ok(());
    };
    let base_root = sysroot.parent().unwrap_or(sysroot);
    let folder = base_root.file_name().unwrap_or_default();
    let compilers = Compilers {
        base: format!("$root/../{folder}"),
        prefix: base
            .prefix
            .strip_prefix(base_root)
            .unwrap_or(&base.prefix)
            .to_owned(),
        loader: Utf8Path::new(SYSROOT).join(loader),
        gcc: gcc(&root.join(SYSROOT))?,
        identity: identity.to_owned(),
    };
    let prefix = format!("usr/lib/llvm-{}", set.major().unwrap_or_default());
    compilers.write(&root.join(prefix).join("bin"))?;
    link_python_headers(&root.join(SYSROOT))
}

/// The version of the only GCC whose libraries are in `sysroot`; 0 without any.
fn gcc(sysroot: &Utf8Path) -> Result<u32> {
    let folder = sysroot.join("usr/lib/gcc").join(triplet());
    if !folder.is_dir() {
        return Ok(0);
    }
    let versions: Vec<_> = folder.read_dir_utf8()?.collect::<std::io::Result<_>>()?;
    let versions = versions
        .iter()
        .filter_map(|entry| entry.file_name().parse().ok());
    Ok(versions.max().unwrap_or_default())
}

/// Lets the compilers find the host's headers of Python, which are not in the lock. Debian's `pyconfig.h` includes one by its
/// path below `/usr/include`, where a compiler with a sysroot does not look. The links are the same on all hosts, and lead
/// nowhere on one without these headers.
fn link_python_headers(sysroot: &Utf8Path) -> Result<()> {
    let headers = Utf8Path::new("usr/include").join(triplet());
    fs_err::create_dir_all(sysroot.join(&headers))?;
    for minor in PYTHONS {
        let folder = headers.join(format!("python3.{minor}"));
        fs_err::os::unix::fs::symlink(Utf8Path::new("/").join(&folder), sysroot.join(&folder))?;
    }
    Ok(())
}

/// The scripts that compile with the Clang in one tree, and the headers and libraries of the same tree or of another.
struct Compilers {
    /// The folder of the tree with Clang, as the script names it.
    base: String,
    /// The prefix of Clang's LLVM, below that.
    prefix: Utf8PathBuf,
    /// The loader that starts Clang, below that.
    loader: Utf8PathBuf,
    /// The version of GCC whose libraries are used.
    gcc: u32,
    /// A text that differs whenever the packages do.
    identity: String,
}

impl Compilers {
    fn write(&self, bin: &Utf8Path) -> Result<()> {
        for (name, mode) in COMPILERS {
            write_script(&bin.join(name), &self.script(mode))?;
        }
        Ok(())
    }

    /// The script of a compiler. Clang takes the folder of its headers from its own name, which the loader's would replace.
    fn script(&self, mode: &str) -> String {
        let triplet = triplet();
        let libraries = libraries("$base");
        let Self {
            base,
            prefix,
            loader,
            gcc,
            identity,
        } = self;
        format!(
            r#"#!/bin/sh
# Compiles with the compiler, headers and libraries of the packages {identity}.
root=$(cd "${{0%/*}}/../../../.." && pwd -P) || exit 1
base={base}
prefix=$base/{prefix}
exec "$base/{loader}" --argv0 "$prefix/bin/clang" --library-path \
    "$prefix/lib:{libraries}" \
    "$prefix/{FOLDER}/clang" --driver-mode={mode} -no-canonical-prefixes --target={triplet} \
    --sysroot="$root/{SYSROOT}" --gcc-install-dir="$root/{SYSROOT}/usr/lib/gcc/{triplet}/{gcc}" \
    -fuse-ld=lld -shared-libasan -Wno-unused-command-line-argument "$@"
"#
        )
    }
}

fn is_elf(file: &Utf8Path) -> Result<bool> {
    use std::io::Read as _;
    let mut magic = Vec::new();
    fs_err::File::open(file)?
        .take(ELF.len() as u64)
        .read_to_end(&mut magic)?;
    Ok(magic == ELF)
}

/// The folders of the packages' libraries, for a script in which `root` is the folder of the unpacked packages.
fn libraries(root: &str) -> String {
    let triplet = triplet();
    format!(
        "{root}/usr/lib/{triplet}:{root}/lib/{triplet}:{root}/{SYSROOT}/usr/lib/{triplet}:{root}/{SYSROOT}/lib/{triplet}"
    )
}

/// The script in place of a program.
fn script(name: &str, loader: &Utf8Path) -> String {
    let libraries = libraries("$root");
    format!(
        r#"#!/bin/sh
# Starts the program with the loader and the libraries of the packages that it comes with.
here=$0
[ -h "$here" ] && here=$(readlink -f "$here")
bin=${{here%/*}}
root=$bin/../../../..
exec "$root/{loader}" --argv0 "$0" --library-path \
    "$bin/../lib:{libraries}" \
    "$bin/../{FOLDER}/{name}" "$@"
"#
    )
}

#[cfg(test)]
mod tests {
    use mondo_core::exec::Tool;

    use super::*;

    #[test]
    fn the_sysroot_has_links_to_the_hosts_headers_of_python() {
        let dir = tempfile::tempdir().unwrap();
        let sysroot = Utf8Path::from_path(dir.path()).unwrap();
        link_python_headers(sysroot).unwrap();
        let headers = format!("usr/include/{}/python3.10", triplet());
        let link = sysroot.join(&headers).read_link_utf8().unwrap();
        assert_eq!(link, format!("/{headers}"));
    }

    #[test]
    fn a_script_starts_the_program_with_its_own_loader() {
        let target = Target {
            architecture: "amd64".to_owned(),
        };
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let bin = root.join("usr/lib/llvm-22/bin");
        let loader = root.join(SYSROOT).join(target.loader().unwrap());
        fs_err::create_dir_all(&bin).unwrap();
        fs_err::create_dir_all(loader.parent().unwrap()).unwrap();
        fs_err::write(bin.join("lld"), b"\x7fELF program").unwrap();
        fs_err::write(bin.join("script"), "#!/bin/sh\n").unwrap();
        fs_err::os::unix::fs::symlink("lld", bin.join("ld.lld")).unwrap();
        let outside = root.join("usr/bin");
        fs_err::create_dir(&outside).unwrap();
        fs_err::os::unix::fs::symlink("../lib/llvm-22/bin/lld", outside.join("lld-22")).unwrap();

        // Without the C library, programs stay as they are.
        wrap(root, &target, "1").unwrap();
        assert!(is_elf(&bin.join("lld")).unwrap());

        fs_err::write(&loader, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n").unwrap();
        fs_err::set_permissions(&loader, std::fs::Permissions::from_mode(0o755)).unwrap();
        wrap(root, &target, "1").unwrap();
        assert_eq!(
            fs_err::read_to_string(bin.join("script")).unwrap(),
            "#!/bin/sh\n"
        );
        for started in [bin.join("lld"), bin.join("ld.lld"), outside.join("lld-22")] {
            let output = Tool::new(started.as_str(), "start it")
                .args(["-o", "two words"])
                .output()
                .unwrap();
            let lines: Vec<&str> = output.stdout.lines().collect();
            assert_eq!(lines[..2], ["--argv0", started.as_str()]);
            assert!(lines[3].contains("/sysroot/lib/"), "{}", lines[3]);
            let program = Utf8Path::new(lines[4]).canonicalize_utf8().unwrap();
            assert!(program.ends_with("llvm-22/programs/lld"), "{program}");
            assert_eq!(lines[5..], ["-o", "two words"]);
        }
    }
}
