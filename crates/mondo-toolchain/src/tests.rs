//! Finding and provisioning from end to end, with made-up installations and real package files.

use std::time::Duration;

use mondo_core::digest::{Sha256, hex};
use mondo_core::error::ErrorKind;
use mondo_core::progress::Recorded;

use camino::Utf8PathBuf;

use super::*;
use crate::download::server::{Manner, Server};
use crate::fixture::{self, World, locked};
use crate::inspect::triplet;

#[test]
fn package_files_become_a_toolchain() {
    let world = World::with_packages("22.1.8");
    let toolchain = world.find().unwrap();
    assert_eq!(toolchain.version, "22.1.8");
    assert_eq!(toolchain.origin, Origin::Provisioned);
    assert!(toolchain.prefix.starts_with(&world.request.cache_dir));
    assert!(toolchain.prefix.join("bin/mlir-tblgen").is_file());
    assert_eq!(toolchain.packages.len(), 2);
    assert!(toolchain.library_dirs[0].ends_with(triplet()));
    assert_eq!(world.cache_entries().len(), 1, "one tree and no leftovers");
}

#[test]
fn a_second_run_needs_no_package_file_and_reports_nothing() {
    let world = World::with_packages("22.1.8");
    let toolchain = world.find().unwrap();
    fs_err::remove_dir_all(world.dir.join("debs")).unwrap();
    let notes = Recorded::default();
    let again = find_on(&world.request, &world.host, &notes).unwrap();
    assert_eq!(again, toolchain);
    assert_eq!(notes.into_lines(), [] as [&str; 0]);
}

#[test]
fn a_damaged_tree_is_made_anew() {
    for damage in ["lib/libMLIRIR.a", "include/mlir-c/IR.h"] {
        let world = World::with_packages("22.1.8");
        let prefix = world.find().unwrap().prefix;
        fs_err::remove_file(prefix.join(damage)).unwrap();
        let notes = Recorded::default();
        find_on(&world.request, &world.host, &notes).unwrap();
        assert!(prefix.join(damage).is_file());
        let lines = notes.into_lines().join("\n");
        assert!(
            lines.contains("is damaged") && lines.contains(damage),
            "{lines}"
        );
        assert_eq!(world.cache_entries().len(), 1);
    }
    let world = World::with_packages("22.1.8");
    let archive = world.find().unwrap().prefix.join("lib/libMLIRIR.a");
    fs_err::write(&archive, "!<a").unwrap();
    world.find().unwrap();
    assert_eq!(fs_err::read_to_string(&archive).unwrap(), "!<arch>\n");
}

#[test]
fn a_changed_byte_of_the_same_size_is_noticed() {
    for (path, changed) in [
        ("lib/libMLIRIR.a", "!<arcH>\n"),
        ("bin/mlir-tblgen", "another program"),
    ] {
        let world = World::with_packages("22.1.8");
        let file = world.find().unwrap().prefix.join(path);
        let before = fs_err::read_to_string(&file).unwrap();
        // On older kernels the clock of the file system ticks every few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        fs_err::write(&file, changed).unwrap();
        let notes = Recorded::default();
        find_on(&world.request, &world.host, &notes).unwrap();
        assert_eq!(fs_err::read_to_string(&file).unwrap(), before);
        let lines = notes.into_lines().join("\n");
        let line = format!("{path} has other bytes");
        assert!(
            lines.contains("rebuilding") && lines.contains(&line),
            "{lines}"
        );
    }
}

#[test]
fn damage_without_packages_is_an_error_of_integrity() {
    let world = World::with_packages("22.1.8");
    let archive = world.find().unwrap().prefix.join("lib/libMLIRIR.a");
    std::thread::sleep(Duration::from_millis(20));
    fs_err::write(&archive, "!<arcH>\n").unwrap();
    for name in ["libmlir-22-dev", "mlir-22-tools"] {
        fs_err::remove_file(world.deb(name)).unwrap();
    }
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
    let text = error.to_string();
    for word in ["libMLIRIR.a has other bytes", "--offline", "MONDO_DEB_DIR"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn a_wrong_hash_names_the_file_and_both_hashes() {
    let world = World::with_packages("22.1.8");
    let file = world.deb("mlir-22-tools");
    let mut bytes = fs_err::read(&file).unwrap();
    let expected = hex(Sha256::digest(&bytes));
    *bytes.last_mut().unwrap() ^= 1;
    fs_err::write(&file, &bytes).unwrap();
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity);
    assert_eq!(error.place(), Some(file.as_str()));
    let text = error.to_string();
    assert!(text.contains(&expected), "{text}");
    assert!(text.contains(&hex(Sha256::digest(&bytes))), "{text}");
    assert!(file.is_file(), "the user's file is not ours to remove");
    assert_eq!(world.cache_entries(), [] as [&str; 0]);
}

#[test]
fn a_bad_file_of_an_earlier_download_is_removed() {
    let mut world = World::with_packages("22.1.8");
    world.request.deb_dir = None;
    let store = world.request.cache_dir.join("packages");
    fs_err::create_dir_all(&store).unwrap();
    for name in ["libmlir-22-dev", "mlir-22-tools"] {
        let file = world.deb(name);
        fs_err::copy(&file, store.join(file.file_name().unwrap())).unwrap();
    }
    let bad = store.join(world.deb("mlir-22-tools").file_name().unwrap());
    fs_err::write(&bad, "half").unwrap();
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network, "{error}");
    assert_eq!(error.listed(), ["mlir-22-tools_22.1.8-1~deb12u1_amd64.deb"]);
    assert!(!bad.exists());

    // With the right file in place, the other downloaded files are used as they are, and removed afterwards.
    fs_err::copy(world.deb("mlir-22-tools"), &bad).unwrap();
    world.find().unwrap();
    assert!(!store.exists());
}

#[test]
fn a_truncated_package_leaves_no_tree() {
    let world = World::with_packages("22.1.8");
    let names = ["libmlir-22-dev", "mlir-22-tools"];
    let file = world.deb(names[0]);
    let bytes = fs_err::read(&file).unwrap();
    fs_err::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(world.find().unwrap_err().kind(), ErrorKind::Integrity);
    // The archive is refused even if the lock has the hash of the truncated file.
    world.lock(
        "22.1.8",
        names
            .iter()
            .map(|name| locked(name, &world.deb(name)))
            .collect(),
    );
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
    assert!(error.to_string().contains("unpack"), "{error}");
    assert_eq!(world.cache_entries(), [] as [&str; 0]);
}

#[test]
fn packages_that_lack_something_are_refused() {
    let world = World::with_packages("22.1.8");
    world.lock(
        "22.1.8",
        vec![locked("libmlir-22-dev", &world.deb("libmlir-22-dev"))],
    );
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert_eq!(error.listed(), ["bin/mlir-tblgen (program)"]);
    assert_eq!(world.cache_entries(), [] as [&str; 0]);
}

#[test]
fn packages_of_another_llvm_than_the_lock_says_are_refused() {
    let world = World::with_packages("22.1.9");
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert_eq!(
        error.listed(),
        ["LLVM 22.1.8 (the headers are from 22.1.9)"]
    );
}

#[test]
fn offline_without_packages_names_them_and_the_ways_out() {
    let world = World::with_packages("22.1.8");
    fs_err::remove_file(world.deb("libmlir-22-dev")).unwrap();
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network);
    let text = error.to_string();
    for part in [
        "1 of 2 packages of LLVM 22.1.8",
        "libmlir-22-dev_22.1.8-1~deb12u1_",
        "MONDO_DEB_DIR",
        "--llvm-dir",
        "apt-get install libmlir-22-dev",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn what_the_lock_does_not_have_is_told() {
    let mut world = World::with_packages("22.1.8");
    world.request.exact = Some("22.1.9".to_owned());
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(error.what().contains("22.1.9") && error.what().contains("22.1.8"));

    world.request.exact = None;
    world.request.major = 19;
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(error.what().contains("LLVM 19 packages for "), "{error}");

    world.request.major = 22;
    world.request.target.architecture = "riscv64".to_owned();
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(error.what().contains("for riscv64"), "{error}");

    world.request.lock = world.dir.join("none.lock");
    assert_eq!(world.find().unwrap_err().kind(), ErrorKind::Toolchain);
}

#[test]
fn the_lock_is_not_updated_offline() {
    let mut world = World::with_packages("22.1.8");
    world.request.update_lock = true;
    let before = fs_err::read(&world.request.lock).unwrap();
    assert_eq!(world.find().unwrap_err().kind(), ErrorKind::Network);
    assert_eq!(fs_err::read(&world.request.lock).unwrap(), before);
}

#[test]
fn a_killed_runs_leftovers_are_cleared() {
    let world = World::with_packages("22.1.8");
    let left = world.request.cache_dir.join("toolchains/.unpack-dead/root");
    fs_err::create_dir_all(&left).unwrap();
    world.find().unwrap();
    assert!(!left.exists());
}

#[test]
fn two_runs_at_once_make_one_tree() {
    let world = World::with_packages("22.1.8");
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| world.find().unwrap()))
            .collect();
        let found: Vec<Toolchain> = runs.into_iter().map(|run| run.join().unwrap()).collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    });
    assert_eq!(world.cache_entries().len(), 1);
}

#[test]
fn a_folder_in_the_environment_is_taken() {
    let mut world = World::with_packages("22.1.8");
    let given = fixture::Prefix::complete("22.1.8");
    world.request.env_llvm_dir = Some(given.prefix.clone());
    let toolchain = world.find().unwrap();
    assert_eq!(toolchain.origin, Origin::Environment);
    assert_eq!(toolchain.prefix, given.prefix.canonicalize_utf8().unwrap());
}

#[test]
fn the_environment_does_not_replace_an_incomplete_folder_of_the_flag() {
    let mut world = World::with_packages("22.1.8");
    let given = fixture::Prefix::complete("22.1.8");
    world.request.env_llvm_dir = Some(given.prefix.clone());
    let broken = fixture::Prefix::complete("22.1.8");
    fs_err::remove_file(broken.prefix.join("lib/libMLIRPass.a")).unwrap();
    world.request.llvm_dir = Some(broken.prefix.clone());
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(error.what().contains("--llvm-dir"), "{error}");
    assert_eq!(error.listed(), ["lib/libMLIRPass.a (archive)"]);
}

#[test]
fn a_folder_with_another_version_is_refused() {
    let mut world = World::with_packages("22.1.8");
    let other = fixture::Prefix::complete("19.1.7");
    world.request.llvm_dir = Some(other.prefix.clone());
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(
        error
            .to_string()
            .contains("it is LLVM 19.1.7; the manifest requires 22")
    );
}

#[test]
fn a_folder_that_does_not_exist_is_refused() {
    let mut world = World::with_packages("22.1.8");
    world.request.llvm_dir = Some(world.dir.join("nowhere"));
    assert_eq!(world.find().unwrap_err().kind(), ErrorKind::Toolchain);
}

#[test]
fn a_program_that_does_not_start_counts_as_missing() {
    let mut world = World::with_packages("22.1.8");
    let dead = fixture::Prefix::complete("22.1.8");
    fs_err::write(dead.prefix.join("bin/mlir-tblgen"), "#!/bin/sh\nexit 127\n").unwrap();
    world.request.llvm_dir = Some(dead.prefix.clone());
    let error = world.find().unwrap_err();
    assert!(
        error.listed()[0].starts_with("a working bin/mlir-tblgen"),
        "{error}"
    );
}

#[test]
fn a_complete_system_install_is_taken() {
    let (world, _system) = with_system_install();
    assert_eq!(world.find().unwrap().origin, Origin::System);
}

#[test]
fn a_system_install_of_another_version_is_passed_over() {
    let (mut world, _system) = with_system_install();
    world.request.exact = Some("22.1.9".to_owned());
    let report = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    assert!(report.toolchain.is_none());
    assert!(
        report
            .to_string()
            .contains("it is LLVM 22.1.8; the manifest requires 22.1.9")
    );
}

#[test]
fn doctor_says_what_a_system_install_lacks_and_downloads_nothing() {
    let (world, system) = with_system_install();
    fs_err::remove_file(system.prefix.join("lib/libMLIRIR.a")).unwrap();
    let report = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    let text = report.to_string();
    assert!(
        text.contains("it lacks lib/libMLIRIR.a (archive)"),
        "{text}"
    );
    assert!(text.contains("not provisioned yet"), "{text}");
    assert_eq!(world.cache_entries(), [] as [&str; 0]);
}

#[test]
fn packages_replace_an_incomplete_system_install() {
    let (world, system) = with_system_install();
    fs_err::remove_file(system.prefix.join("lib/libMLIRIR.a")).unwrap();
    assert_eq!(world.find().unwrap().origin, Origin::Provisioned);
    let report = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    let chosen: Vec<Origin> = report
        .candidates
        .iter()
        .filter(|candidate| candidate.chosen)
        .map(|candidate| candidate.origin)
        .collect();
    assert_eq!(chosen, [Origin::Provisioned]);
    assert_eq!(report.cache.toolchains.len(), 1);
}

/// A machine with LLVM 22.1.8 in the system's place.
fn with_system_install() -> (World, fixture::Prefix) {
    let mut world = World::with_packages("22.1.8");
    let system = fixture::Prefix::complete("22.1.8");
    world.host.root.clone_from(&system.root);
    (world, system)
}

#[test]
fn doctor_tells_a_refused_folder_as_a_problem_with_its_fix() {
    let mut world = World::with_packages("22.1.8");
    world.request.llvm_dir = Some(world.dir.join("nowhere"));
    let report = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    let problem = &report.problems[0];
    assert!(problem.what.contains("--llvm-dir"), "{problem:?}");
    assert!(problem.fix.contains("bin"), "{problem:?}");
    assert!(
        serde_json::to_string(&report)
            .unwrap()
            .contains("\"origin\":\"flag\"")
    );
}

/// Moves LLVM's files below `root`, in the world's folder, to other places. `to` names the new place of a path in the
/// prefix; files for which it names none are left out.
fn laid_out(world: &World, root: &str, to: impl Fn(&str) -> Option<String>) -> Utf8PathBuf {
    let root = world.dir.join(root);
    for (path, text) in fixture::files("22.1.8") {
        let inside = path.trim_start_matches("usr/lib/llvm-22/");
        let Some(place) = to(inside) else {
            continue;
        };
        let place = root.join(place);
        fs_err::create_dir_all(place.parent().unwrap()).unwrap();
        fs_err::write(&place, text).unwrap();
        fixture::make_executable(&place);
    }
    root
}

/// The name of a static library that LLVM's archives need.
fn native(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    ["libz.a", "libzstd.a"].contains(&name).then_some(name)
}

/// A world with the layout of PyPI's packages, which lack native libraries, programs and libclang; the lock has these.
fn of_pypi() -> World {
    let mut world = World::with_packages("22.1.8");
    let site = laid_out(&world, "site-packages", |path| match path {
        _ if native(path).is_some() || path.starts_with("bin/") || path.contains("libclang") => {
            None
        }
        _ if path.to_lowercase().contains("mlir") => Some(format!("mlir/{path}")),
        _ => Some(format!("llvm/{path}")),
    });
    world.request.llvm_dir = Some(site);
    world
}

#[test]
fn what_packages_of_pypi_lack_comes_from_the_lock() {
    let world = of_pypi();
    let toolchain = world.find().unwrap();
    assert_eq!(toolchain.origin, Origin::Flag);
    let supplement = toolchain.supplement.as_ref().unwrap();
    assert_eq!(supplement.origin, Origin::Provisioned);
    assert_eq!(toolchain.library_dirs, supplement.library_dirs);
    assert_eq!(toolchain.libclang_dir, supplement.libclang_dir);
    assert!(toolchain.prefix.join("lib/libLLVMCore.a").is_file());
    assert!(toolchain.prefix.join("lib/libMLIRIR.a").is_file());
    let tblgen = toolchain.prefix.join("bin/mlir-tblgen");
    assert_eq!(
        tblgen.canonicalize_utf8().unwrap(),
        supplement.prefix.join("bin/mlir-tblgen")
    );
}

#[test]
fn the_doctor_says_where_parts_that_packages_of_pypi_lack_come_from() {
    let world = of_pypi();
    let absent = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    let fixes = absent.problems.iter().map(|problem| problem.fix.as_str());
    assert!(
        fixes.clone().any(|fix| fix == "mondo toolchain fetch"),
        "{fixes:?}"
    );
    world.find().unwrap();
    let present = doctor::doctor_on(&world.request, None, &world.host).unwrap();
    assert!(
        present
            .to_string()
            .contains("locked packages have what it lacks")
    );
}

#[test]
fn an_archive_that_packages_of_pypi_lack_does_not_come_from_the_lock() {
    let world = of_pypi();
    let archive = world.dir.join("site-packages/mlir/lib/libMLIRIR.a");
    fs_err::remove_file(&archive).unwrap();
    let text = world.find().unwrap_err().to_string();
    assert!(text.contains("lib/libMLIRIR.a (archive)"), "{text}");
}

#[test]
fn the_mlir_tblgen_of_another_version_does_not_fit() {
    let world = of_pypi();
    let config = world
        .dir
        .join("site-packages/llvm/include/llvm/Config/llvm-config.h");
    fs_err::write(config, "#define LLVM_VERSION_STRING \"22.1.7\"\n").unwrap();
    let text = world.find().unwrap_err().to_string();
    assert!(text.contains("has LLVM 22.1.8"), "{text}");
}

#[test]
fn libclang_for_a_prefix_between_releases_comes_from_another_version() {
    let mut world = World::with_packages("22.1.8");
    let own = laid_out(&world, "own", |path| {
        (!path.contains("libclang")).then(|| path.to_owned())
    });
    let config = own.join("include/llvm/Config/llvm-config.h");
    fs_err::write(config, "#define LLVM_VERSION_STRING \"24.0.0git\"\n").unwrap();
    let tblgen = own.join("bin/mlir-tblgen");
    fs_err::write(&tblgen, "#!/bin/sh\necho LLVM version 24.0.0git\n").unwrap();
    world.request.llvm_dir = Some(own.clone());
    world.request.major = 24;
    let toolchain = world.find().unwrap();
    assert_eq!(toolchain.version, "24.0.0git");
    let supplement = toolchain.supplement.as_ref().unwrap();
    assert_eq!(supplement.version, "22.1.8");
    assert_eq!(toolchain.libclang_dir, supplement.libclang_dir);

    // mlir-tblgen of another version would not understand the ODS files.
    fs_err::remove_file(tblgen).unwrap();
    let text = world.find().unwrap_err().to_string();
    assert!(text.contains("bin/mlir-tblgen (program)"), "{text}");
    assert!(text.contains("has no LLVM 24 packages"), "{text}");
}

#[test]
fn prefixes_of_conda_and_homebrew_are_complete() {
    let mut world = World::with_packages("22.1.8");
    // $CONDA_PREFIX has the files of all packages in the same folders.
    let conda = laid_out(&world, "conda", |path| match native(path) {
        Some(name) => Some(format!("lib/{name}")),
        None => Some(path.to_owned()),
    });
    // Homebrew has a folder for each package's version, and links to them in `opt`.
    let cellar = laid_out(&world, "brew/Cellar", |path| match native(path) {
        Some("libz.a") => Some("zlib/1.3.1/lib/libz.a".to_owned()),
        Some(name) => Some(format!("zstd/1.5.7/lib/{name}")),
        None => Some(format!("llvm/22.1.8/{path}")),
    });
    let opt = world.dir.join("brew/opt");
    fs_err::create_dir_all(&opt).unwrap();
    for package in ["llvm/22.1.8", "zlib/1.3.1", "zstd/1.5.7"] {
        let name = package.split('/').next().unwrap();
        fs_err::os::unix::fs::symlink(cellar.join(package), opt.join(name)).unwrap();
    }
    let cases = [
        (conda.clone(), vec![conda.join("lib")]),
        (
            opt.join("llvm"),
            vec![opt.join("zlib/lib"), opt.join("zstd/lib")],
        ),
    ];
    for (prefix, library_dirs) in cases {
        world.request.llvm_dir = Some(prefix.clone());
        let toolchain = world.find().unwrap();
        assert_eq!(toolchain.supplement, None, "{prefix}");
        assert_eq!(toolchain.prefix, prefix.canonicalize_utf8().unwrap());
        assert_eq!(toolchain.library_dirs, library_dirs);
    }
}

/// A world without files of its own, and a server of `manner` with those of its packages.
fn behind_a_mirror(manner: Manner) -> (World, Server) {
    let mut world = World::with_packages("22.1.8");
    let lock = Lock::read(&world.request.lock).unwrap();
    let packages = &lock.sets[0].packages;
    let files: Vec<Vec<u8>> = packages
        .iter()
        .map(|package| fs_err::read(world.deb(&package.name)).unwrap())
        .collect();
    let served: Vec<(&str, &[u8])> = packages
        .iter()
        .zip(&files)
        .map(|(package, bytes)| (package.path.as_str(), bytes.as_slice()))
        .collect();
    let server = Server::start(manner, &served);
    world.request.deb_dir = None;
    world.request.offline = false;
    world.request.mirrors.flag = Some(server.address().to_owned());
    (world, server)
}

#[test]
fn packages_come_from_a_mirror_once() {
    let (world, server) = behind_a_mirror(Manner::Good);
    let toolchain = world.find().unwrap();
    assert_eq!(toolchain.origin, Origin::Provisioned);
    assert_eq!(server.requests().len(), 2);
    world.find().unwrap();
    assert_eq!(server.requests().len(), 2);
    assert_eq!(world.cache_entries().len(), 1);
}

#[test]
fn a_mirror_with_wrong_files_or_none_is_an_error_that_names_them() {
    let (world, _server) = behind_a_mirror(Manner::WebPage);
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
    assert!(error.to_string().contains("a web page"), "{error}");

    let (mut world, _server) = behind_a_mirror(Manner::Good);
    let empty = Server::start(Manner::Good, &[]);
    world.request.mirrors.flag = Some(empty.address().to_owned());
    let error = world.find().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain, "{error}");
    let version = "1:22.1.8-1~deb12u1";
    let names = ["libmlir-22-dev", "mlir-22-tools"].map(|name| format!("{name} {version}"));
    assert_eq!(error.listed(), names);
    assert!(
        error.next_step().unwrap().contains("--update-lock"),
        "{error}"
    );
    assert_eq!(world.cache_entries(), [] as [&str; 0]);
}
