//! `build-path`: paths of the build machine in the bytes of files.
//!
//! Two kinds of needles: the caller's own folders, which must not occur at all, and built-in
//! prefixes of folders in which builds happen. The latter are a guess, so they must look like the
//! start of an absolute path: the byte before must not belong to a path, and a name must follow.

use aho_corasick::{AhoCorasick, MatchKind};
use rayon::prelude::*;

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image_facts::{Facts, Section};
use crate::input_kind::InputKind;
use crate::policy::Policy;
use crate::rule::{ByteCheck, Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::BuildPath,
    applies_to: InputKind::ALL,
    severity: Severity::Error,
    summary: "nothing that ships names the build machine",
    explanation: "Searches all bytes of all files for paths of the build machine: those that the \
          caller names, and the usual home folders, temporary folders and work folders of CI \
          runners.",
    rationale: "A path of the build machine makes two builds in different folders differ, \
          publishes user names, and makes users' machines look for files in a folder where anyone \
          may create them.",
    remedy: "compile with -ffile-prefix-map / --remap-path-prefix, strip debug information, and \
          link by library name instead of by path",
    sources: &["Reproducible Builds: build path; GCC's manual: -ffile-prefix-map"],
    checks: &[Check::Bytes(byte_check)],
};

/// Folders in which builds happen, as prefixes of absolute paths.
///
/// `/Users/runner` is GitHub's name for macOS machines, `D:\\a\\` and `C:\\Users\\` are Windows';
/// cibuildwheel builds in `/project`, GitHub's containers in `/__w`.
const BUILT_IN: &[&str] = &[
    "/home/",
    "/root/",
    "/tmp/",
    "/build/",
    "/project/",
    "/__w/",
    "/Users/",
    "/private/var/folders/",
    ":\\Users\\",
    ":\\a\\",
];

/// Prefixes that are searched for in files other than images. Documentation and tests mention all kinds of folders,
/// so these are only folders of build services and of pip's builds.
const OF_BUILDERS: &[&str] = &[
    "/home/runner/",
    "/home/vsts/",
    "/Users/runner/",
    "/__w/",
    "/tmp/build-env-",
    "/tmp/pip-",
    "/private/var/folders/",
    ":\\Users\\runneradmin\\",
    ":\\Users\\VssAdministrator\\",
    ":\\a\\",
];

/// The minimum number of folders between `/tmp` and the file for a path of a build. Programs use files directly in
/// `/tmp` themselves.
const DEEP: usize = 2;

/// Bytes of a file that one task searches.
const CHUNK: usize = 8 << 20;

/// Bytes of text that are shown before and after a hit.
const BEFORE: usize = 24;
const AFTER: usize = 96;

/// The maximum number of hits that are listed per file; all are counted. A crafted file can consist of hits, and a
/// listed hit takes more memory than the hit itself.
const TOLD: usize = 10_000;

/// The number of preceding sections that are searched, because sections may overlap.
const OVERLAPPING: usize = 16;

/// The sections of an image in the order of their places.
struct Places<'i> {
    start: u64,
    sections: Vec<&'i Section<'i>>,
}

impl<'i> Places<'i> {
    fn of(start: u64, facts: &'i Facts<'_>) -> Self {
        let sections = facts.sections.iter();
        let mut sections: Vec<_> = sections.filter(|section| section.file_size > 0).collect();
        sections.sort_by_key(|section| section.offset);
        Self { start, sections }
    }

    /// The section that holds this byte of the file.
    fn at(&self, offset: u64) -> Option<&'i Section<'i>> {
        let inside = offset.checked_sub(self.start)?;
        let after = self
            .sections
            .partition_point(|section| section.offset <= inside);
        let before = self.sections[..after].iter().rev().take(OVERLAPPING);
        before
            .copied()
            .find(|section| inside - section.offset < section.file_size)
    }
}

fn byte_check(policy: &Policy) -> ByteCheck {
    let searcher = Searcher::new(&policy.build_paths);
    Box::new(move |name, bytes, images| searcher.check(name, bytes, images))
}

/// Searches for all needles at once.
struct Searcher {
    /// None only if the needles are too many to search for, which a handful of paths never is.
    automaton: Option<AhoCorasick>,
    needles: Vec<String>,
    longest: usize,
}

struct Hit {
    offset: usize,
    needle: usize,
}

impl Searcher {
    fn new(build_paths: &[String]) -> Self {
        let mut needles: Vec<String> = BUILT_IN.iter().map(|&path| path.to_owned()).collect();
        needles.extend(build_paths.iter().filter(|path| !path.is_empty()).cloned());
        // Standard matching reports every overlapping match, so that a built-in prefix of a caller's
        // path does not hide it.
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&needles)
            .ok();
        let longest = needles.iter().map(String::len).max().unwrap_or_default();
        Self {
            automaton,
            needles,
            longest,
        }
    }

    /// Searches one file; the images that it is or holds, each with where it starts, name their
    /// sections.
    fn check(&self, name: &str, bytes: &[u8], images: &[(u64, &Facts<'_>)]) -> Vec<Finding> {
        let hits = self.search(bytes);
        let (stated, guessed): (Vec<&Hit>, Vec<&Hit>) =
            hits.iter().partition(|hit| hit.needle >= BUILT_IN.len());
        // If a folder of the caller and a built-in prefix match at one place, the caller's folder is reported.
        let guessed: Vec<&Hit> = guessed
            .into_iter()
            .filter(|guess| is_likely(&bytes[guess.offset..], !images.is_empty()))
            .filter(|guess| {
                stated
                    .binary_search_by_key(&guess.offset, |hit| hit.offset)
                    .is_err()
            })
            .collect();
        let places: Vec<Places<'_>> = match hits.as_slice() {
            [] => Vec::new(),
            _ => {
                let images = images.iter();
                images
                    .map(|&(start, facts)| Places::of(start, facts))
                    .collect()
            }
        };
        let detail = |hit: &&Hit| {
            let offset = hit.offset as u64;
            let section = places.iter().find_map(|places| places.at(offset));
            Detail {
                name: around(bytes, hit.offset),
                note: String::new(),
                origin: None,
                offset: Some(offset),
                section: section.map(|section| section.name.to_owned()),
            }
        };
        let mut findings = Vec::new();
        if !stated.is_empty() {
            let what = format!(
                "names a folder of this build in {}",
                count(stated.len(), "place", "places")
            );
            findings.push(
                RULE.finding(Severity::Error, name, what)
                    .about(stated.iter().take(TOLD).map(detail)),
            );
        }
        if !guessed.is_empty() {
            let severity = if images.is_empty() {
                Severity::Info
            } else {
                Severity::Warning
            };
            let what = format!(
                "seems to name a folder of a build in {}",
                count(guessed.len(), "place", "places")
            );
            findings.push(
                RULE.finding(severity, name, what)
                    .about(guessed.iter().take(TOLD).map(detail)),
            );
        }
        findings
    }

    fn search(&self, bytes: &[u8]) -> Vec<Hit> {
        let Some(automaton) = &self.automaton else {
            return Vec::new();
        };
        let mut hits: Vec<Hit> = (0..bytes.len().div_ceil(CHUNK))
            .into_par_iter()
            .flat_map_iter(|chunk| {
                let start = chunk * CHUNK;
                let end = (start + CHUNK + self.longest).min(bytes.len());
                self.search_chunk(automaton, bytes, start, end)
            })
            .collect();
        hits.sort_by_key(|hit| (hit.offset, hit.needle));
        hits
    }

    /// Hits that start in the chunk at `start`; `end` reaches over its end by the longest needle.
    fn search_chunk(
        &self,
        automaton: &AhoCorasick,
        bytes: &[u8],
        start: usize,
        end: usize,
    ) -> Vec<Hit> {
        let mut hits = Vec::new();
        let window = &bytes[start..end];
        let mut add = |needle: usize, at: usize| {
            if at < CHUNK && self.counts(needle, bytes, start + at) {
                hits.push(Hit {
                    offset: start + at,
                    needle,
                });
            }
        };
        if self.needles.len() == BUILT_IN.len() {
            // In this case no needle is part of another one, and the non-overlapping search is vectorized.
            for found in automaton.find_iter(window) {
                add(found.pattern().as_usize(), found.start());
            }
        } else {
            for found in automaton.find_overlapping_iter(window) {
                add(found.pattern().as_usize(), found.start());
            }
        }
        hits
    }

    /// Returns whether a match is a path.
    ///
    /// A caller's folder ends where a name ends: `/srv/mondo` is not found in `/srv/mondo2`. It may
    /// follow anything, because Rust's string constants stand one after the other without a
    /// separator; only a folder of one component, `/root`, is too common a name for that.
    fn counts(&self, needle: usize, bytes: &[u8], at: usize) -> bool {
        let path = &self.needles[needle];
        let after = bytes.get(at + path.len()).copied();
        if needle < BUILT_IN.len() {
            starts_path(bytes, at) && after.is_some_and(is_name)
        } else if path.trim_matches('/').contains('/') {
            path.ends_with('/') || !after.is_some_and(is_name)
        } else {
            starts_path(bytes, at) && (path.ends_with('/') || after == Some(b'/'))
        }
    }
}

/// Returns whether the path that these bytes start with is of a build rather than of a user, a test
/// or the documentation.
fn is_likely(bytes: &[u8], in_image: bool) -> bool {
    if !in_image {
        let mut builders = OF_BUILDERS.iter();
        return builders.any(|folder| bytes.starts_with(folder.as_bytes()));
    }
    let Some(below) = bytes.strip_prefix(b"/tmp/") else {
        return true;
    };
    let path = below
        .iter()
        .take_while(|&&byte| byte == b'/' || byte == b'.' || is_name(byte));
    path.filter(|&&byte| byte == b'/').count() >= DEEP
}

/// Returns whether an absolute path can start here, to judge by the byte before.
fn starts_path(bytes: &[u8], at: usize) -> bool {
    if bytes[at] == b':' {
        // A drive of one letter.
        let letter = at.checked_sub(1).map(|before| bytes[before]);
        let before = at.checked_sub(2).map(|before| bytes[before]);
        return letter.is_some_and(|letter| letter.is_ascii_alphabetic())
            && !before.is_some_and(is_name);
    }
    match at.checked_sub(1).map(|before| bytes[before]) {
        // `-I/build/x`, `-L/build/x`: the letter is an option's.
        Some(b'I' | b'L') => at >= 2 && bytes[at - 2] == b'-',
        Some(b'/' | b'.' | b'~' | b'}' | b')' | b'*' | b'%') => false,
        Some(byte) => !is_name(byte),
        None => true,
    }
}

/// Returns whether a file's name is usually made of such bytes.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+') || byte >= 0x80
}

/// The printable text around an offset.
fn around(bytes: &[u8], at: usize) -> String {
    let printable = |byte: &u8| (0x20..0x7f).contains(byte);
    let before = bytes[at.saturating_sub(BEFORE)..at]
        .iter()
        .rev()
        .take_while(|byte| printable(byte))
        .count();
    let after = bytes[at..]
        .iter()
        .take(AFTER)
        .take_while(|byte| printable(byte))
        .count();
    String::from_utf8_lossy(&bytes[at - before..at + after]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(needles: &[&str], text: &[u8]) -> Vec<String> {
        let needles: Vec<String> = needles.iter().map(|&needle| needle.to_owned()).collect();
        let hits = Searcher::new(&needles).search(text);
        let mut found: Vec<String> = hits.iter().map(|hit| around(text, hit.offset)).collect();
        found.dedup();
        found
    }

    #[test]
    fn what_documentation_and_programs_name_is_no_build() {
        for path in ["/home/guido/a.txt", "/tmp/x.npy", "/build/lib"] {
            assert!(!is_likely(path.as_bytes(), false), "{path}");
        }
        assert!(is_likely(b"/tmp/build-env-1x/bin/python", false));
        assert!(is_likely(b"/home/guido/src/a.c", true));
        assert!(is_likely(b"/tmp/build-env-1x/lib/a.h", true));
        assert!(!is_likely(b"/tmp/perf-1.map", true));
    }

    #[test]
    fn absolute_paths_are_found_and_relative_ones_are_not() {
        assert_eq!(hits(&[], b"\0/home/ann/x.cpp\0"), ["/home/ann/x.cpp"]);
        assert_eq!(hits(&[], b"-I/build/llvm"), ["-I/build/llvm"]);
        assert_eq!(hits(&[], b"/build/a"), ["/build/a"]);
        assert_eq!(hits(&[], b"/Users/ann/x.c"), ["/Users/ann/x.c"]);
        assert_eq!(hits(&[], b"\0D:\\a\\x\\y.pdb"), ["D:\\a\\x\\y.pdb"]);
        let none: [&str; 0] = [];
        assert_eq!(
            hits(
                &[],
                b"lib/build/x ../tmp/x https://a.b/home/x /tmp/%d /rustc/0123 std:\\a\\b :\\Users\\x"
            ),
            none
        );
    }

    #[test]
    fn a_stated_folder_is_found_whole_and_across_chunks() {
        assert_eq!(hits(&["/srv/mondo"], b"(/srv/mondo/x)"), ["(/srv/mondo/x)"]);
        let none: [&str; 0] = [];
        assert_eq!(hits(&["/srv/mondo"], b"/srv/mondo2/x"), none);
        assert_eq!(
            hits(&["/srv/mondo"], b"failed/srv/mondo/x"),
            ["failed/srv/mondo/x"]
        );
        assert_eq!(
            hits(&["/root"], b"xml/root/x /root \0/root/cargo"),
            ["/root/cargo"]
        );
        let mut long = vec![0; CHUNK + 100];
        long[CHUNK - 4..CHUNK + 7].copy_from_slice(b"/srv/mondo\0");
        assert_eq!(hits(&["/srv/mondo"], &long), ["/srv/mondo"]);
    }

    #[test]
    fn a_stated_folder_under_a_built_in_one_is_told_once_as_an_error() {
        let searcher = Searcher::new(&["/home/ann/work".to_owned()]);
        let findings = searcher.check("x", b"\0/home/ann/work/a.c\0", &[]);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].severity, Severity::Error);
    }
    #[test]
    fn a_file_of_nothing_but_paths_is_counted_and_not_told_in_full() {
        let bytes = b"\0/srv/mondo/a".repeat(TOLD + 5);
        let searcher = Searcher::new(&["/srv/mondo".to_owned()]);
        let findings = searcher.check("x", &bytes, &[]);
        assert_eq!(findings[0].details.len(), TOLD);
        assert!(
            findings[0].what.ends_with("in 10005 places"),
            "{}",
            findings[0].what
        );
    }
}
