//! `needed`: the system's own libraries, images of the set, and what the caller allows.

use super::count;
use crate::{Finding, Format, Image, Offender, Role, Rule, RuleId};

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

pub(crate) fn check(image: &Image<'_>, set: &[Image<'_>]) -> Option<Finding> {
    let format = image.facts.format;
    let extension = matches!(image.role, Role::Extension { .. });
    let allowed = |library: &str| match image.expect {
        Some(expect) => expect.needed.iter().any(|name| name == library),
        None => {
            format == Format::Elf && MANYLINUX.binary_search(&library).is_ok()
                || set.iter().any(|other| provides(other, library))
        }
    };
    let python = |library: &str| format == Format::Pe && extension && is_python_dll(library);
    let foreign: Vec<Offender> = image
        .facts
        .needed
        .iter()
        .filter(|library| !is_system(format, library) && !python(library) && !allowed(library))
        .map(|library| {
            let optional = image.facts.optional.contains(library);
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

/// Whether the loader would take this image for that library.
pub(crate) fn provides(image: &Image<'_>, library: &str) -> bool {
    let file = image.facts.file_name();
    match image.facts.format {
        Format::Elf => image
            .facts
            .soname
            .map_or(file == library, |soname| soname == library),
        // `@rpath/…` and `@loader_path/…` are folders that only the loader knows.
        Format::MachO if library.starts_with('@') => library.rsplit('/').next() == Some(file),
        Format::MachO => image.facts.soname == Some(library),
        Format::Pe => file.eq_ignore_ascii_case(library),
    }
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
