//! The check of bytecode before MLIR reads it, whose reader writes outside of its buffers where counts
//! in a file are wrong.

use std::ffi::CString;
use std::fs::File;
use std::io::Read;

use mondo_bytecode::{Error, MAGIC, check, check_file, is_bytecode};
use mondo_sys::*;

use crate::interop::string::{Terminated, string_ref};

/// True if `source` is text or sound bytecode, so that MLIR may read it; else a diagnostic says where
/// it is damaged, at the file `name`. The context is live.
pub(crate) fn may_be_read(context: MlirContext, source: &Terminated, name: &str) -> bool {
    let bytes = source.bytes();
    !is_bytecode(bytes) || said(context, name, check(bytes))
}

/// As [`may_be_read`], of the file at `path`. MLIR says of a file that it cannot be read.
pub(crate) fn file_may_be_read(context: MlirContext, path: &str) -> bool {
    let mut bytes = MAGIC.to_vec();
    let Ok(mut file) = File::open(path) else {
        return true;
    };
    // Text, which may be of any length, is not read twice.
    if file.read_exact(&mut bytes).is_err() || !is_bytecode(&bytes) {
        return true;
    }
    file.read_to_end(&mut bytes).is_err() || said(context, path, check_file(&bytes))
}

/// Emits the error of a check as a diagnostic. The context is live.
fn said(context: MlirContext, name: &str, checked: Result<(), Error>) -> bool {
    let Err(error) = checked else { return true };
    let message = format!("the bytecode is damaged: {error}");
    let message = CString::new(message).unwrap_or_default();
    // SAFETY: the callers' context is live, so that its new location is; MLIR copies both texts.
    unsafe {
        let place = mlirLocationFileLineColGet(context, string_ref(name), 0, 0);
        mlirEmitError(place, message.as_ptr());
    }
    false
}
