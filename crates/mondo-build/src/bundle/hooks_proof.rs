//! The proof of the operation hooks of an LLVM that the user brings: the library is loaded, and runs the check with which the
//! extension begins whenever it is imported.

use std::ffi::OsStr;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;

/// Prints the result of the check.
const SCRIPT: &str = "import ctypes, sys\n\
                      check = ctypes.CDLL(sys.argv[1]).mondoHooksWork\n\
                      check.restype = ctypes.c_bool\n\
                      print('proven' if check() else 'failed')\n";

/// Loads the library into a Python of its own and makes it create and destroy what the hooks observe.
///
/// # Errors
/// `ErrorKind::Archive` where a hook missed a call or counted one twice, and `ErrorKind::MissingTool` without Python.
pub(super) fn prove(library: &Utf8Path, python: &OsStr) -> Result<()> {
    let output = Tool::new(python, "prove the operation hooks")
        .fails_as(ErrorKind::Archive)
        .installed_by("apt-get install python3")
        .args(["-I", "-c", SCRIPT, library.as_str()])
        .output()?;
    if output.stdout.trim() == "proven" {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Archive,
        "the operation hooks do not work with this LLVM",
    )
    .at(library)
    .because("the library destroyed operations, blocks and arguments that its hooks did not see")
    .help("use an LLVM that docs/reference/llvm-versions.md lists, or report this one"))
}
