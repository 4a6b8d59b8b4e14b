//! A tar archive in memory, in the format of POSIX.1-2001 (pax), as [PEP 517] wants it: a ustar header for each file,
//! and an extended header before a file whose name a ustar header cannot hold.
//!
//! [PEP 517]: https://peps.python.org/pep-0517/#source-distributions

use mondo_core::error::{Error, ErrorKind, Result};
use tar::{Builder, EntryType, Header};

use crate::wheel::Epoch;

/// The most bytes of a name in a ustar header.
const NAME: usize = 100;
/// The largest size in bytes that the octal field of a header can represent.
const LARGEST: usize = 0o77_777_777_777;

pub(super) struct Archive {
    builder: Builder<Vec<u8>>,
    epoch: Epoch,
}

impl Archive {
    pub(super) fn new(epoch: Epoch) -> Self {
        Self {
            builder: Builder::new(Vec::new()),
            epoch,
        }
    }

    /// Adds a regular file.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for a file of more than 8 GiB.
    pub(super) fn file(&mut self, path: &str, content: &[u8], executable: bool) -> Result<()> {
        if content.len() > LARGEST {
            return Err(
                Error::new(ErrorKind::Wheel, "the file is too large for an sdist")
                    .at(path)
                    .help("exclude it with `exclude` in [tool.mondo.sdist]"),
            );
        }
        let mut name = path.to_owned();
        if path.len() > NAME || !path.is_ascii() {
            let record = [("path", path.as_bytes())];
            self.builder.append_pax_extensions(record)?;
            // A reader that does not know extended headers still gets a name.
            name = path.chars().filter(char::is_ascii).take(NAME).collect();
        }
        let mut header = Header::new_ustar();
        header.set_path(name)?;
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if executable { 0o755 } else { 0o644 });
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(self.epoch.0);
        header.set_size(content.len() as u64);
        header.set_cksum();
        self.builder.append(&header, content)?;
        Ok(())
    }

    /// The archive's bytes.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        Ok(self.builder.into_inner()?)
    }
}
