//! The staticlibs, compiled in a thread beside the phases that do without them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_core::interrupt::Stop;

use super::keys::Keys;
use super::request::Request;
use crate::step::Digests;

/// A thread that compiles the library's staticlib and then the extension's, or both at once.
#[derive(Debug)]
pub struct Compiling<'scope> {
    library: Receiver<Utf8PathBuf>,
    extension: ScopedJoinHandle<'scope, Result<Utf8PathBuf>>,
}

impl<'scope> Compiling<'scope> {
    /// Starts the thread; `stop` ends it. `digests` knows the files that a staticlib was made from once the
    /// thread has ended.
    pub fn start(
        scope: &'scope Scope<'scope, '_>,
        request: Request<'scope>,
        keys: &'scope Keys,
        digests: &'scope Digests,
        stop: &Arc<Stop>,
    ) -> Self {
        let stop = Arc::clone(stop);
        let (made, library) = channel();
        Self {
            library,
            extension: scope.spawn(move || compile(request, keys, digests, &stop, &made)),
        }
    }

    /// Waits for `libmondo_bundle.a`, the library's Rust; the extension may be compiled meanwhile.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Compile`] where cargo fails, with what it said.
    pub fn library(self) -> Result<(Utf8PathBuf, Self)> {
        match self.library.recv() {
            Ok(library) => Ok((library, self)),
            // The thread has ended without it.
            Err(_) => Err(match self.extension() {
                Err(error) => error,
                Ok(path) => unreachable!("{path} is compiled last"),
            }),
        }
    }

    /// Waits for `libmondo_py.a`, the extension module with the code for all dialects.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Compile`] where cargo fails, with what it said;
    /// [`mondo_core::ErrorKind::Interrupted`] after the `stop` of [`Compiling::start`].
    pub fn extension(self) -> Result<Utf8PathBuf> {
        self.extension
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn compile(
    request: Request<'_>,
    keys: &Keys,
    digests: &Digests,
    stop: &Arc<Stop>,
    made: &Sender<Utf8PathBuf>,
) -> Result<Utf8PathBuf> {
    // Only the first path is received, and none where a phase has failed meanwhile.
    let send = |library| drop(made.send(library));
    let [library, extension] = keys.code(request, stop, &send)?;
    send(library.path);
    digests.add(&library.read);
    digests.add(&extension.read);
    Ok(extension.path)
}
