//! Servers of tests, which answer as good and bad mirrors and proxies do.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The way in which a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Good,
    /// Sends at most this many bytes of an answer, and closes the connection.
    Breaks(usize),
    /// Sends whole files, whatever range was asked for.
    NoRanges,
    /// The same, and closes the connection after this many bytes.
    NoRangesAndBreaks(usize),
    WebPage,
    Redirects,
    Status(u16),
    /// Sends the right number of wrong bytes.
    Wrong,
    /// Sends more bytes than it announced, and announces none.
    Endless,
}

/// A server of some files, and the requests that it got: the path, and where the requested range begins.
pub(crate) struct Server {
    pub(super) address: String,
    pub(super) requests: Arc<Mutex<Vec<(String, u64)>>>,
}

impl Server {
    pub(crate) fn start(manner: Manner, files: &[(&str, &[u8])]) -> Self {
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

    /// The address.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn requests(&self) -> Vec<(String, u64)> {
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
        _ if begin == 0 || matches!(manner, Manner::NoRanges | Manner::NoRangesAndBreaks(_)) => {
            let most = match manner {
                Manner::Breaks(most) | Manner::NoRangesAndBreaks(most) => most.min(bytes.len()),
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
