//! Fixtures for this crate's tests: fake installations of LLVM and fake packages.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::{Sha256, hex};
use mondo_core::error::Result;
use mondo_core::exec::Tool;
use mondo_core::progress::Silent;

use crate::find_on;
use crate::host::{Host, Target};
use crate::inspect::triplet;
use crate::installation::Toolchain;
use crate::lock::{Lock, LockedPackage, PackageSet};
use crate::mirrors::NamedMirrors;
use crate::request::Request;

/// A fake prefix in a fake root of the file system, laid out as Debian's packages do it; removed when dropped.
pub(super) struct Prefix {
    _dir: tempfile::TempDir,
    /// The made-up root of the file system.
    pub(super) root: Utf8PathBuf,
    pub(super) prefix: Utf8PathBuf,
}

impl Prefix {
    /// A complete prefix, whose programs report LLVM `version`.
    pub(super) fn complete(version: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let major = version.split('.').next().unwrap();
        for (path, text) in files(version) {
            let path = root.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(&path, text).unwrap();
            make_executable(&path);
        }
        Self {
            prefix: root.join(format!("usr/lib/llvm-{major}")),
            _dir: dir,
            root,
        }
    }
}

pub(super) fn make_executable(path: &Utf8Path) {
    use std::os::unix::fs::PermissionsExt as _;
    if path.parent().is_some_and(|dir| dir.ends_with("bin")) {
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Path below the root, and content, of every file of a complete installation.
pub(super) fn files(version: &str) -> Vec<(String, String)> {
    let major = version.split('.').next().unwrap();
    let prefix = format!("usr/lib/llvm-{major}");
    let program = format!("#!/bin/sh\necho LLVM version {version}\n");
    let exports = "list(APPEND files \"${_IMPORT_PREFIX}/lib/libMLIRLinalgDialect.a\" )\n";
    let mut files = vec![
        (
            format!("{prefix}/include/llvm/Config/llvm-config.h"),
            format!(
                "#define LLVM_VERSION_STRING \"{version}\"\n#define LLVM_ENABLE_ZLIB 1\n\
                 #define LLVM_ENABLE_ZSTD 1\n"
            ),
        ),
        (
            format!("{prefix}/lib/cmake/mlir/MLIRTargets-release.cmake"),
            exports.to_owned(),
        ),
        (format!("{prefix}/bin/mlir-tblgen"), program.clone()),
        (format!("{prefix}/bin/FileCheck"), program),
    ];
    for header in [
        "llvm/ADT/StringRef.h",
        "llvm-c/Core.h",
        "mlir/IR/Operation.h",
        "mlir/IR/OpBase.td",
        "mlir-c/IR.h",
        "mlir-c/RegisterEverything.h",
    ] {
        files.push((format!("{prefix}/include/{header}"), String::new()));
    }
    for library in [
        "libLLVMCore.a",
        "libLLVMSupport.a",
        "libMLIRCAPIIR.a",
        "libMLIRIR.a",
        "libMLIRPass.a",
        "libMLIRSupport.a",
        "libMLIRLinalgDialect.a",
        "libclang-22.so.1",
    ] {
        files.push((format!("{prefix}/lib/{library}"), "!<arch>\n".to_owned()));
    }
    for library in ["libz.a", "libzstd.a"] {
        let path = format!("usr/lib/{}/{library}", triplet());
        files.push((path, "!<arch>\n".to_owned()));
    }
    files
}

/// A fake machine with a cache, a lock and a folder of package files.
pub(super) struct World {
    _dir: tempfile::TempDir,
    pub(super) dir: Utf8PathBuf,
    pub(super) request: Request,
    pub(super) host: Host,
}

impl World {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let root = path.join("root");
        fs_err::create_dir_all(root.join("etc")).unwrap();
        fs_err::create_dir_all(path.join("debs")).unwrap();
        let release = "ID=debian\nVERSION_CODENAME=bookworm\n";
        fs_err::write(root.join("etc/os-release"), release).unwrap();
        Self {
            request: Request {
                target: Target::like(&Host::here()),
                major: 22,
                exact: None,
                packages: Vec::new(),
                llvm_dir: None,
                env_llvm_dir: None,
                lock: path.join("toolchain.lock"),
                offline: true,
                update_lock: false,
                ask_suite: false,
                snapshot: false,
                cache_dir: path.join("cache"),
                deb_dir: Some(path.join("debs")),
                mirrors: NamedMirrors::default(),
            },
            host: Host::at(&root),
            dir: path,
            _dir: dir,
        }
    }

    /// Builds two package files that together are an LLVM, and locks them.
    pub(super) fn with_packages(version: &str) -> Self {
        let world = Self::new();
        let (runtime, development): (Vec<_>, Vec<_>) = files(version)
            .into_iter()
            .partition(|(path, _)| path.contains("/bin/"));
        let packages = vec![
            world.package(
                "libmlir-22-dev",
                &format!("1:{version}-1~deb12u1"),
                development,
            ),
            world.package("mlir-22-tools", &format!("1:{version}-1~deb12u1"), runtime),
        ];
        world.lock("22.1.8", packages);
        world
    }

    pub(super) fn lock(&self, llvm: &str, packages: Vec<LockedPackage>) {
        let mut lock = Lock::new();
        lock.replace(PackageSet {
            llvm: llvm.to_owned(),
            suite: "bookworm".to_owned(),
            architecture: self.request.target.architecture.clone(),
            packages,
            sysroot: Vec::new(),
            optional: Vec::new(),
            source: None,
            moved: None,
            base: None,
        });
        fs_err::write(&self.request.lock, lock.render()).unwrap();
    }

    pub(super) fn deb(&self, name: &str) -> Utf8PathBuf {
        let architecture = &self.request.target.architecture;
        self.dir.join(format!(
            "debs/{name}_1%3a22.1.8-1~deb12u1_{architecture}.deb"
        ))
    }

    pub(super) fn package(
        &self,
        name: &str,
        version: &str,
        files: Vec<(String, String)>,
    ) -> LockedPackage {
        let tree = self.dir.join("build").join(name);
        for (path, text) in files {
            let path = tree.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(&path, text).unwrap();
            make_executable(&path);
        }
        fs_err::create_dir_all(tree.join("DEBIAN")).unwrap();
        let control = format!(
            "Package: {name}\nVersion: {version}\nArchitecture: {}\nMaintainer: A <a@b.c>\n\
             Description: made up\n",
            self.request.target.architecture
        );
        fs_err::write(tree.join("DEBIAN/control"), control).unwrap();
        let file = self.deb(name);
        Tool::new("dpkg-deb", "build a package")
            .args(["-Znone", "-b", tree.as_str(), file.as_str()])
            .output()
            .unwrap();
        locked(name, &file)
    }

    pub(super) fn find(&self) -> Result<Toolchain> {
        find_on(&self.request, &self.host, &Silent)
    }

    /// The names of all entries in the cache's folder of toolchains.
    pub(super) fn cache_entries(&self) -> Vec<String> {
        let Ok(read) = self.request.cache_dir.join("toolchains").read_dir_utf8() else {
            return Vec::new();
        };
        read.map(|entry| entry.unwrap().file_name().to_owned())
            .filter(|name| name != ".lock")
            .collect()
    }
}

/// The lock's line for a package file of [`World`].
pub(super) fn locked(name: &str, file: &Utf8Path) -> LockedPackage {
    let bytes = fs_err::read(file).unwrap();
    LockedPackage {
        name: name.to_owned(),
        version: "1:22.1.8-1~deb12u1".to_owned(),
        sha256: hex(Sha256::digest(&bytes)),
        size: bytes.len() as u64,
        path: format!(
            "pool/main/l/llvm/{}",
            file.file_name().unwrap().replace("1%3a", "")
        ),
    }
}
