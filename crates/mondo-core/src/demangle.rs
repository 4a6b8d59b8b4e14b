//! C++ symbols in messages.

/// C++ names as a person writes them; others as they are.
#[must_use]
pub fn demangled(symbol: &str) -> String {
    // A name of C, such as `f`, may be the code of a type in C++.
    if !symbol.starts_with('_') {
        return symbol.to_owned();
    }
    cpp_demangle::Symbol::new(symbol)
        .ok()
        .and_then(|name| name.demangle().ok())
        .unwrap_or_else(|| symbol.to_owned())
}

#[cfg(test)]
mod tests {
    use super::demangled;

    #[test]
    fn a_name_of_c_is_no_type_of_cpp() {
        for name in ["f", "i", "shared", "_i"] {
            assert_eq!(demangled(name), name);
        }
        assert_eq!(demangled("_ZN3toy1fEi"), "toy::f(int)");
    }
}
