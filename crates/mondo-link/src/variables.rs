//! Variables of the environment that change what a C++ compiler or linker makes.

use std::collections::BTreeSet;
use std::ffi::OsString;

/// Variables of GCC and Clang that change what they read or write although they do not appear in the command. For the
/// C++ of dialect crates they are part of the digest and not removed, since its headers may be found by them.
pub(crate) const COMPILERS: [&str; 10] = [
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "GCC_COMPARE_DEBUG",
    "GCC_EXEC_PREFIX",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
    "SOURCE_DATE_EPOCH",
];

/// The variables `COMPILERS` of this process, one per line, as a part of the digest of a compilation or link.
#[must_use]
pub fn of_compilers() -> String {
    chosen(std::env::vars_os(), |name| COMPILERS.contains(&name))
}

/// The variables that `choose` takes, sorted by name.
pub(crate) fn chosen(
    environment: impl Iterator<Item = (OsString, OsString)>,
    choose: impl Fn(&str) -> bool,
) -> String {
    let lines: BTreeSet<String> = environment
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| choose(name))
        .map(|(name, value)| format!("{name}={value:?}\n"))
        .collect();
    lines.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_sorted_and_have_their_values() {
        let environment = [("CPATH", "/x"), ("HOME", "/"), ("COMPILER_PATH", "/y")];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        let text = chosen(environment.into_iter(), |name| COMPILERS.contains(&name));
        assert_eq!(text, "COMPILER_PATH=\"/y\"\nCPATH=\"/x\"\n");
    }
}
