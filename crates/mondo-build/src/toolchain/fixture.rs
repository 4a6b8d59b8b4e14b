//! Made-up installations and packages for this module's tests.

use camino::Utf8PathBuf;

use super::inspect::triplet;

/// A prefix inside of a made-up root, as Debian's packages lay it out; removed when dropped.
pub(super) struct Prefix {
    _dir: tempfile::TempDir,
    pub(super) root: Utf8PathBuf,
    pub(super) prefix: Utf8PathBuf,
}

impl Prefix {
    /// One with everything, whose programs say that they are of LLVM `version`.
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

fn make_executable(path: &camino::Utf8Path) {
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
