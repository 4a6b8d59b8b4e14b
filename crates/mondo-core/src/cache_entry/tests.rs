//! Damage to entries, and entries that several processes make at once.

use camino::Utf8PathBuf;

use super::*;
use crate::progress::Silent;

fn entry(dir: &Utf8Path) -> Utf8PathBuf {
    let place = dir.join("kind/entry");
    put(&place, |fresh| {
        fs_err::create_dir(fresh.join("lib"))?;
        fs_err::write(fresh.join("lib/a.a"), "0123456789")?;
        fs_err::write(fresh.join("b"), "b")?;
        fs_err::os::unix::fs::symlink("lib/a.a", fresh.join("link"))?;
        Ok(())
    })
    .unwrap();
    place
}

/// Waits until the clock of the file system has ticked: on older kernels it ticks every few milliseconds.
fn tick() {
    std::thread::sleep(std::time::Duration::from_millis(20));
}

fn world() -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(dir.path()).unwrap().to_owned();
    (dir, path)
}

fn why(place: &Utf8Path) -> String {
    match check(place, Read::Changed).unwrap() {
        State::Damaged(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_of_damage_is_found_and_named() {
    type Damage = fn(&Utf8Path);
    let cases: &[(Damage, &str)] = &[
        (
            |at| fs_err::write(at.join("lib/a.a"), "012345678x").unwrap(),
            "lib/a.a has other bytes",
        ),
        (
            |at| fs_err::write(at.join("lib/a.a"), "").unwrap(),
            "lib/a.a has other bytes",
        ),
        (
            |at| fs_err::remove_file(at.join("b")).unwrap(),
            "b is missing",
        ),
        (
            |at| fs_err::write(at.join("lib/c.h"), "").unwrap(),
            "lib/c.h was added",
        ),
        (
            |at| {
                fs_err::remove_file(at.join("link")).unwrap();
                fs_err::os::unix::fs::symlink("b", at.join("link")).unwrap();
            },
            "the link link was changed",
        ),
        (
            |at| fs_err::write(at.join(RECORD), "{").unwrap(),
            "contents.json is missing or cannot be read",
        ),
        (
            |at| fs_err::remove_file(at.join(RECORD)).unwrap(),
            "contents.json is missing or cannot be read",
        ),
    ];
    for (damage, line) in cases {
        let (_guard, dir) = world();
        let place = entry(&dir);
        assert!(usable(&place, "an entry", &Silent).unwrap());
        tick();
        damage(&place);
        assert_eq!(why(&place), *line);
        assert!(!usable(&place, "an entry", &Silent).unwrap());
        entry(&dir);
        assert!(usable(&place, "an entry", &Silent).unwrap(), "rebuilt");
        let left = dir.join("kind").read_dir_utf8().unwrap().count();
        assert_eq!(left, 1, "no other folder remains");
    }
}

#[test]
fn a_copy_is_read_once() {
    let (_guard, dir) = world();
    let place = entry(&dir);
    let file = place.join("lib/a.a");
    let before = fs_err::read(place.join(RECORD)).unwrap();
    let copy = dir.join("copy");
    fs_err::copy(&file, &copy).unwrap();
    fs_err::rename(&copy, &file).unwrap();
    assert!(matches!(
        check(&place, Read::Changed).unwrap(),
        State::Whole(_)
    ));
    let after = fs_err::read(place.join(RECORD)).unwrap();
    assert_ne!(before, after, "the stamp of the copy");
    assert!(matches!(
        check(&place, Read::Changed).unwrap(),
        State::Whole(_)
    ));
    assert_eq!(after, fs_err::read(place.join(RECORD)).unwrap());
}

#[test]
fn a_hard_link_shows_what_is_written_through_it() {
    let (_guard, dir) = world();
    let place = entry(&dir);
    let file = place.join("lib/a.a");
    let other = dir.join("other");
    fs_err::hard_link(&file, &other).unwrap();
    assert!(matches!(
        check(&place, Read::Changed).unwrap(),
        State::Whole(_)
    ));
    tick();
    fs_err::write(&other, "abcdefghij").unwrap();
    assert_eq!(why(&place), "lib/a.a has other bytes");
}

#[test]
fn a_digest_that_was_changed_in_the_record_is_found_by_reading_all() {
    let (_guard, dir) = world();
    let place = entry(&dir);
    let mut record = Record::read(&place).unwrap();
    for taken in record.files.values_mut() {
        taken.sha256 = "0".repeat(64);
    }
    record.write(&place).unwrap();
    let state = check(&place, Read::All).unwrap();
    assert_eq!(
        state,
        State::Damaged("b has other bytes, lib/a.a has other bytes".to_owned())
    );
}

#[test]
fn many_damages_are_summed_up() {
    let lines: Vec<String> = (0..5).map(|index| index.to_string()).collect();
    assert_eq!(summary(&lines), "0, 1, 2, and 2 more");
}

#[test]
fn threads_that_make_damage_and_use_one_entry_end_with_a_whole_one() {
    let (_guard, dir) = world();
    let place = entry(&dir);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (dir, place) = (&dir, &place);
            scope.spawn(move || {
                for _ in 0..25 {
                    if worker == 0 {
                        let _ = fs_err::write(place.join("b"), "damage");
                    }
                    if !usable(place, "an entry", &Silent).unwrap() {
                        entry(dir);
                    }
                }
            });
        }
    });
    if !usable(&place, "an entry", &Silent).unwrap() {
        entry(&dir);
    }
    assert!(matches!(check(&place, Read::All).unwrap(), State::Whole(_)));
    assert_eq!(dir.join("kind").read_dir_utf8().unwrap().count(), 1);
}
