//! Runs each fuzz target's function once over each of its seeds: the part of fuzzing that takes seconds. It needs
//! neither libFuzzer nor another build of mondo-audit. It is a process of its own, because the functions measure the
//! memory that reading takes.

#[path = "../fuzz/src/memory.rs"]
pub mod memory;
#[path = "../fuzz/src/promises.rs"]
pub mod promises;
#[path = "../fuzz/src/targets.rs"]
pub mod targets;
#[path = "../fuzz/src/zip.rs"]
pub mod zip;

use camino::{Utf8Path, Utf8PathBuf};

fn names(folder: &Utf8Path) -> Vec<String> {
    let entries = folder.read_dir_utf8().expect("the folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_owned())
        .collect();
    names.sort_unstable();
    names
}

#[test]
#[ignore = "`cargo xtask test fuzz` makes the seeds, and names their folder in MONDO_FUZZ_SEEDS"]
fn each_target_takes_its_seeds() {
    let folder = std::env::var("MONDO_FUZZ_SEEDS").expect("MONDO_FUZZ_SEEDS");
    let folder = Utf8PathBuf::from(folder);
    let mut known: Vec<&str> = targets::ALL.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(
        names(&folder),
        known,
        "a target without seeds, or the reverse"
    );
    let programs = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let files: Vec<String> = known.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(
        names(&programs),
        files,
        "a program that is no target, or the reverse"
    );
    targets::alone();
    for (name, target) in targets::ALL {
        let seeds = names(&folder.join(name));
        assert!(!seeds.is_empty(), "{name} has no seed");
        for seed in seeds {
            // Shown when the target panics: the last line names the culprit.
            println!("{name} takes {seed}");
            target(&fs_err::read(folder.join(name).join(seed)).expect("the seed"));
        }
    }
}
