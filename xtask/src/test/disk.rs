//! Free space on the disk: a group of tests starts only when there is enough for it. Without that, linkers and
//! compilers fail with misleading errors.

use camino::Utf8Path;
use mondo::console;
use mondo_build::Result;
use mondo_testbed::Context;
use mondo_testbed::files::make_empty;
use mondo_testbed::verdict::expect;

/// The free disk space, in bytes, below which no group starts.
const NEEDED: u64 = 2_000_000_000;

/// Compares the free space where the groups write with [`NEEDED`]. When it is less, the folders of earlier
/// groups are removed, which their next run makes again.
pub(super) fn reserve(context: &Context<'_>) -> Result<()> {
    let scratch = context.scratch();
    fs_err::create_dir_all(&scratch)?;
    reserve_in(&scratch, NEEDED, free)
}

fn reserve_in(
    scratch: &Utf8Path,
    needed: u64,
    free: impl Fn(&Utf8Path) -> Result<u64>,
) -> Result<()> {
    if free(scratch)? >= needed {
        return Ok(());
    }
    console::err(format!(
        "the disk is nearly full: {scratch}, the folder of earlier groups, is emptied"
    ));
    make_empty(scratch)?;
    let left = free(scratch)?;
    let sizes = [left, needed].map(|size| size / 1_000_000);
    let shown = format!("{} MB are free, a group may need {}", sizes[0], sizes[1]);
    let help = "free some space; the groups of the gate together leave about 5 GB in `target`";
    let what = format!("the disk is nearly full: {scratch}");
    expect(left >= needed, what, shown).map_err(|error| error.help(help))
}

/// The bytes that a user without privileges may still write beside `place`.
fn free(place: &Utf8Path) -> Result<u64> {
    let disk = rustix::fs::statvfs(place.as_std_path()).map_err(std::io::Error::from)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    /// A disk with 3 bytes, of which each file in `place` takes one.
    fn small_disk(place: &Utf8Path) -> Result<u64> {
        let files = fs_err::read_dir(place)?.count();
        Ok(3 - u64::try_from(files).expect("a small number"))
    }

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8PathBuf::try_from(folder.path().to_owned()).expect("UTF-8");
        fs_err::create_dir(path.join("venvs")).expect("a folder in it");
        (folder, path)
    }

    #[test]
    fn folders_stay_while_there_is_space() {
        let (_folder, scratch) = scratch();
        reserve_in(&scratch, 2, small_disk).expect("two bytes are free");
        assert!(scratch.join("venvs").exists());
    }

    #[test]
    fn earlier_groups_lose_their_folders_when_space_is_short() {
        let (_folder, scratch) = scratch();
        reserve_in(&scratch, 3, small_disk).expect("three bytes are free without the folder");
        assert!(scratch.exists() && !scratch.join("venvs").exists());
    }

    #[test]
    fn a_full_disk_is_an_error_that_names_both_sizes() {
        let (_folder, scratch) = scratch();
        let error = reserve_in(&scratch, 9_000_000, |_| Ok(5_000_000)).expect_err("too little");
        let text = error.to_string();
        assert!(text.contains("5 MB are free, a group may need 9"), "{text}");
    }
}
