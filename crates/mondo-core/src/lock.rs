//! File locks on folders that several processes may write to.

use std::time::Duration;

use camino::Utf8Path;

use crate::error::Result;
use crate::progress::Sink;

/// Locks the file `lock` in `folder`, and waits if another process holds the lock; `sink` is told about the wait. An
/// error of `check` ends the wait. The lock is released when the returned file is dropped. The operating system
/// releases it when the process ends in any way, so a lock is never stale.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where the file cannot be made; those of `check`.
pub fn hold(
    folder: &Utf8Path,
    sink: &dyn Sink,
    check: &dyn Fn() -> Result<()>,
) -> Result<fs_err::File> {
    let file = fs_err::File::create(folder.join("lock"))?;
    if file.file().try_lock().is_err() {
        sink.note(&format!("waiting for another build in {folder}"));
        while file.file().try_lock().is_err() {
            check()?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};
    use crate::progress::Silent;

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
}
