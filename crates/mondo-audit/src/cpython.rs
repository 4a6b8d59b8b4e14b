//! Names of CPython: its DLLs on Windows and the symbols of its C API.

/// Recognizes CPython's own DLL: `python3.dll`, `python312.dll`, `python313t.dll`.
pub(crate) fn is_python_dll(library: &str) -> bool {
    let library = library.to_ascii_lowercase();
    let version = library
        .strip_prefix("python3")
        .and_then(|rest| rest.strip_suffix(".dll"));
    version.is_some_and(|version| {
        let version = version.strip_suffix('t').unwrap_or(version);
        version.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Recognizes a symbol of CPython's C API, which the interpreter defines.
pub(crate) fn is_python(name: &str) -> bool {
    name.starts_with("Py") || name.starts_with("_Py")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dlls_of_cpython_3_are_known() {
        assert!(is_python_dll("python3.dll") && is_python_dll("PYTHON313t.dll"));
        assert!(!is_python_dll("python3x.dll") && !is_python_dll("python27.dll"));
    }
}
