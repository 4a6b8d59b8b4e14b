//! Downloads from servers of the test, which answer as good and bad mirrors and proxies do.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use camino::Utf8Path;
use mondo_core::progress::Silent;

use super::*;

/// The way in which a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Good,
    /// Sends at most this many bytes of an answer, and closes the connection.
    Breaks(usize),
    /// Sends whole files, whatever range was asked for.
    NoRanges,
    WebPage,
    Redirects,
    Status(u16),
    /// Sends the right number of wrong bytes.
    Wrong,
    /// Sends more bytes than it announced, and announces none.
    Endless,
}

/// A server of some files, and the requests that it got: the path, and where the requested range begins.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<(String, u64)>>>,
}

impl Server {
    fn start(manner: Manner, files: &[(&str, &[u8])]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let files: BTreeMap<String, Vec<u8>> = files
            .iter()
            .map(|(path, bytes)| (format!("/{path}"), bytes.to_vec()))
            .collect();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        // The thread ends with the process of the test.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(&stream.unwrap(), manner, &files, &log);
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> Vec<(String, u64)> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(
    mut stream: &TcpStream,
    manner: Manner,
    files: &BTreeMap<String, Vec<u8>>,
    log: &Mutex<Vec<(String, u64)>>,
) {
    let mut lines = BufReader::new(stream)
        .lines()
        .map(std::result::Result::unwrap_or_default);
    let request = lines.next().unwrap_or_default();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut begin = 0;
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            begin = range.trim_end_matches('-').parse().unwrap();
        }
    }
    log.lock().unwrap().push((path.clone(), begin as u64));
    let mut send = |status: u16, headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {status} Some\r\nConnection: close\r\n{headers}\r\n");
        // The client may have closed the connection.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body);
    };
    let Some(bytes) = files.get(&path) else {
        send(404, "Content-Length: 4\r\n", b"none");
        return;
    };
    let length = |bytes: &[u8]| format!("Content-Length: {}\r\n", bytes.len());
    match manner {
        Manner::Status(status) => send(status, "Content-Length: 0\r\n", b""),
        Manner::WebPage => {
            let page = b"<html>please log in</html>";
            send(
                200,
                &format!("Content-Type: text/html\r\n{}", length(page)),
                page,
            );
        }
        Manner::Redirects if !path.starts_with("/moved") => {
            let headers = format!("Location: /moved{path}\r\nContent-Length: 0\r\n");
            send(302, &headers, b"");
        }
        Manner::Wrong => {
            let wrong = vec![b'x'; bytes.len()];
            send(200, &length(&wrong), &wrong);
        }
        Manner::Endless => send(200, "", &[bytes.as_slice(), b"more"].concat()),
        _ if begin == 0 || manner == Manner::NoRanges => {
            let most = match manner {
                Manner::Breaks(most) => most.min(bytes.len()),
                _ => bytes.len(),
            };
            send(200, &length(bytes), &bytes[..most]);
        }
        _ if begin >= bytes.len() => send(416, "Content-Length: 0\r\n", b""),
        _ => {
            let rest = &bytes[begin..];
            let most = match manner {
                Manner::Breaks(most) => most.min(rest.len()),
                _ => rest.len(),
            };
            let range = format!("{begin}-{}/{}", bytes.len() - 1, bytes.len());
            let headers = format!("Content-Range: bytes {range}\r\n{}", length(rest));
            send(206, &headers, &rest[..most]);
        }
    }
}

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
            addresses: servers.iter().map(|it| it.address.clone()).collect(),
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
    let begins: Vec<u64> = server.requests().into_iter().map(|it| it.1).collect();
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
    let begins: Vec<u64> = server.requests().into_iter().map(|it| it.1).collect();
    assert_eq!(begins, [14, 0]);

    // A server without ranges sends the file from its beginning.
    let server = Server::start(Manner::NoRanges, &[(PATH, &bytes)]);
    let world = World::new();
    let part = world.dir.join("a_1_all.deb.part");
    fs_err::write(&part, &bytes[..1000]).unwrap();
    assert!(world.fetch(&[&server], &bytes).is_none());
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
