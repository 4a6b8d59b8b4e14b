//! The symbols of the installed C library and their versions, read from its symbol tables.
//!
//! glibc keeps what programs were once linked with, so the newest version of each symbol that is not
//! above the minimum is what the minimum glibc had. The tables do not tell in which of its libraries that
//! was: most of them became part of libc.so.6 in glibc 2.34.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{SymbolKind, read_image};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_toolchain::compiler_path;

use crate::machine::HOST;

/// A version of glibc: `(2, 2, 5)`. Versions since 2.3.4 have two numbers.
pub type Version = (u32, u32, u32);

/// `GLIBC_2.2.5` as numbers, or none for what is not a release, as `GLIBC_PRIVATE`.
#[must_use]
pub fn version(node: &str) -> Option<Version> {
    let mut numbers = node.strip_prefix("GLIBC_")?.split('.').map(str::parse);
    let major = numbers.next()?.ok()?;
    let mut next = || numbers.next().map_or(Some(0), Result::ok);
    let version = (major, next()?, next()?);
    numbers.next().is_none().then_some(version)
}

/// glibc's libraries that wheels may need, except the loader, whose name depends on the machine.
const LIBRARIES: &[&str] = &[LIBC, "libm.so.6", LIBPTHREAD, LIBDL, LIBRT];

pub(super) const LIBC: &str = "libc.so.6";
const LIBPTHREAD: &str = "libpthread.so.0";
const LIBDL: &str = "libdl.so.2";
const LIBRT: &str = "librt.so.1";

/// The release since which libc.so.6 contains libpthread, libdl and librt.
const MERGED: Version = (2, 34, 0);

/// The first symbol version that libpthread, libdl and librt have no symbols of: symbols of 2.32 and 2.33 were in
/// libc.so.6 from the start.
const LAST_OF_ITS_OWN: Version = (2, 32, 0);

/// The prefixes of the names of libpthread's functions.
const OF_LIBPTHREAD: &[&str] = &[
    "__pthread_",
    "_pthread_cleanup_",
    "call_once",
    "cnd_",
    "mtx_",
    "pthread_",
    "sem_",
    "thrd_",
    "tss_",
];

/// Functions with such a prefix that were in libc.so.6, and not in libpthread, before the libraries were merged.
const NOT_OF_LIBPTHREAD: &[&str] = &[
    "pthread_attr_destroy",
    "pthread_attr_getdetachstate",
    "pthread_attr_getinheritsched",
    "pthread_attr_getschedparam",
    "pthread_attr_init",
    "pthread_attr_setdetachstate",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam",
    "pthread_equal",
    "pthread_self",
    "thrd_current",
    "thrd_equal",
    "thrd_sleep",
    "thrd_yield",
];

/// The prefixes of the names of libdl's functions.
const OF_LIBDL: &[&str] = &[
    "dladdr", "dlclose", "dlerror", "dlinfo", "dlmopen", "dlopen", "dlsym", "dlvsym",
];

/// The prefixes of the names of librt's functions.
const OF_LIBRT: &[&str] = &["__mq_", "aio_", "lio_listio", "mq_", "shm_", "timer_"];

/// The prefixes of functions that came to libc.so.6 from libraries that no wheel may need.
const ELSEWHERE: &[&str] = &[
    "__dn_",
    "__res_dnok",
    "__res_hnok",
    "__res_mailok",
    "__res_mkquery",
    "__res_nmkquery",
    "__res_nquery",
    "__res_nsearch",
    "__res_nsend",
    "__res_ownok",
    "__res_query",
    "__res_search",
    "__res_send",
    "forkpty",
    "gai_cancel",
    "gai_error",
    "gai_suspend",
    "getaddrinfo_a",
    "login",
    "logout",
    "logwtmp",
    "ns_name_",
    "openpty",
];

/// Functions that no program takes from libc.so.6: `libc_nonshared.a` defines them in each image, because they have
/// to know which image calls them.
const NOT_SHARED: &[&str] = &["pthread_atfork"];

/// A symbol, in one of its versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The version.
    pub version: Version,
    /// Its size, if it is data.
    pub data: Option<u64>,
}

/// The C library that is installed here.
#[derive(Debug)]
pub struct Libc {
    /// Each library with its symbols, each of those in all of its versions.
    libraries: Vec<(String, BTreeMap<String, Vec<Entry>>)>,
    /// The files that were read.
    pub files: Vec<Utf8PathBuf>,
}

impl Libc {
    /// Reads the C library that `cxx` links with.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTool`] where it is not glibc, or not there.
    pub fn installed(cxx: &str) -> Result<Self> {
        let mut names: Vec<String> = LIBRARIES.iter().map(ToString::to_string).collect();
        names.push(HOST.loader.to_owned());
        let files = names
            .iter()
            .map(|name| path(cxx, name))
            .collect::<Result<Vec<_>>>()?;
        Self::read(names.into_iter().zip(files))
    }

    /// Reads libraries given as name and file.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` where a file is not a library.
    pub fn read(files: impl IntoIterator<Item = (String, Utf8PathBuf)>) -> Result<Self> {
        let mut libc = Self {
            libraries: Vec::new(),
            files: Vec::new(),
        };
        for (name, file) in files {
            let symbols = symbols(&file)?;
            libc.libraries.push((name, symbols));
            libc.files.push(file);
        }
        Ok(libc)
    }

    /// The glibc that it is: `(2, 36)`.
    #[must_use]
    pub fn version(&self) -> (u32, u32) {
        let entries = self
            .libraries
            .iter()
            .flat_map(|(_, symbols)| symbols.values());
        let newest = entries.flatten().map(|entry| entry.version).max();
        newest.map_or((0, 0), |(major, minor, _)| (major, minor))
    }

    /// Every library of the older `glibc`, with its symbols as they were there.
    #[must_use]
    pub fn at(&self, glibc: (u32, u32)) -> BTreeMap<&str, BTreeMap<&str, Entry>> {
        let glibc = (glibc.0, glibc.1, u32::MAX);
        let mut all: BTreeMap<&str, BTreeMap<&str, Entry>> = BTreeMap::new();
        for (library, symbols) in &self.libraries {
            all.entry(library).or_default();
            for (name, versions) in symbols {
                let known = versions.iter().filter(|entry| entry.version <= glibc);
                let newest = known.max_by_key(|entry| entry.version);
                if let Some(entry) = newest
                    && let Some(home) = home(library, name, entry.version, glibc)
                {
                    all.entry(home).or_default().insert(name, *entry);
                }
            }
        }
        all
    }

    /// True if `library` itself defines `symbol` with the version of `entry`.
    #[must_use]
    pub fn has(&self, library: &str, symbol: &str, entry: Entry) -> bool {
        let mut of_library = self.libraries.iter().filter(|(name, _)| name == library);
        of_library.any(|(_, symbols)| {
            symbols.get(symbol).is_some_and(|versions| {
                versions
                    .iter()
                    .any(|version| version.version == entry.version)
            })
        })
    }

    /// The oldest glibc that offers `symbol`, or none if this one does not.
    #[must_use]
    pub fn since(&self, symbol: &str) -> Option<(u32, u32)> {
        let of_all = self
            .libraries
            .iter()
            .filter_map(|(_, symbols)| symbols.get(symbol));
        let (major, minor, _) = of_all.flatten().map(|entry| entry.version).min()?;
        let elsewhere = ELSEWHERE.iter().any(|prefix| symbol.starts_with(prefix));
        let oldest = if elsewhere {
            (MERGED.0, MERGED.1)
        } else {
            (0, 0)
        };
        Some((major, minor).max(oldest))
    }
}

/// The library that had, at version `glibc`, a symbol that `library` has now, or none if no wheel may need it.
fn home<'a>(library: &'a str, name: &str, version: Version, glibc: Version) -> Option<&'a str> {
    if NOT_SHARED.contains(&name) {
        return None;
    }
    if library != LIBC || glibc >= MERGED || version >= LAST_OF_ITS_OWN {
        return Some(library);
    }
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if begins(ELSEWHERE) {
        None
    } else if begins(OF_LIBPTHREAD) && !NOT_OF_LIBPTHREAD.contains(&name) {
        Some(LIBPTHREAD)
    } else if begins(OF_LIBDL) {
        Some(LIBDL)
    } else if begins(OF_LIBRT) {
        Some(LIBRT)
    } else {
        Some(LIBC)
    }
}

fn path(cxx: &str, name: &str) -> Result<Utf8PathBuf> {
    compiler_path(cxx, name)?.ok_or_else(|| {
        Error::new(ErrorKind::MissingTool, format!("{name} was not found"))
            .because(
                "for a minimum glibc, mondo links against stubs that it generates from the \
                 installed C library",
            )
            .help("apt-get install libc6-dev")
    })
}

fn symbols(file: &Utf8Path) -> Result<BTreeMap<String, Vec<Entry>>> {
    let bytes = file::map(file)?;
    let facts = read_image(file.as_str(), &bytes).map_err(|error| unreadable(file, &error))?;
    let mut symbols: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for export in &facts.exports {
        // Thread-local data of glibc is private, and so are symbols of no release.
        if let (Some(version), true) = (
            export.version.and_then(version),
            export.kind != SymbolKind::Tls,
        ) {
            let data = (export.kind == SymbolKind::Object).then_some(export.size);
            let entry = Entry { version, data };
            symbols
                .entry(export.name.to_string())
                .or_default()
                .push(entry);
        }
    }
    Ok(symbols)
}

fn unreadable(file: &Utf8Path, error: &mondo_audit::ReadError) -> Error {
    Error::new(
        ErrorKind::MissingTool,
        "cannot read the installed C library",
    )
    .at(file)
    .because(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn libc() -> Libc {
        let entry = |version| Entry {
            version,
            data: None,
        };
        let symbols = [
            ("memcpy", vec![entry((2, 2, 5)), entry((2, 14, 0))]),
            ("pthread_create", vec![entry((2, 2, 5)), entry((2, 34, 0))]),
            ("pthread_self", vec![entry((2, 2, 5))]),
            ("pthread_sigmask", vec![entry((2, 2, 5)), entry((2, 32, 0))]),
            ("openpty", vec![entry((2, 2, 5)), entry((2, 34, 0))]),
            ("arc4random", vec![entry((2, 36, 0))]),
        ];
        let symbols = symbols.map(|(name, entries)| (name.to_owned(), entries));
        Libc {
            libraries: vec![(LIBC.to_owned(), symbols.into())],
            files: Vec::new(),
        }
    }

    fn shown(glibc: (u32, u32)) -> String {
        let libc = libc();
        let lines = libc.at(glibc).into_iter().flat_map(|(library, symbols)| {
            let line =
                move |(name, entry): (&str, Entry)| format!("{library} {name} {:?}", entry.version);
            symbols.into_iter().map(line).collect::<Vec<_>>()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_symbol_is_of_the_newest_version_that_the_minimum_had_and_where_it_was() {
        insta::assert_snapshot!(shown((2, 13)), @r"
        libc.so.6 memcpy (2, 2, 5)
        libc.so.6 pthread_self (2, 2, 5)
        libpthread.so.0 pthread_create (2, 2, 5)
        libpthread.so.0 pthread_sigmask (2, 2, 5)
        ");
        insta::assert_snapshot!(shown((2, 33)), @r"
        libc.so.6 memcpy (2, 14, 0)
        libc.so.6 pthread_self (2, 2, 5)
        libc.so.6 pthread_sigmask (2, 32, 0)
        libpthread.so.0 pthread_create (2, 2, 5)
        ");
        insta::assert_snapshot!(shown((2, 36)), @r"
        libc.so.6 arc4random (2, 36, 0)
        libc.so.6 memcpy (2, 14, 0)
        libc.so.6 openpty (2, 34, 0)
        libc.so.6 pthread_create (2, 34, 0)
        libc.so.6 pthread_self (2, 2, 5)
        libc.so.6 pthread_sigmask (2, 32, 0)
        ");
    }

    #[test]
    fn the_oldest_glibc_with_a_symbol_is_told() {
        let libc = libc();
        assert_eq!(libc.version(), (2, 36));
        assert_eq!(libc.since("memcpy"), Some((2, 2)));
        assert_eq!(libc.since("openpty"), Some((2, 34)));
        assert_eq!(libc.since("arc4random"), Some((2, 36)));
        assert_eq!(libc.since("mlirContextCreate"), None);
    }

    #[test]
    fn only_releases_are_versions() {
        assert_eq!(version("GLIBC_2.2.5"), Some((2, 2, 5)));
        assert_eq!(version("GLIBC_2.36"), Some((2, 36, 0)));
        for other in [
            "GLIBC_PRIVATE",
            "GLIBC_ABI_DT_RELR",
            "GCC_3.0",
            "GLIBC_2.1.2.3",
        ] {
            assert_eq!(version(other), None, "{other}");
        }
    }
}
