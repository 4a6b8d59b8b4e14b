//! C++ symbols in messages.

/// C++ names as a person writes them; others as they are.
#[must_use]
pub fn demangled(symbol: &str) -> String {
    cpp_demangle::Symbol::new(symbol)
        .ok()
        .and_then(|name| name.demangle().ok())
        .unwrap_or_else(|| symbol.to_owned())
}
