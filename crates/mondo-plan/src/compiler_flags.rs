//! Compiler flags that no code of a bundle has, whether a `dialect.toml` or a project's `CMake` gives them.

const PIC: &str = "a shared library consists of position-independent code";
const LTO: &str = "the audit reads the machine code of object files, which then have none";
const PROFILE: &str = "its profile would be written wherever the wheel is used";
const NATIVE: &str = "the wheel also runs on other machines than the one that compiles it";
const SANITIZER: &str =
    "the sanitizer's runtime would have to be in the program that imports the wheel";
const ABI: &str = "the C++ library's classes would differ from those in MLIR's own archives";

/// The beginnings of the flags, and why.
const FORBIDDEN: &[(&str, &str)] = &[
    ("-flto", LTO),
    ("-ffat-lto-objects", LTO),
    ("-march=native", NATIVE),
    ("-mcpu=native", NATIVE),
    ("-fsanitize", SANITIZER),
    ("-fno-pic", PIC),
    ("-fno-PIC", PIC),
    ("-fpie", PIC),
    ("-fPIE", PIC),
    ("-no-pie", PIC),
    ("-pie", PIC),
    ("-pg", PROFILE),
    ("--coverage", PROFILE),
    ("-coverage", PROFILE),
    ("-fprofile-", PROFILE),
    ("-ftest-coverage", PROFILE),
    (
        "-freorder-blocks-and-partition",
        "identical code is folded by the link, and an exception would unwind another function's frame",
    ),
    ("-D_GLIBCXX_USE_CXX11_ABI=0", ABI),
    ("-D_GLIBCXX_DEBUG", ABI),
];

/// The reason for which a flag is forbidden, if it is.
#[must_use]
pub fn forbidden(flag: &str) -> Option<&'static str> {
    let mut starts = FORBIDDEN.iter();
    let found = starts.find(|(start, _)| flag.starts_with(start));
    found.map(|(_, why)| *why)
}

/// The first forbidden flag of a command line that none after it takes back, and why it is forbidden.
#[must_use]
pub fn first_forbidden<'f>(flags: &[&'f str]) -> Option<(&'f str, &'static str)> {
    let standing = flags.iter().enumerate().filter(|(at, flag)| {
        let after = &flags[at + 1..];
        !after.iter().any(|later| takes_back(later, flag))
    });
    let mut found = standing.filter_map(|(_, flag)| Some((*flag, forbidden(flag)?)));
    found.next()
}

/// True if `later` undoes what `flag` says.
fn takes_back(later: &str, flag: &str) -> bool {
    if let Some(name) = later.strip_prefix("-fno-") {
        // `-fno-sanitize=all` after `-fsanitize=address`.
        let name = name.split('=').next().unwrap_or(name);
        let of_flag = flag.strip_prefix("-f").unwrap_or_default();
        return !name.is_empty() && of_flag.split('=').next() == Some(name);
    }
    match later {
        "-fPIC" | "-fpic" => forbidden(flag) == Some(PIC),
        _ => ["-march=", "-mtune=", "-mcpu=", "-D_GLIBCXX_USE_CXX11_ABI="]
            .iter()
            .any(|start| later.starts_with(start) && flag.starts_with(start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forbidden_flag_is_found() {
        assert_eq!(first("-O2 -march=native").as_deref(), Some("-march=native"));
        assert_eq!(first("-D_GLIBCXX_USE_CXX11_ABI=1 -fno-rtti"), None);
    }

    #[test]
    fn a_later_flag_takes_a_forbidden_one_back() {
        assert_eq!(first("-march=native -march=x86-64"), None);
        assert_eq!(first("-flto=auto -fno-lto"), None);
        assert_eq!(first("-fsanitize=address -fno-sanitize=all"), None);
        assert_eq!(first("-fPIE -fPIC"), None);
    }

    #[test]
    fn the_last_of_several_flags_counts() {
        assert_eq!(
            first("-march=x86-64 -march=native").as_deref(),
            Some("-march=native")
        );
        assert_eq!(first("-fPIC -fPIE").as_deref(), Some("-fPIE"));
    }

    fn first(line: &str) -> Option<String> {
        let flags: Vec<&str> = line.split(' ').collect();
        first_forbidden(&flags).map(|(flag, _)| flag.to_owned())
    }
}
