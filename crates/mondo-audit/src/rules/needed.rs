//! `needed`: the system's own libraries, images of the set, and what the caller allows.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::count;
use crate::{Finding, Format, Image, Offender, Role, Rule, RuleId, Subject};

/// Libraries that every Windows has since the oldest that CPython 3.10 runs on, in small letters
/// and without `.dll`; sorted.
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

/// What CPython for Windows brings into its process.
const WITH_PYTHON: &[&str] = &["vcruntime140", "vcruntime140_1"];

pub(crate) const RULE: Rule = Rule {
    title: "an image needs the system's libraries and its own companions only",
    applies: Subject::IMAGES,
    why: "A library that is not in the wheel has to be on the user's machine in a fitting version. \
          libstdc++ and libgcc, which manylinux allows, are shared with every other package of \
          the process; msvcp140.dll is not part of Windows, nor of Python.",
    fix: "link the library's static form, put the library into the wheel, or allow its name",
};

/// What a manylinux tag promises beside the libc family, whatever its version: PEP 600 and the PEPs
/// before it list them. Sorted.
const MANYLINUX: &[&str] = &[
    "libGL.so.1",
    "libICE.so.6",
    "libSM.so.6",
    "libX11.so.6",
    "libXext.so.6",
    "libXrender.so.1",
    "libexpat.so.1",
    "libgcc_s.so.1",
    "libglib-2.0.so.0",
    "libgobject-2.0.so.0",
    "libgthread-2.0.so.0",
    "libstdc++.so.6",
    "libz.so.1",
];

/// Whether every system of this format has this library, whatever is installed.
pub(crate) fn is_system(format: Format, library: &str) -> bool {
    match format {
        Format::Elf => is_libc(library),
        // `@rpath/libSystem.B.dylib` would be somebody's own.
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

/// Whether this is CPython's own DLL: `python3.dll`, `python312.dll`, `python313t.dll`.
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

/// Whether every system with glibc has this library.
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

pub(crate) fn check<T>(image: &Image<'_>, set: &Providers<'_, T>) -> Option<Finding> {
    let format = image.facts.format;
    let extension = matches!(image.role, Role::Extension { .. });
    let allowed = |library: &str| match image.expect {
        Some(expect) => expect.needed.iter().any(|name| name == library),
        None => {
            format == Format::Elf && MANYLINUX.binary_search(&library).is_ok()
                || !set.of(format, library).is_empty()
        }
    };
    let python = |library: &str| format == Format::Pe && extension && is_python_dll(library);
    let optional: HashSet<&str> = image.facts.optional.iter().copied().collect();
    let foreign: Vec<Offender> = image
        .facts
        .needed
        .iter()
        .filter(|library| !is_system(format, library) && !python(library) && !allowed(library))
        .map(|library| {
            let optional = optional.contains(library);
            Offender::new(*library, if optional { "may be missing" } else { "" })
        })
        .collect();
    (!foreign.is_empty()).then(|| {
        let system = match format {
            Format::Elf if image.expect.is_none() => "those that manylinux allows",
            Format::Elf => "the libc family",
            Format::MachO => "macOS's own",
            Format::Pe => "Windows's and Python's own",
        };
        let what = format!(
            "needs {} beside {system}",
            count(foreign.len(), "library", "libraries")
        );
        Finding::new(RuleId::Needed, image.severity(), image.facts.name, what).about(foreign)
    })
}

/// What loaders go by: whether it is the name of a file or that inside of it, and the name.
type Name<'n> = (Format, bool, Cow<'n, str>);

/// What the loader looks for when an image needs this library.
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

/// Whether the loader would take this image for that library.
pub(crate) fn provides(image: &Image<'_>, library: &str) -> bool {
    let wanted = wanted(image.facts.format, library);
    names(image).any(|name| name == wanted)
}

/// The images of a set by what the loader finds them by: a crafted one can need as many libraries as
/// there are images.
pub(crate) struct Providers<'s, T>(HashMap<Name<'s>, Vec<T>>);

impl<'s, T> Providers<'s, T> {
    /// Each image with what it is to be known by.
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

    /// Those that the loader would take for this library, in their order.
    pub(crate) fn of<'q>(&'q self, format: Format, library: &'q str) -> &'q [T] {
        let found: Option<&'q Vec<T>> = self.0.get(&wanted(format, library));
        found.map_or(&[], Vec::as_slice)
    }
}

/// For each of the images, whether another one needs it.
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
        assert!(MANYLINUX.is_sorted(), "it is searched by halves");
        let system = |format, library| is_system(format, library);
        assert!(system(Format::MachO, "/usr/lib/libc++.1.dylib"));
        assert!(!system(Format::MachO, "@rpath/libc++.1.dylib"));
        assert!(!system(Format::MachO, "/usr/local/lib/libomp.dylib"));
        assert!(system(Format::Pe, "KERNEL32.dll"));
        assert!(system(Format::Pe, "api-ms-win-crt-heap-l1-1-0.dll"));
        assert!(system(Format::Pe, "VCRUNTIME140.dll"));
        assert!(!system(Format::Pe, "MSVCP140.dll"));
        assert!(is_python_dll("python3.dll") && is_python_dll("PYTHON313t.dll"));
        assert!(!is_python_dll("python3x.dll") && !is_python_dll("python27.dll"));
    }
}
