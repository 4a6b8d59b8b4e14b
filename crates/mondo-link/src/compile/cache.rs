//! The cache of compiled staticlibs, in the user's cache folder: shared by all manifests, labels and
//! checkouts whose sources, compilers and LLVM are the same.
//!
//! An entry is a folder named after a digest of its inputs, as [`mondo_core::cache_entry`] describes it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache::{COMPILED, prune};
use mondo_core::cache_entry::{self, goes_on_without};
use mondo_core::digest::hash_tree;
use mondo_core::digest::{self, Sha256};
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use serde::{Deserialize, Serialize};

use super::cargo::{cargo_home, real_include};
use super::packages::Package;
use super::request::Request;
use crate::step::prerequisites;

/// The format of entries; another number makes all older entries unknown.
const FORMAT: u32 = 3;

const RECORD: &str = "record.json";

/// A staticlib in the cache.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) path: Utf8PathBuf,
    /// Digests of the input files outside of the packages' folders, such as headers that a build script read.
    pub(super) read: BTreeMap<Utf8PathBuf, String>,
}

/// The record beside a cached staticlib: the digests of its input files. Paths in mondo's checkout are stored relative
/// to the checkout, because all checkouts share the cache.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    read: BTreeMap<Utf8PathBuf, String>,
}

impl Kept {
    /// The staticlib of a kit. Its list of input files is empty, because the kit's digests have been compared
    /// already.
    pub(super) fn of_kit(path: &Utf8Path) -> Self {
        Self {
            path: path.to_owned(),
            read: BTreeMap::new(),
        }
    }
}

/// The place of a staticlib in the cache, by its inputs.
#[derive(Debug)]
pub(super) struct Key {
    folder: Utf8PathBuf,
    file: String,
    /// Its path in cargo's target folder.
    output: Utf8PathBuf,
    /// A digest of `settings`.
    settings: String,
    /// Folders whose files need no digest in the record: the key covers the sources and LLVM's headers, versions
    /// cover cargo's downloads, and the build itself writes all other files in these folders.
    covered: Vec<Utf8PathBuf>,
    /// mondo's checkout.
    root: Utf8PathBuf,
}

impl Key {
    /// Digests all inputs of `package`: the files of its packages, the versions of those from
    /// registries, and `settings`. `output` is the staticlib's path in cargo's target folder.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] where a source cannot be read.
    pub(super) fn of(
        package: &Package,
        output: Utf8PathBuf,
        request: Request<'_>,
        settings: &str,
        cache: &Utf8Path,
    ) -> Result<Self> {
        let mut state = Sha256::new();
        state.update(format!("{FORMAT} {}\n{settings}", package.name));
        for name in &package.registry {
            state.update(format!("{name}\n"));
        }
        for folder in &package.folders {
            hash_tree(folder, folder, &mut state)?;
        }
        let mut covered: Vec<Utf8PathBuf> = package.folders.iter().cloned().collect();
        covered.push(request.work.to_owned());
        // `output` is `<target>/<profile>/<file>`, so its second ancestor is cargo's target folder.
        covered.extend(output.ancestors().nth(2).map(Utf8Path::to_owned));
        covered.extend(cargo_home().iter().flat_map(|home| downloads(home)));
        covered.push(real_include(request.toolchain));
        let name = digest::short(state.finalize());
        Ok(Self {
            folder: cache.join(format!("{}-{name}", package.name)),
            file: output.file_name().unwrap_or_default().to_owned(),
            output,
            settings: digest::short(settings),
            covered,
            root: request.source.root().to_owned(),
        })
    }

    /// One of these inputs, for tests.
    #[cfg(test)]
    pub(super) fn of_text(inputs: &str) -> Self {
        Self {
            folder: Utf8PathBuf::from(format!("/cache/x-{}", digest::short(inputs))),
            file: String::new(),
            output: Utf8PathBuf::new(),
            settings: String::new(),
            covered: Vec::new(),
            root: Utf8PathBuf::new(),
        }
    }

    /// The digest of all inputs.
    pub(super) fn digest(&self) -> &str {
        self.folder.file_name().unwrap_or_default()
    }

    /// A digest of everything besides the sources that decides the generated code. Build scripts whose compilers do
    /// not report every header to cargo run again when this digest changes.
    pub(super) fn settings(&self) -> &str {
        &self.settings
    }

    /// The entry, if it is whole and the other files that it was made from are as they were. A note for `sink`
    /// says if it is damaged.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Interrupted`].
    pub(super) fn look_up(&self, sink: &dyn Sink) -> Result<Option<Kept>> {
        let name = format!("the compiled {}", self.file);
        if !cache_entry::usable(&self.folder, &name, sink)? {
            return Ok(None);
        }
        Ok(self.unchanged_at(&self.folder))
    }

    /// The entry, if its input files are as they were.
    fn unchanged_at(&self, folder: &Utf8Path) -> Option<Kept> {
        let text = fs_err::read(folder.join(RECORD)).ok()?;
        let Record { read } = serde_json::from_slice(&text).ok()?;
        let path = folder.join(&self.file);
        let read: BTreeMap<Utf8PathBuf, String> = read
            .into_iter()
            .map(|(path, digest)| (self.root.join(path), digest))
            .collect();
        let same = |(path, digest): (&Utf8PathBuf, &String)| {
            digest::of_path(path).is_ok_and(|now| now == *digest)
        };
        read.iter().all(same).then_some(Kept { path, read })
    }

    /// Puts what cargo has just made into the cache; into the work folder if the cache cannot be written.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] where neither can be written.
    pub(super) fn store(&self, work: &Utf8Path, sink: &dyn Sink) -> Result<Kept> {
        match self.store_at(&self.folder) {
            Err(error) if goes_on_without(&error, &self.folder, sink) => {
                self.store_at(&work.join(COMPILED).join(self.digest()))
            }
            stored => stored,
        }
    }

    fn store_at(&self, folder: &Utf8Path) -> Result<Kept> {
        let cache = folder.parent().unwrap_or(folder);
        fs_err::create_dir_all(cache)?;
        prune(cache);
        let read = self.read_besides()?;
        let relative = |path: &Utf8PathBuf| {
            path.strip_prefix(&self.root)
                .map_or_else(|_| path.clone(), Utf8Path::to_owned)
        };
        let record = Record {
            read: read
                .iter()
                .map(|(path, digest)| (relative(path), digest.clone()))
                .collect(),
        };
        let text = serde_json::to_vec(&record).map_err(std::io::Error::from)?;
        // A whole entry may be here whose other input files have changed since; the new entry replaces it.
        if folder.is_dir() && self.unchanged_at(folder).is_none() {
            cache_entry::discard(folder)?;
        }
        cache_entry::put(folder, |fresh| {
            let file = fresh.join(&self.file);
            fs_err::copy(&self.output, &file)?;
            // A compiler launcher that restores the file from its own cache may give only the owner permission to
            // read it.
            let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
            fs_err::set_permissions(&file, readable)?;
            replace(&fresh.join(RECORD), &text)
        })?;
        let path = folder.join(&self.file);
        Ok(Kept { path, read })
    }

    /// The files that rustc and build scripts report as inputs and that the key does not cover, with their digests.
    /// Cargo writes their names beside the staticlib as a depfile, a rule of make.
    fn read_besides(&self) -> Result<BTreeMap<Utf8PathBuf, String>> {
        let rule = fs_err::read_to_string(self.output.with_extension("d"))?;
        Ok(prerequisites(&rule)
            .into_iter()
            .map(|path| path.canonicalize_utf8().unwrap_or(path))
            .filter(|path| !self.covered.iter().any(|folder| path.starts_with(folder)))
            .filter_map(|path| {
                let digest = digest::of_path(&path).ok()?;
                Some((path, digest))
            })
            .collect())
    }
}

/// The folders of packages from registries and of clones, in cargo's home.
fn downloads(home: &Utf8Path) -> [Utf8PathBuf; 2] {
    ["registry", "git"].map(|name| {
        let folder = home.join(name);
        folder.canonicalize_utf8().unwrap_or(folder)
    })
}

#[cfg(test)]
mod tests {
    use mondo_core::progress::{Recorded, Silent};

    use super::*;

    #[test]
    fn a_changed_byte_of_a_staticlib_is_noticed_and_the_staticlib_is_stored_again() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let output = dir.join("target/bundle/libmondo_py.a");
        fs_err::create_dir_all(output.parent().unwrap()).unwrap();
        fs_err::write(&output, "!<arch>\ncompiled").unwrap();
        fs_err::write(output.with_extension("d"), format!("{output}:\n")).unwrap();
        let key = Key {
            folder: dir.join("cache/compiled/mondo-py-0123456789abcdef"),
            file: "libmondo_py.a".to_owned(),
            output: output.clone(),
            ..Key::of_text("")
        };
        assert!(key.look_up(&Silent).unwrap().is_none(), "not stored yet");
        let stored = key.store(dir, &Silent).unwrap();
        assert_eq!(key.look_up(&Silent).unwrap().unwrap().path, stored.path);

        // The clock of some file systems ticks every few milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut bytes = fs_err::read(&stored.path).unwrap();
        bytes[9] ^= 1;
        fs_err::write(&stored.path, bytes).unwrap();
        let lines = Recorded::default();
        assert!(key.look_up(&lines).unwrap().is_none());
        let lines = lines.into_lines();
        let [line] = &lines[..] else {
            panic!("{lines:?}");
        };
        let start = "the compiled libmondo_py.a in the cache is damaged, rebuilding: libmondo_py.a has other bytes";
        assert!(line.starts_with(start), "{line}");

        key.store(dir, &Silent).unwrap();
        let rebuilt = key.look_up(&Silent).unwrap().unwrap();
        assert_eq!(
            fs_err::read(rebuilt.path).unwrap(),
            fs_err::read(output).unwrap()
        );
    }
}
