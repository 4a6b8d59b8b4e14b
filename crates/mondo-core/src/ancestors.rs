//! The folders that a walk came through, to tell a link that leads back to one of them.

use std::os::unix::fs::MetadataExt;
use std::rc::Rc;

use camino::Utf8Path;

use crate::error::Result;

/// A folder and its ancestors, each identified by device and inode number. A walk follows links, so the ancestors are the
/// folders that it came through.
#[derive(Debug, Clone, Default)]
pub struct Ancestors(Option<Rc<Folder>>);

#[derive(Debug)]
struct Folder {
    id: (u64, u64),
    above: Ancestors,
}

impl Ancestors {
    /// The ancestors of what is in `folder`, or none if `folder` is one of these folders.
    ///
    /// # Errors
    /// `ErrorKind::Io` where the folder cannot be looked at.
    pub fn enter(&self, folder: &Utf8Path) -> Result<Option<Self>> {
        let metadata = fs_err::metadata(folder)?;
        let id = (metadata.dev(), metadata.ino());
        let mut folders =
            std::iter::successors(self.0.as_deref(), |folder| folder.above.0.as_deref());
        if folders.any(|folder| folder.id == id) {
            return Ok(None);
        }
        let above = self.clone();
        Ok(Some(Self(Some(Rc::new(Folder { id, above })))))
    }
}
