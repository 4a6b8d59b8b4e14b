//! The way in which LLVM's archives were compiled, as their objects show it: the C++ library, assertions, type
//! information and sections of functions.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use serde::Serialize;

/// The way in which archives were compiled. An archive without objects has none of these.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveTraits {
    /// A failed assertion ends the process.
    pub assertions: bool,
    /// Classes have type information.
    pub rtti: bool,
    /// True if a section has several functions, which a linker keeps or drops together.
    pub shared_sections: bool,
    /// The names are those of libc++.
    pub libcxx: bool,
    /// Strings are those of libstdc++ before GCC 5.
    pub old_strings: bool,
}

/// The archive whose traits stand for all.
const ARCHIVE: &str = "lib/libMLIRIR.a";

impl ArchiveTraits {
    /// Reads the archive of MLIR's core in `prefix`.
    ///
    /// # Errors
    /// [`ErrorKind::Archive`] where it cannot be read.
    pub(super) fn of(prefix: &Utf8Path) -> Result<Self> {
        Self::of_archive(&prefix.join(ARCHIVE))
    }

    fn of_archive(path: &Utf8Path) -> Result<Self> {
        let map = file::map(path)?;
        Self::read(&map).map_err(|error| {
            Error::new(ErrorKind::Archive, "cannot read the archive")
                .at(path)
                .caused_by(error)
        })
    }

    fn read(bytes: &[u8]) -> object::read::Result<Self> {
        let mut traits = Self::default();
        let mut new_strings = false;
        let archive = ArchiveFile::parse(bytes)?;
        for member in archive.members() {
            let object = object::File::parse(member?.data(bytes)?)?;
            for section in object.sections() {
                traits.shared_sections |= section.name() == Ok(".text") && section.size() > 0;
            }
            for symbol in object.symbols() {
                let name = symbol.name().unwrap_or_default();
                traits.assertions |= name == "__assert_fail";
                traits.rtti |= name.starts_with("_ZTIN4mlir");
                traits.libcxx |= name.contains("St3__1");
                new_strings |= name.contains("7__cxx11");
                traits.old_strings |= name.starts_with("_ZNSs") || name.starts_with("_ZNKSs");
            }
        }
        // libstdc++ has functions of both kinds of strings, so only objects without any of the new kind tell.
        traits.old_strings &= !new_strings;
        Ok(traits)
    }

    /// What mondo cannot link, each with its reason.
    pub(super) fn refused(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.libcxx {
            all.push("they were compiled with libc++, but mondo links libstdc++".to_owned());
        }
        if self.old_strings {
            all.push(
                "they were compiled with `-D_GLIBCXX_USE_CXX11_ABI=0`, so their strings are \
                 others than mondo's"
                    .to_owned(),
            );
        }
        if self.shared_sections {
            all.push(
                "they were compiled without `-ffunction-sections`, which mondo needs to find \
                 the functions it redirects, and to drop unused ones"
                    .to_owned(),
            );
        }
        all
    }

    /// The traits that make another bundle than the locked archives, by name.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        [
            (self.assertions, "assertions"),
            (self.rtti, "rtti"),
            (self.shared_sections, "shared-sections"),
            (self.libcxx, "libc++"),
            (self.old_strings, "old-strings"),
        ]
        .into_iter()
        .filter_map(|(has, name)| has.then_some(name))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use mondo_core::exec::Tool;

    use super::*;
    use crate::linker::linker;

    /// A class with virtual functions, and a function that takes a string.
    const SOURCE: &str = "#include <cassert>\n#include <string>\n\
        namespace mlir { struct Base { virtual ~Base(); virtual int size(const std::string &); };\n\
        Base::~Base() {}\n\
        int Base::size(const std::string &text) { assert(!text.empty()); return text.copy(nullptr, 1); } }\n";

    /// The same without headers, in the namespace of libc++.
    const LIBCXX: &str = "namespace std { inline namespace __1 { struct string; } }\n\
        namespace mlir { int size(std::string &) { return 1; } }\n";

    const PLAIN: [&str; 4] = ["-DNDEBUG", "-fno-rtti", "-ffunction-sections", "-O2"];

    /// The traits of an archive of one object.
    fn compiled(source: &str, flags: &[&str]) -> ArchiveTraits {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let linker = linker(None).unwrap();
        fs_err::write(dir.join("a.cpp"), source).unwrap();
        let object = dir.join("a.o");
        Tool::new(&linker.cxx, "compile a fixture")
            .args(["-std=c++17", "-fPIC", "-c"])
            .args(flags)
            .args([dir.join("a.cpp").as_str(), "-o", object.as_str()])
            .output()
            .unwrap();
        let archive = dir.join("liba.a");
        linker
            .archiver("make an archive")
            .args(["rc", archive.as_str(), object.as_str()])
            .output()
            .unwrap();
        ArchiveTraits::of_archive(&archive).unwrap()
    }

    #[test]
    fn each_trait_is_found_and_named() {
        assert_eq!(compiled(SOURCE, &PLAIN), ArchiveTraits::default());
        let without = |flag: &str| -> Vec<&str> {
            let kept = PLAIN.iter().copied().filter(|&other| other != flag);
            kept.collect()
        };
        let cases = [
            (SOURCE, without("-DNDEBUG"), "assertions"),
            (SOURCE, without("-fno-rtti"), "rtti"),
            (SOURCE, without("-ffunction-sections"), "shared-sections"),
            (LIBCXX, PLAIN.to_vec(), "libc++"),
            (
                SOURCE,
                [&PLAIN[..], &["-D_GLIBCXX_USE_CXX11_ABI=0"]].concat(),
                "old-strings",
            ),
        ];
        for (source, flags, name) in cases {
            assert_eq!(compiled(source, &flags).names(), [name], "{flags:?}");
        }
    }

    #[test]
    fn what_cannot_be_linked_is_refused() {
        let refused = |flags: &[&str], source| compiled(source, flags).refused().join("\n");
        assert_eq!(refused(&["-O2", "-ffunction-sections"], SOURCE), "");
        assert!(refused(&["-O2"], SOURCE).contains("-ffunction-sections"));
        assert!(refused(&PLAIN, LIBCXX).contains("libc++"));
    }
}
