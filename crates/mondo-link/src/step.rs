//! One run of a compiler or generator, which is left out while neither its command nor anything it
//! read has changed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::{Output, Tool};
use mondo_core::file::replace;
use mondo_core::taken_digest::TakenDigest;
use mondo_toolchain::Launcher;
use serde::{Deserialize, Serialize};

use crate::variables;

/// A run that writes one file, and beside it the names of all that it read.
#[derive(Debug)]
pub struct Step {
    /// The program with all its arguments.
    pub tool: Tool,
    /// The version of the program.
    pub version: String,
    /// The file that it writes.
    pub output: Utf8PathBuf,
    /// The folder that relative names of what it read start at.
    pub folder: Utf8PathBuf,
    /// The file to which it writes the names of what it read, as a rule of make.
    pub depfile: Utf8PathBuf,
    /// The program that it is started through. It plays no part in what is made.
    pub launcher: Option<Launcher>,
    /// The message where it fails: what could not be made.
    pub what: String,
    /// The source file for the error message. A generator's depfile does not name it among the inputs.
    pub place: Utf8PathBuf,
}

/// A precompiled header.
#[derive(Debug)]
pub(crate) struct Header {
    /// The file with the list of headers.
    pub(crate) list: Utf8PathBuf,
    /// The run that makes it.
    pub(crate) step: Step,
}

/// The command and the inputs of a finished run.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    command: String,
    /// The file that the run wrote.
    output: TakenDigest,
    read: BTreeMap<Utf8PathBuf, String>,
}

/// Digests of files, each made once. Files of an install are compared by size and time, because there are
/// thousands of them; others by their contents, since a checkout gives them new times.
#[derive(Debug)]
pub struct Digests {
    installed: Vec<Utf8PathBuf>,
    known: Mutex<BTreeMap<Utf8PathBuf, Option<String>>>,
}

impl Digests {
    /// Treats files below `prefix`, and those of the system, as installed files.
    pub fn new(prefix: &Utf8Path) -> Self {
        Self {
            installed: vec![prefix.to_owned(), "/usr".into()],
            known: Mutex::default(),
        }
    }

    /// Adds files whose digests the caller knows already.
    pub(crate) fn add(&self, files: &BTreeMap<Utf8PathBuf, String>) {
        if let Ok(mut known) = self.known.lock() {
            known.extend(
                files
                    .iter()
                    .map(|(path, digest)| (path.clone(), Some(digest.clone()))),
            );
        }
    }

    /// All files of which a digest was requested, with their digests.
    pub fn files(&self) -> BTreeMap<Utf8PathBuf, String> {
        let known = self.known.lock().map(|known| known.clone());
        known
            .unwrap_or_default()
            .into_iter()
            .filter_map(|(path, digest)| Some((path, digest?)))
            .collect()
    }

    /// True if each of `files` still has the digest that is given for it.
    pub fn same(&self, files: &BTreeMap<Utf8PathBuf, String>) -> bool {
        files
            .iter()
            .all(|(path, digest)| self.of(path).as_ref() == Some(digest))
    }

    /// The digest of a file, or `None` if the file cannot be read.
    fn of(&self, path: &Utf8Path) -> Option<String> {
        let known = |known: &Mutex<BTreeMap<_, _>>| known.lock().ok()?.get(path).cloned();
        if let Some(digest) = known(&self.known) {
            return digest;
        }
        let installed = self.installed.iter().any(|prefix| path.starts_with(prefix));
        let digest = if installed {
            fs_err::metadata(path).ok().and_then(|metadata| {
                Some(format!(
                    "{} {:?}",
                    metadata.len(),
                    metadata.modified().ok()?
                ))
            })
        } else {
            digest::of_path(path).ok()
        };
        if let Ok(mut known) = self.known.lock() {
            known.insert(path.to_owned(), digest.clone());
        }
        digest
    }
}

impl Header {
    /// The files that the precompiled header was made from, without those of its own folder, or none if it is missing
    /// or out of date.
    fn read(&self, digests: &Digests) -> Option<BTreeMap<Utf8PathBuf, String>> {
        let read = self.step.done(digests)?;
        let folder = self.list.parent().unwrap_or(&self.list);
        let others = read.into_iter();
        Some(
            others
                .filter(|(path, _)| !path.starts_with(folder))
                .collect(),
        )
    }
}

impl Step {
    /// Runs the step if its output is missing or out of date. Returns true if it ran.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`], with the program's message, if it fails.
    pub fn run(&self, digests: &Digests) -> Result<bool> {
        self.run_with(digests, None)
    }

    /// Like [`Step::run`], for a compiler that may start from a precompiled header, which does not change the object.
    pub(crate) fn run_with(&self, digests: &Digests, header: Option<&Header>) -> Result<bool> {
        let record = self.record_path();
        if self.done(digests).is_some() {
            return Ok(false);
        }
        for file in [&self.output, &self.depfile] {
            fs_err::create_dir_all(file.parent().unwrap_or(Utf8Path::new(".")))?;
        }
        // The record is removed before the run. Otherwise the output of an earlier or interrupted run could be taken
        // for the result of this one.
        if record.is_file() {
            fs_err::remove_file(&record)?;
        }
        let (output, of_header) = self.output(digests, header)?;
        if !output.status.success() {
            return Err(Error::new(ErrorKind::Compile, &self.what)
                .at(&self.place)
                .because(self.tool.said(&output))
                .on_full_disk(&output));
        }
        let rule = fs_err::read_to_string(&self.depfile)?;
        let list = header.map(|header| header.list.as_path());
        let read = prerequisites(&rule)
            .into_iter()
            .filter(|path| list.is_none_or(|list| !path.as_str().starts_with(list.as_str())))
            .chain([self.place.clone()])
            .map(|path| self.folder.join(path).components().collect())
            .filter_map(|path: Utf8PathBuf| Some((path.clone(), digests.of(&path)?)))
            // GCC's depfile does not name the headers that are in the precompiled header, so they are added.
            .chain(of_header)
            .collect();
        let text = serde_json::to_string(&Record {
            command: self.command(),
            output: TakenDigest::of(&self.output)?,
            read,
        });
        let text = text
            .map_err(|error| Error::new(ErrorKind::Io, "cannot write a record").caused_by(error))?;
        replace(&record, text.as_bytes())?;
        Ok(true)
    }

    /// Runs the step, with the precompiled header if that is up to date. Returns also the files that the precompiled
    /// header was made from.
    fn output(
        &self,
        digests: &Digests,
        header: Option<&Header>,
    ) -> Result<(Output, BTreeMap<Utf8PathBuf, String>)> {
        let record = header.and_then(|header| Some((header, header.read(digests)?)));
        if let Some((header, read)) = record {
            let tool = self.tool.clone().args(["-include", header.list.as_str()]);
            let output = tool.output_unchecked()?;
            // A compiler that cannot use its own precompiled header says so, and the run is repeated without it.
            let refused = ["PCH", "precompiled file"]
                .iter()
                .any(|word| output.stderr.contains(word));
            if output.status.success() || !refused {
                return Ok((output, read));
            }
        }
        let output = match &self.launcher {
            Some(launcher) => launcher.run(&self.tool)?,
            None => self.tool.output_unchecked()?,
        };
        Ok((output, BTreeMap::new()))
    }

    /// The files that the step has read, or none if it has not run, or if one of them or its output has changed since.
    fn done(&self, digests: &Digests) -> Option<BTreeMap<Utf8PathBuf, String>> {
        let bytes = fs_err::read(self.record_path()).ok()?;
        let record: Record = serde_json::from_slice(&bytes).ok()?;
        let done = record.command == self.command()
            && is_as_written(&self.output, &record.output)
            && digests.same(&record.read);
        done.then_some(record.read)
    }

    fn command(&self) -> String {
        self.command_with(&variables::of_compilers())
    }

    fn command_with(&self, variables: &str) -> String {
        // The command names files relative to `folder`. The digest contains the folder, because another release may
        // have the same relative names.
        let command = self.tool.command_line();
        digest::of(format!(
            "{}\n{}\n{variables}{command}",
            self.version, self.folder
        ))
    }

    fn record_path(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("{}.json", self.depfile))
    }
}

/// True if a file has the bytes that a run wrote.
fn is_as_written(path: &Utf8Path, written: &TakenDigest) -> bool {
    let Ok(metadata) = fs_err::metadata(path) else {
        return false;
    };
    // A copy of the work folder looks changed and has the same bytes.
    written.looks_the_same(&metadata)
        || digest::of_file(path).is_ok_and(|now| now == written.sha256)
}

/// The files after the colon of a rule as compilers write it: a backslash before a line's end goes
/// on, one before a space or `#` keeps it, and a dollar sign is written twice.
pub(crate) fn prerequisites(rule: &str) -> Vec<Utf8PathBuf> {
    let rule = rule.replace("\\\r\n", " ").replace("\\\n", " ");
    // The first colon that a space follows: a path may have colons of its own.
    let Some((_, list)) = rule.split_once(": ").or_else(|| rule.split_once(":\n")) else {
        return Vec::new();
    };
    let list = list.lines().next().unwrap_or_default();
    let mut files = Vec::new();
    let mut file = String::new();
    let mut characters = list.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(next @ (' ' | '#'))) => {
                file.push(*next);
                characters.next();
            }
            ('$', Some('$')) => {
                file.push('$');
                characters.next();
            }
            (c, _) if c.is_whitespace() => {
                if !file.is_empty() {
                    files.push(std::mem::take(&mut file).into());
                }
            }
            (c, _) => file.push(c),
        }
    }
    if !file.is_empty() {
        files.push(file.into());
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_make_reads_them() {
        let rule = "out.o: /a/b.cpp /a/c\\ d.h \\\n /a/$$e.h \\\n  /f.h\n\n/f.h:\n";
        let files = prerequisites(rule);
        assert_eq!(files, ["/a/b.cpp", "/a/c d.h", "/a/$e.h", "/f.h"]);
    }

    /// A compiler that notes what it read, as a shell script.
    fn step(dir: &Utf8Path, script: &str) -> Step {
        let (output, depfile) = (dir.join("out/x.o"), dir.join("out/x.d"));
        let script =
            format!("{script}; cp {dir}/in {output}; echo 'x.o: {dir}/in ./seen' > {depfile}");
        Step {
            tool: Tool::new("sh", "test this").args(["-c", &script]),
            version: "1".into(),
            output,
            folder: dir.to_owned(),
            depfile,
            launcher: None,
            what: "`in` cannot be compiled".into(),
            place: dir.join("in"),
        }
    }

    #[test]
    fn a_step_runs_again_only_for_a_reason() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::write(dir.join("in"), "1").unwrap();
        fs_err::write(dir.join("seen"), "1").unwrap();
        let run = |step: &Step| step.run(&Digests::new("/nowhere".into()));
        let first = step(dir, "true");
        assert!(run(&first).unwrap());
        assert!(!run(&first).unwrap(), "nothing changed");
        fs_err::write(dir.join("seen"), "1").unwrap();
        assert!(!run(&first).unwrap(), "only its time changed");
        fs_err::write(dir.join("seen"), "2").unwrap();
        assert!(run(&first).unwrap(), "what it read changed");
        let other = step(dir, "true x");
        assert!(run(&other).unwrap(), "its arguments changed");
        fs_err::remove_file(&other.output).unwrap();
        assert!(run(&other).unwrap(), "its output is gone");
        fs_err::write(&other.output, "damaged").unwrap();
        assert!(run(&other).unwrap(), "its output is damaged");
        let folder = dir.join("elsewhere");
        fs_err::create_dir(&folder).unwrap();
        fs_err::write(folder.join("seen"), "2").unwrap();
        let moved = Step { folder, ..other };
        assert!(run(&moved).unwrap(), "its names mean other files");
    }

    #[test]
    fn a_step_with_other_variables_of_the_compiler_is_another() {
        let one = step("/nowhere".into(), "true");
        assert_eq!(one.command(), one.command_with(&variables::of_compilers()));
        assert_ne!(one.command_with(""), one.command_with("CPATH=\"/x\"\n"));
    }

    #[test]
    fn a_failed_step_says_what_its_program_said_and_leaves_no_record() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::write(dir.join("in"), "1").unwrap();
        let digests = || Digests::new("/nowhere".into());
        let good = step(dir, "true");
        assert!(good.run(&digests()).unwrap());
        fs_err::write(dir.join("in"), "2").unwrap();
        let bad = step(dir, "echo in:1: error: two >&2; exit 1");
        let message = bad.run(&digests()).unwrap_err().to_string();
        assert!(message.contains("in:1: error: two"), "{message}");
        assert!(message.starts_with("`in` cannot be compiled"), "{message}");
        fs_err::write(dir.join("in"), "1").unwrap();
        assert!(good.run(&digests()).unwrap(), "the record was taken away");
    }
}
