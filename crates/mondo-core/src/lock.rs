//! File locks on folders that several processes may write to.

use std::io::{Read, Seek, Write};
use std::time::Duration;

use camino::Utf8Path;

use crate::error::Result;
use crate::progress::Sink;

/// The most characters of a holder's command line that are shown.
const COMMAND: usize = 120;

/// Locks the file `lock` in `folder`, and waits if another process holds the lock. A note for `sink` names the folder
/// and the process. An error of `check` ends the wait. The lock is released when the returned file is dropped. The
/// operating system releases it when the process ends in any way, so a lock is never stale.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where the file cannot be made; those of `check`.
pub fn hold(
    folder: &Utf8Path,
    sink: &dyn Sink,
    check: &dyn Fn() -> Result<()>,
) -> Result<fs_err::File> {
    let mut file = fs_err::OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(folder.join("lock"))?;
    if file.file().try_lock().is_err() {
        sink.note(&format!(
            "waiting for another build in {folder}{}",
            holder(&mut file)
        ));
        while file.file().try_lock().is_err() {
            check()?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    sign(&mut file)?;
    Ok(file)
}

/// Writes who holds the lock, for those who wait.
fn sign(file: &mut fs_err::File) -> Result<()> {
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let mut command = words.join(" ");
    command.retain(|char| !char.is_control());
    if let Some((end, _)) = command.char_indices().nth(COMMAND) {
        command.truncate(end);
        command.push('…');
    }
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {}: {command}", std::process::id())?;
    Ok(())
}

/// The words about the process that holds a lock. Empty if the text of the file is not complete.
fn holder(file: &mut fs_err::File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
    match (read, text.strip_suffix('\n')) {
        (Ok(_), Some(who)) => format!(" ({who})"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};
    use crate::progress::{Recorded, Silent};

    #[test]
    fn a_folder_has_one_holder_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let first = hold(dir, &Silent, &|| Ok(())).unwrap();
        let stopped = || Err(Error::new(ErrorKind::Interrupted, "stopped"));
        let error = hold(dir, &Silent, &stopped).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
        drop(first);
        hold(dir, &Silent, &stopped).unwrap();
    }

    #[test]
    fn whoever_waits_is_told_for_which_process() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        // An earlier holder's longer text leaves nothing behind.
        fs_err::write(dir.join("lock"), "process 1: ".repeat(100)).unwrap();
        let first = hold(dir, &Silent, &|| Ok(())).unwrap();
        let stopped = || Err(Error::new(ErrorKind::Interrupted, "stopped"));
        let notes = Recorded::default();
        hold(dir, &notes, &stopped).unwrap_err();
        first.set_len(0).unwrap();
        hold(dir, &notes, &stopped).unwrap_err();
        let notes = notes.into_lines();
        let start = format!(
            "waiting for another build in {dir} (process {}: ",
            std::process::id()
        );
        assert!(notes[0].starts_with(&start), "{notes:?}");
        assert!(notes[0].contains("mondo_core-") && notes[0].ends_with(')'));
        assert_eq!(notes[0].lines().count(), 1);
        assert_eq!(notes[1], format!("waiting for another build in {dir}"));
    }
}
