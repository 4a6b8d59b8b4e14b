//! LLVM's programs that read object files (`llvm-readobj`, `llvm-nm`, `llvm-objdump`). No bundle needs them, so their
//! packages have a lock file of their own.

use camino::Utf8PathBuf;
use mondo_core::cache::use_entry;
use mondo_core::cache_entry::{self, Read, State};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;
use mondo_core::progress::Sink;

use crate::installation::Toolchain;
use crate::machine::Machine;
use crate::provision::{self, RECIPE, WORK_PREFIX};
use crate::request::Request;
use crate::{packages, unpack};

/// The folder with the programs: the toolchain's own, or one in the per-user cache, which is made from the packages
/// of `request.lock` if it is not there yet. The programs load the shared libraries of `toolchain`.
///
/// # Errors
///
/// As provisioning a toolchain; and where the packages have no such program.
pub fn readers(request: &Request, toolchain: &Toolchain, sink: &dyn Sink) -> Result<Utf8PathBuf> {
    let own = toolchain.prefix.join("bin");
    if own.join("llvm-readobj").is_file() {
        return Ok(own);
    }
    let set = provision::locked_set(request, &Machine::here())?;
    let home = request.cache_dir.join("readers");
    let root = home.join(set.folder(&set.digest(RECIPE)));
    let programs = format!("usr/lib/llvm-{}/bin", request.major);
    let state = cache_entry::check(&root, Read::Changed)?;
    if let State::Whole(_) = state {
        use_entry(&root);
        return Ok(root.join(programs));
    }
    fs_err::create_dir_all(&home)?;
    let _guard = provision::take_lock(&home, sink)?;
    if !cache_entry::usable(&root, "a set of LLVM's readers", sink)? {
        let guard = tempfile::Builder::new()
            .prefix(WORK_PREFIX)
            .tempdir_in(&home)?;
        let work = utf8(guard.path())?;
        let (apt, fresh) = (work.join("apt"), work.join("root"));
        fs_err::create_dir(&apt)?;
        let files = packages::gather(&set, request, &work.join("packages"), &apt, sink)
            .map_err(|error| state.not_repaired(error))?;
        unpack::unpack(&files, &fresh)?;
        unpack::settle_links(&fresh)?;
        if !fresh.join(&programs).join("llvm-readobj").is_file() {
            return Err(
                Error::new(ErrorKind::Toolchain, "the packages have no llvm-readobj")
                    .at(request.lock.as_str())
                    .help("add the package that has it to the lock"),
            );
        }
        cache_entry::seal(&fresh, &set.digest(RECIPE))?;
        cache_entry::install(&fresh, &root, work)?;
    }
    Ok(root.join(programs))
}
