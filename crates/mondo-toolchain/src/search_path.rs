//! The folders of `PATH`, in which programs are looked for.

use camino::Utf8PathBuf;

/// The absolute folders of `PATH`, in its order.
pub(super) fn path_dirs() -> impl Iterator<Item = Utf8PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter_map(|dir| Utf8PathBuf::from_path_buf(dir).ok())
        .filter(|dir| dir.is_absolute())
        .collect::<Vec<_>>()
        .into_iter()
}
