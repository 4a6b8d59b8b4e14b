//! A file that is truncated while it is mapped: the kernel sends SIGBUS to anyone who reads the part that is gone.

use crate::error::ErrorKind;

const MESSAGE: &str = "error[io]: a file was truncated while it was being read\n";

/// Ends the process with a message and the exit code of [`ErrorKind::Io`] if a mapped file is truncated, in place of a
/// crash. For programs, once, before they map a file.
pub fn report_truncated_maps() {
    // SAFETY: `sigaction` is a plain structure, for which zeros are a valid value; the handler has the signature that the
    // flags ask for, and calls nothing but `write` and `_exit`, which signal handlers may.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

extern "C" fn handle(_: libc::c_int) {
    // SAFETY: the message is alive for ever; `_exit` runs no code of this process.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(ErrorKind::Io.exit_code().into());
    }
}
