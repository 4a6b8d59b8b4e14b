//! The paragraphs of lists of packages (deb-control(5)).

use crate::lock::LockedPackage;

/// One version of a package that apt can download.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offer {
    /// The package's name.
    pub name: String,
    /// The package's version, with the distribution's revision.
    pub version: String,
    /// The digest of the package file, in hexadecimal.
    pub sha256: String,
    /// The size of the package file in bytes.
    pub size: u64,
    /// The path of the package file below the archive.
    pub path: String,
    /// The names of packages that it depends on; of each group of alternatives, the first.
    pub depends: Vec<String>,
}

impl From<Offer> for LockedPackage {
    fn from(offer: Offer) -> Self {
        Self {
            name: offer.name,
            version: offer.version,
            sha256: offer.sha256,
            size: offer.size,
            path: offer.path,
        }
    }
}

/// One version of a source package that apt can download.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceOffer {
    /// Its version, with the distribution's revision.
    pub version: String,
    /// The folder of its files below the archive.
    pub folder: String,
    /// Its files.
    pub files: Vec<SourceFile>,
}

/// A file of a source package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Its digest, in hexadecimal.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
}

/// Reads the paragraphs of a list of packages, which `apt-cache show` prints too (deb-control(5)).
pub(super) fn stanzas(text: &str) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut offer = Offer::default();
        for line in paragraph.lines() {
            let Some((field, value)) = line.split_once(": ") else {
                continue;
            };
            let value = value.trim();
            match field {
                "Package" => value.clone_into(&mut offer.name),
                "Version" => value.clone_into(&mut offer.version),
                "Filename" => value.clone_into(&mut offer.path),
                "SHA256" => value.clone_into(&mut offer.sha256),
                "Size" => offer.size = value.parse().unwrap_or_default(),
                "Depends" | "Pre-Depends" => {
                    offer.depends.extend(value.split(',').filter_map(|group| {
                        let name = group
                            .trim()
                            .split(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))
                            .next()?;
                        (!name.is_empty()).then(|| name.to_owned())
                    }));
                }
                _ => {}
            }
        }
        if !offer.name.is_empty() && !offer.sha256.is_empty() {
            offers.push(offer);
        }
    }
    offers
}

/// Reads the paragraphs that `apt-cache showsrc` prints (dsc(5)).
pub(super) fn source_stanzas(text: &str) -> Vec<SourceOffer> {
    let mut offers: Vec<SourceOffer> = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut offer = SourceOffer::default();
        let mut digests = false;
        for line in paragraph.lines() {
            if !line.starts_with(' ') {
                digests = line.starts_with("Checksums-Sha256:");
                if let Some(version) = line.strip_prefix("Version: ") {
                    version.trim().clone_into(&mut offer.version);
                }
                if let Some(folder) = line.strip_prefix("Directory: ") {
                    folder.trim().clone_into(&mut offer.folder);
                }
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ([sha256, size, name], true) = (&words[..], digests) {
                offer.files.push(SourceFile {
                    name: (*name).to_owned(),
                    sha256: (*sha256).to_owned(),
                    size: size.parse().unwrap_or_default(),
                });
            }
        }
        if !offer.version.is_empty() && !offers.contains(&offer) {
            offers.push(offer);
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_apt_cache_are_read() {
        let offers = stanzas(
            "Package: a\nVersion: 1:2-3~deb12u1\nDepends: libc6 (>= 2.36), liba:any | libb\n\
             Filename: pool/a.deb\nSize: 42\nSHA256: ff\nDescription: x\n more: text\n\n\
             Package: a\nVersion: 1\nSize: 1\nSHA256: ee\n\nPackage: virtual\n",
        );
        assert_eq!(offers.len(), 2);
        assert_eq!(offers[0].version, "1:2-3~deb12u1");
        assert_eq!(offers[0].size, 42);
        assert_eq!(offers[0].path, "pool/a.deb");
        assert_eq!(offers[0].depends, ["libc6", "liba"]);
    }

    #[test]
    fn paragraphs_of_source_packages_are_read() {
        let offers = source_stanzas(
            "Package: llvm-toolchain-22\nVersion: 1:22.1.8-1\nChecksums-Sha256:\n ff 42 a.orig.tar.xz\n \
             ee 1 a.dsc\nFiles:\n 00 42 a.orig.tar.xz\nDirectory: pool\n\nPackage: x\n",
        );
        assert_eq!(offers.len(), 1);
        assert_eq!(offers[0].version, "1:22.1.8-1");
        assert_eq!(offers[0].folder, "pool");
        let files: Vec<(&str, &str, u64)> = offers[0]
            .files
            .iter()
            .map(|file| (file.name.as_str(), file.sha256.as_str(), file.size))
            .collect();
        assert_eq!(files, [("a.orig.tar.xz", "ff", 42), ("a.dsc", "ee", 1)]);
    }
}
