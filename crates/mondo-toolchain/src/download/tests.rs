//! Downloads from good and bad mirrors and proxies.

use std::net::TcpListener;
use std::sync::Arc;

use camino::Utf8Path;
use mondo_core::progress::Silent;

use super::server::{Manner, Server};
use super::*;

/// A folder for downloads.
struct World {
    _temp: tempfile::TempDir,
    dir: Utf8PathBuf,
}

const PATH: &str = "pool/main/a/a/a_1_all.deb";

impl World {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(temp.path()).unwrap().to_owned();
        Self { _temp: temp, dir }
    }

    fn wanted(&self, path: &str, bytes: &[u8]) -> Wanted {
        Wanted {
            paths: vec![path.to_owned()],
            size: bytes.len() as u64,
            sha256: digest::of(bytes),
            file: self.dir.join(path.rsplit('/').next().unwrap()),
        }
    }

    /// Downloads `bytes`, as the file at [`PATH`], from `servers`; the result is the failure.
    fn fetch(&self, servers: &[&Server], bytes: &[u8]) -> Option<Failure> {
        let mirrors = Mirrors {
            addresses: servers
                .iter()
                .map(|server| server.address.clone())
                .collect(),
            named_by: "a test".to_owned(),
        };
        let wanted = self.wanted(PATH, bytes);
        let downloader = Downloader::new(&mirrors).impatient();
        let failures = downloader.fetch(std::slice::from_ref(&wanted), &Silent);
        let failure = failures.unwrap().into_iter().next();
        let found = fs_err::read(&wanted.file).ok();
        match &failure {
            None => assert_eq!(found.as_deref(), Some(bytes)),
            Some(_) => assert_eq!(found, None),
        }
        failure
    }

    fn files(&self) -> Vec<String> {
        let entries = self.dir.read_dir_utf8().unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect()
    }
}

fn contents() -> Vec<u8> {
    (0..300_000_u32)
        .map(|number| (number % 251) as u8)
        .collect()
}

#[test]
fn a_download_that_breaks_off_goes_on_where_it_ended() {
    let bytes = contents();
    let server = Server::start(Manner::Breaks(120_000), &[(PATH, &bytes)]);
    let world = World::new();
    assert!(world.fetch(&[&server], &bytes).is_none());
    let begins: Vec<u64> = server
        .requests()
        .into_iter()
        .map(|request| request.1)
        .collect();
    assert_eq!(begins, [0, 120_000, 240_000]);
    assert_eq!(world.files(), ["a_1_all.deb"]);
}

#[test]
fn the_part_of_an_earlier_run_is_used_if_it_fits() {
    let bytes = contents();
    let server = Server::start(Manner::Good, &[(PATH, &bytes)]);
    let world = World::new();
    let part = world.dir.join("a_1_all.deb.part");
    fs_err::write(&part, &bytes[..1000]).unwrap();
    assert!(world.fetch(&[&server], &bytes).is_none());
    assert_eq!(server.requests(), [(format!("/{PATH}"), 1000)]);

    let server = Server::start(Manner::Good, &[(PATH, &bytes)]);
    let world = World::new();
    let part = world.dir.join("a_1_all.deb.part");
    fs_err::write(&part, "something else").unwrap();
    assert!(world.fetch(&[&server], &bytes).is_none());
    let begins: Vec<u64> = server
        .requests()
        .into_iter()
        .map(|request| request.1)
        .collect();
    assert_eq!(begins, [14, 0]);

    // A server without ranges sends the file from its beginning.
    let server = Server::start(Manner::NoRanges, &[(PATH, &bytes)]);
    let world = World::new();
    let part = world.dir.join("a_1_all.deb.part");
    fs_err::write(&part, &bytes[..1000]).unwrap();
    assert!(world.fetch(&[&server], &bytes).is_none());
}

#[test]
fn a_server_that_breaks_off_and_has_no_ranges_is_given_up() {
    let bytes = contents();
    let server = Server::start(Manner::NoRangesAndBreaks(1000), &[(PATH, &bytes)]);
    let failure = World::new().fetch(&[&server], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Network, "{}", failure.why);
    assert_eq!(server.requests().len(), TRIES as usize);
}

#[test]
fn a_server_that_refuses_a_range_that_was_not_asked_for_is_given_up() {
    let bytes = contents();
    let server = Server::start(Manner::Status(416), &[(PATH, &bytes)]);
    let failure = World::new().fetch(&[&server], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Network, "{}", failure.why);
    assert_eq!(server.requests().len(), TRIES as usize);
}

#[test]
fn a_file_that_is_not_the_locks_is_removed() {
    let bytes = contents();
    for (manner, word) in [
        (Manner::Wrong, "another SHA-256"),
        (Manner::WebPage, "a web page"),
        (Manner::Endless, "longer than the lock"),
    ] {
        let server = Server::start(manner, &[(PATH, &bytes)]);
        let world = World::new();
        let failure = world.fetch(&[&server], &bytes).unwrap();
        assert_eq!(failure.kind, ErrorKind::Integrity, "{manner:?}");
        assert!(failure.why.contains(word), "{manner:?}: {}", failure.why);
        assert_eq!(world.files(), [] as [&str; 0], "{manner:?}");
    }
    // The announced length is enough to know it.
    let server = Server::start(Manner::Good, &[(PATH, b"short")]);
    let failure = World::new().fetch(&[&server], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Integrity);
    assert!(failure.why.contains("has 5 bytes"), "{}", failure.why);
}

#[test]
fn the_next_mirror_is_asked_for_what_the_first_lacks() {
    let bytes = contents();
    let good = Server::start(Manner::Good, &[(PATH, &bytes)]);
    for manner in [
        Manner::Status(404),
        Manner::Status(500),
        Manner::Status(403),
        Manner::WebPage,
        Manner::Wrong,
        Manner::Breaks(0),
    ] {
        let first = Server::start(manner, &[(PATH, &bytes)]);
        let failure = World::new().fetch(&[&first, &good], &bytes);
        assert!(failure.is_none(), "{manner:?}: {failure:?}");
    }
    let moved = format!("moved/{PATH}");
    let files: [(&str, &[u8]); 2] = [(PATH, b""), (&moved, &bytes)];
    let redirects = Server::start(Manner::Redirects, &files);
    assert!(World::new().fetch(&[&redirects], &bytes).is_none());
}

#[test]
fn it_is_told_whether_the_mirrors_lack_a_file_or_do_not_answer() {
    let bytes = contents();
    let empty = Server::start(Manner::Good, &[]);
    let failure = World::new().fetch(&[&empty, &empty], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Toolchain);
    assert_eq!(
        failure.why,
        format!("{}/: it does not have the file", empty.address)
    );

    // Nobody listens at a port that was bound and closed.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://user:secret@{}", closed.local_addr().unwrap());
    drop(closed);
    let closed = Server {
        address,
        requests: Arc::default(),
    };
    let failure = World::new().fetch(&[&empty, &closed], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Network);
    assert!(!failure.why.contains("secret"), "{}", failure.why);

    let limited = Server::start(Manner::Status(429), &[(PATH, &bytes)]);
    let failure = World::new().fetch(&[&limited], &bytes).unwrap();
    assert_eq!(failure.kind, ErrorKind::Network);
    assert!(failure.why.contains("429"), "{}", failure.why);
    assert_eq!(limited.requests().len(), TRIES as usize);
}

#[test]
fn many_files_come_at_the_same_time_and_all_absent_ones_are_named() {
    let bytes = contents();
    let paths: Vec<String> = (0..12).map(|number| format!("pool/{number}.deb")).collect();
    let files: Vec<(&str, &[u8])> = paths[..10]
        .iter()
        .map(|path| (path.as_str(), bytes.as_slice()))
        .collect();
    let server = Server::start(Manner::Good, &files);
    let world = World::new();
    let mirrors = Mirrors {
        addresses: vec![server.address.clone()],
        named_by: "a test".to_owned(),
    };
    let wanted: Vec<Wanted> = paths
        .iter()
        .map(|path| world.wanted(path, &bytes))
        .collect();
    let failures = Downloader::new(&mirrors).fetch(&wanted, &Silent).unwrap();
    let mut absent: Vec<usize> = failures.iter().map(|failure| failure.file).collect();
    absent.sort_unstable();
    assert_eq!(absent, [10, 11]);
    assert_eq!(world.files().len(), 10);
}

#[test]
fn another_path_is_tried_where_the_first_has_no_file() {
    let bytes = contents();
    let server = Server::start(Manner::Good, &[("pool/main/a.deb", &bytes)]);
    let world = World::new();
    let mirrors = Mirrors {
        addresses: vec![server.address.clone()],
        named_by: "a test".to_owned(),
    };
    let mut wanted = world.wanted("pool/main/a.deb", &bytes);
    wanted.paths.insert(0, "pool/updates/main/a.deb".to_owned());
    let failures = Downloader::new(&mirrors).fetch(&[wanted], &Silent).unwrap();
    assert!(failures.is_empty(), "{failures:?}");
    assert_eq!(server.requests().len(), 2);
}
