//! Names that Python, or mondo, already gives a meaning to.

/// The file that makes a folder a dialect crate.
pub const DIALECT_TOML: &str = "dialect.toml";

/// The name of `known` that is most like `name`, if the Jaro-Winkler similarity of both is above `least`, which is below 1.
#[must_use]
pub fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a String>,
    least: f64,
) -> Option<&'a String> {
    known
        .into_iter()
        .map(|other| (strsim::jaro_winkler(name, other), other))
        .filter(|(similarity, _)| *similarity > least)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, other)| other)
}

/// True if Python reads the word as a keyword, so that no module can have it as its name.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    listed(KEYWORDS, word)
}

/// True if the word is a Python identifier in ASCII.
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// True for the name of a command that a wheel can install.
pub(crate) fn is_command(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && !name.starts_with(['-', '.']) && name.chars().all(is_plain)
}

/// The next step for the name of a command that no wheel can install.
pub(crate) const COMMAND_HELP: &str = "use letters, digits, `-`, `_` and `.`: `toy-opt`";

/// True if the word can stand on a command line, in a generated file and in a path without being anything but a name.
#[must_use]
pub fn is_plain_word(word: &str) -> bool {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'`\\;$<>|&".contains(c);
    !word.is_empty()
        && !word.starts_with(['-', '@'])
        && word.chars().all(fits)
        && word.split('/').all(|part| part != "..")
}

/// The distribution's name as it stands in file names: lower case, each run of `-`, `_` and `.` one
/// `_` (the binary distribution format). None if it is not a valid name.
pub(crate) fn distribution(name: &str) -> Option<String> {
    let ends_well = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !ends_well(name.chars().next()) || !ends_well(name.chars().next_back()) {
        return None;
    }
    let mut normal = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => normal.push(c.to_ascii_lowercase()),
            '-' | '_' | '.' if normal.ends_with('_') => {}
            '-' | '_' | '.' => normal.push('_'),
            _ => return None,
        }
    }
    Some(normal)
}

/// The reason for which a private top-level package must not have this name, if there is one.
#[must_use]
pub fn reserved(word: &str) -> Option<&'static str> {
    if word == "mlir" {
        Some("`mlir` is the name of the bundle without a label")
    } else if word == "mondo" {
        Some("`mondo` is the name of mondo itself")
    } else if word == "test" || word == "tests" {
        Some("many packages install this name by accident")
    } else if listed(STANDARD_LIBRARY, word) {
        Some("it is a module of Python's standard library")
    } else {
        None
    }
}

/// True if a package of this name is on many machines, so that Python may take one for the other.
pub(crate) fn is_well_known(word: &str) -> bool {
    listed(WELL_KNOWN, word)
}

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Python's keywords (`keyword.kwlist`).
const KEYWORDS: &str = "
    False None True and as assert async await break class continue def del elif else except
    finally for from global if import in is lambda nonlocal not or pass raise return try
    while with yield
";

/// The public modules of CPython 3.10 to 3.14 (`sys.stdlib_module_names`).
const STANDARD_LIBRARY: &str = "
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath
    cmd code codecs codeop collections colorsys compileall compression concurrent
    configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
    datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
    faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath
    getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib
    imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3
    linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder
    msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
    operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
    plistlib poplib posix posixpath pprint profile profiling pstats pty pwd py_compile
    pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
    rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd
    smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl
    stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog
    tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter
    token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing
    unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg
    winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
";

/// Packages that are installed next to compilers and numerical programs, by the names that they are imported by.
const WELL_KNOWN: &str = "
    cffi click cupy dask google jax jaxlib jinja2 keras llvmlite matplotlib mpmath nanobind networkx numba numpy onnx
    onnxruntime packaging pandas pip pkg_resources polars psutil pybind11 pydantic pytest ray requests rich scipy
    setuptools six sklearn sympy tensorflow torch torchvision tqdm transformers triton tvm typing_extensions urllib3 wheel
    yaml
";

/// A distribution's name as an index compares it: `Acme_Toy.x` is `acme-toy-x`.
#[must_use]
pub(crate) fn normalized(distribution: &str) -> String {
    let words = distribution
        .split(['-', '_', '.'])
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_ascii_words_that_do_not_begin_with_a_digit() {
        for good in ["a", "_a", "A1", "acme_mlir"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "1a", "a-b", "a.b", "ä", "a b"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }

    #[test]
    fn plain_words_are_nothing_but_names() {
        for good in [
            "MLIRToyIR",
            "toy/Toy.h",
            "a::b",
            "check-toy",
            "x.y+z",
            "..a",
        ] {
            assert!(is_plain_word(good), "{good}");
        }
        for bad in [
            "", "-t", "--help", "@file", "../x.h", "a/../b", "..", "a b", "a\nb", "a\0", "a\"b",
            "$(x)", "a;b",
        ] {
            assert!(!is_plain_word(bad), "{bad}");
        }
    }

    #[test]
    fn names_with_a_meaning_are_known() {
        assert!(is_keyword("lambda") && !is_keyword("match"));
        assert!(reserved("json").is_some() && reserved("mlir").is_some());
        assert!(reserved("acme").is_none());
        assert!(is_well_known("numpy") && is_well_known("yaml") && !is_well_known("acme"));
    }

    #[test]
    fn names_are_escaped_for_file_names() {
        assert_eq!(distribution("mondo-mlir").as_deref(), Some("mondo_mlir"));
        assert_eq!(distribution("Acme.-_MLIR").as_deref(), Some("acme_mlir"));
        for bad in ["", "-a", "a-", "a b", "a/b", "é", "a\n"] {
            assert_eq!(distribution(bad), None, "{bad:?}");
        }
    }
}
