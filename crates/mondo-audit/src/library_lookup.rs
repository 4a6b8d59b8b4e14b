//! Lookup of needed libraries: the libraries that every system has, and the images of a set by the
//! names that a loader finds them by.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::image::Image;
use crate::image_facts::Format;

/// Libraries that every Windows has since the oldest one on which CPython 3.10 runs. The names are in lower case and
/// without `.dll`, sorted.
const WINDOWS: &[&str] = &[
    "advapi32",
    "bcrypt",
    "bcryptprimitives",
    "cfgmgr32",
    "comctl32",
    "comdlg32",
    "crypt32",
    "cryptbase",
    "d3d11",
    "d3d12",
    "d3d9",
    "dbghelp",
    "dnsapi",
    "dwmapi",
    "dwrite",
    "dxgi",
    "gdi32",
    "gdiplus",
    "glu32",
    "hid",
    "imm32",
    "iphlpapi",
    "kernel32",
    "kernelbase",
    "mpr",
    "msvcrt",
    "mswsock",
    "ncrypt",
    "netapi32",
    "ntdll",
    "odbc32",
    "ole32",
    "oleaut32",
    "opengl32",
    "pdh",
    "powrprof",
    "propsys",
    "psapi",
    "rpcrt4",
    "secur32",
    "setupapi",
    "shell32",
    "shlwapi",
    "sspicli",
    "synchronization",
    "ucrtbase",
    "user32",
    "userenv",
    "usp10",
    "uxtheme",
    "version",
    "winhttp",
    "wininet",
    "winmm",
    "winspool.drv",
    "wintrust",
    "wldap32",
    "ws2_32",
    "wsock32",
    "wtsapi32",
    "xmllite",
];

/// Libraries that CPython for Windows loads into its process.
const WITH_PYTHON: &[&str] = &["vcruntime140", "vcruntime140_1"];

/// Returns whether every system of this format has this library without installing anything.
pub(crate) fn is_system(format: Format, library: &str) -> bool {
    match format {
        Format::Elf => is_libc(library),
        // Only absolute paths count: `@rpath/libSystem.B.dylib` would be a library of the same name in a wheel.
        Format::MachO => ["/usr/lib/", "/System/Library/"]
            .iter()
            .any(|folder| library.starts_with(folder)),
        Format::Pe => {
            let library = library.to_ascii_lowercase();
            let name = library.strip_suffix(".dll").unwrap_or(&library);
            name.starts_with("api-ms-win-")
                || name.starts_with("ext-ms-win-")
                || WINDOWS.binary_search(&name).is_ok()
                || WITH_PYTHON.contains(&name)
        }
    }
}

/// Returns whether every system with glibc has this library.
pub(crate) fn is_libc(library: &str) -> bool {
    let family = [
        "libc.so.6",
        "libm.so.6",
        "libpthread.so.0",
        "libdl.so.2",
        "librt.so.1",
        "libutil.so.1",
        "libresolv.so.2",
        "libnsl.so.1",
        "libanl.so.1",
        "libmvec.so.1",
    ];
    family.contains(&library) || is_loader(library)
}

fn is_loader(library: &str) -> bool {
    library
        .strip_prefix("ld-linux")
        .is_some_and(|rest| rest.contains(".so.") && !rest.contains('/'))
}

/// The key of a lookup: the format; whether the name is the file's name or the one inside of the file (SONAME); the
/// name.
type Name<'n> = (Format, bool, Cow<'n, str>);

/// Key that the loader looks up when an image needs this library.
fn wanted(format: Format, library: &str) -> Name<'_> {
    match format {
        Format::Elf => (format, false, library.into()),
        // `@rpath/…` and `@loader_path/…` are folders that only the loader knows.
        Format::MachO if library.starts_with('@') => {
            let file = library.rsplit('/').next().unwrap_or(library);
            (format, true, file.into())
        }
        Format::MachO => (format, false, library.into()),
        Format::Pe => (format, true, library.to_ascii_lowercase().into()),
    }
}

/// The names that the loader finds this image by.
fn names<'i>(image: &'i Image<'_>) -> impl Iterator<Item = Name<'i>> {
    let (format, file) = (image.facts.format, image.facts.file_name());
    let soname = image.facts.soname;
    let (inside, file) = match format {
        Format::Elf => (Some(soname.unwrap_or(file)), None),
        Format::MachO => (soname, Some(Cow::from(file))),
        Format::Pe => (None, Some(file.to_ascii_lowercase().into())),
    };
    let inside = inside.map(|name| (format, false, Cow::from(name)));
    inside
        .into_iter()
        .chain(file.map(|name| (format, true, name)))
}

/// Returns whether the loader would take this image for that library.
pub(crate) fn provides(image: &Image<'_>, library: &str) -> bool {
    let wanted = wanted(image.facts.format, library);
    names(image).any(|name| name == wanted)
}

/// The images of a set, indexed by the names that the loader finds them by. A crafted image can need as many
/// libraries as there are images, so a search without the index would take quadratic time.
pub(crate) struct Providers<'s, T>(HashMap<Name<'s>, Vec<T>>);

impl<'s, T> Providers<'s, T> {
    /// Indexes pairs of an image and the value that stands for the image.
    pub(crate) fn new<'a: 's>(images: impl Iterator<Item = (&'s Image<'a>, T)>) -> Self
    where
        T: Copy,
    {
        let mut found: HashMap<Name<'s>, Vec<T>> = HashMap::new();
        for (image, known) in images {
            for name in names(image) {
                found.entry(name).or_default().push(known);
            }
        }
        Self(found)
    }

    /// Finds the images that the loader would take for `library`. Returns the values that stand for them, in the order of
    /// [`Self::new`].
    pub(crate) fn of<'q>(&'q self, format: Format, library: &'q str) -> &'q [T] {
        let found: Option<&'q Vec<T>> = self.0.get(&wanted(format, library));
        found.map_or(&[], Vec::as_slice)
    }
}

/// Returns for each image whether another image of the set needs it.
pub(crate) fn needed_by_others<'s, 'a: 's>(
    images: impl Iterator<Item = &'s Image<'a>> + Clone,
) -> Vec<bool> {
    let providers = Providers::new(images.clone().zip(0..));
    let mut needed = vec![false; images.clone().count()];
    for (at, image) in images.enumerate() {
        let libraries: HashSet<&str> = image.facts.needed.iter().copied().collect();
        for library in libraries {
            for &other in providers.of(image.facts.format, library) {
                needed[other] |= other != at;
            }
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libc_family_is_known_by_its_full_names() {
        for library in [
            "libc.so.6",
            "libm.so.6",
            "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1",
        ] {
            assert!(is_libc(library), "{library}");
        }
        for library in [
            "libc.so",
            "libstdc++.so.6",
            "libgcc_s.so.1",
            "/opt/ld-linux.so.2",
            "ld-linux-x",
        ] {
            assert!(!is_libc(library), "{library}");
        }
    }

    #[test]
    fn the_libraries_of_macos_and_windows_are_known() {
        assert!(WINDOWS.is_sorted(), "it is searched by halves");
        let system = |format, library| is_system(format, library);
        assert!(system(Format::MachO, "/usr/lib/libc++.1.dylib"));
        assert!(!system(Format::MachO, "@rpath/libc++.1.dylib"));
        assert!(!system(Format::MachO, "/usr/local/lib/libomp.dylib"));
        assert!(system(Format::Pe, "KERNEL32.dll"));
        assert!(system(Format::Pe, "api-ms-win-crt-heap-l1-1-0.dll"));
        assert!(system(Format::Pe, "VCRUNTIME140.dll"));
        assert!(!system(Format::Pe, "MSVCP140.dll"));
    }
}
