//! Downloads over HTTP. A file comes from the first mirror that has it, a download that breaks off goes on where it
//! ended, and a file gets its name only if it has the lock's digest.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use camino::Utf8PathBuf;
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::progress::Sink;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, http};

use crate::mirrors::{Mirrors, without_secrets};

/// The files that are downloaded at the same time.
const PARALLEL: usize = 4;

/// The tries of a mirror in sequence that bring no byte, after which another mirror is tried.
const TRIES: u32 = 4;

/// The longest wait for a connection, and for the next bytes of an answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A file to download.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Its paths below a mirror, any of which may have it.
    pub(super) paths: Vec<String>,
    /// Its size in bytes.
    pub(super) size: u64,
    /// Its SHA-256, in hexadecimal.
    pub(super) sha256: String,
    /// The place that it is downloaded to.
    pub(super) file: Utf8PathBuf,
}

impl Wanted {
    /// The file while it is downloaded, which a later run goes on with.
    fn part(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("{}.part", self.file))
    }

    /// The bytes of it that are here.
    fn received(&self) -> u64 {
        fs_err::metadata(self.part()).map_or(0, |metadata| metadata.len())
    }
}

/// A file that no mirror provided.
#[derive(Debug)]
pub(super) struct Failure {
    /// The index of the file.
    pub(super) file: usize,
    /// [`ErrorKind::Integrity`] where a mirror has another file, [`ErrorKind::Network`] where a mirror did not answer,
    /// and [`ErrorKind::Toolchain`] where all of them lack it.
    pub(super) kind: ErrorKind,
    /// A line for each mirror.
    pub(super) why: String,
}

/// The reason for which one mirror does not provide a file.
enum Fault {
    Absent,
    Unreachable(String),
    Wrong(String),
}

/// The answer of a mirror to one request.
enum Answer {
    /// The file from this offset on.
    Bytes(u64, http::Response<Body>),
    /// Nothing from the requested offset on.
    NoSuchRange,
    /// A failure that may pass.
    Again(String),
    Fault(Fault),
}

/// Downloads from one list of mirrors.
pub(super) struct Downloader<'d> {
    agent: Agent,
    mirrors: &'d Mirrors,
    /// Mirrors that do not answer. Without this, each file would wait for them.
    dead: Mutex<BTreeSet<String>>,
    /// The bytes of all files that are here, for progress.
    received: AtomicU64,
    stop: AtomicBool,
    /// The wait after the first failure; it doubles with each further one.
    pause: Duration,
}

impl<'d> Downloader<'d> {
    pub(super) fn new(mirrors: &'d Mirrors) -> Self {
        let system = rustls_native_certs::load_native_certs().certs;
        // A minimal system has no certificates.
        let roots = match system.is_empty() {
            true => RootCerts::WebPki,
            false => system
                .iter()
                .map(|certificate| Certificate::from_der(certificate).to_owned())
                .into(),
        };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(TIMEOUT))
            .timeout_recv_response(Some(TIMEOUT))
            .timeout_per_read(Some(TIMEOUT))
            .user_agent(concat!("mondo/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        Self {
            agent: config.into(),
            mirrors,
            dead: Mutex::default(),
            received: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            pause: Duration::from_millis(500),
        }
    }

    #[cfg(test)]
    pub(super) fn impatient(mut self) -> Self {
        self.pause = Duration::from_millis(1);
        self
    }

    /// Downloads all files; the failures are those of files that no mirror provided. After a failure of another kind
    /// than an absent file, no further file is begun.
    ///
    /// # Errors
    /// `ErrorKind::Io` where a file cannot be written, and `ErrorKind::Interrupted`.
    pub(super) fn fetch(&self, wanted: &[Wanted], sink: &dyn Sink) -> Result<Vec<Failure>> {
        let next = AtomicUsize::new(0);
        let total: u64 = wanted.iter().map(|one| one.size).sum();
        let resumed: u64 = wanted.iter().map(Wanted::received).sum();
        self.received.store(resumed, Ordering::Relaxed);
        let results = Mutex::new((Vec::new(), None));
        std::thread::scope(|scope| {
            for _ in 0..PARALLEL.min(wanted.len()) {
                scope.spawn(|| {
                    while !self.stop.load(Ordering::Relaxed) {
                        let file = next.fetch_add(1, Ordering::Relaxed);
                        let Some(one) = wanted.get(file) else {
                            return;
                        };
                        let outcome = self.fetch_one(one, total, wanted.len(), sink);
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        match outcome {
                            Ok(faults) if faults.is_empty() => {}
                            Ok(faults) => {
                                let failure = failure(file, faults);
                                if failure.kind != ErrorKind::Toolchain {
                                    self.stop.store(true, Ordering::Relaxed);
                                }
                                results.0.push(failure);
                            }
                            Err(error) => {
                                self.stop.store(true, Ordering::Relaxed);
                                results.1.get_or_insert(error);
                            }
                        }
                    }
                });
            }
        });
        let (failures, error) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        match error {
            Some(error) => Err(error),
            None => Ok(failures),
        }
    }

    /// Downloads one file; the result is empty, or has what each mirror lacks.
    fn fetch_one(
        &self,
        wanted: &Wanted,
        total: u64,
        count: usize,
        sink: &dyn Sink,
    ) -> Result<Vec<(String, Fault)>> {
        let mut faults = Vec::new();
        let show = |received: u64| {
            sink.update(&format!(
                "downloading {count} packages, {} of {} MB",
                received.min(total) / 1_000_000,
                total / 1_000_000
            ));
        };
        for path in &wanted.paths {
            for mirror in &self.mirrors.addresses {
                let dead = self.dead.lock().unwrap_or_else(PoisonError::into_inner);
                let is_dead = dead.contains(mirror);
                drop(dead);
                if is_dead {
                    let why = "it did not answer before".to_owned();
                    faults.push((mirror.clone(), Fault::Unreachable(why)));
                    continue;
                }
                match self.ask_mirror(&format!("{mirror}/{path}"), mirror, wanted, &show)? {
                    None => return Ok(Vec::new()),
                    Some(fault) => faults.push((mirror.clone(), fault)),
                }
            }
        }
        Ok(faults)
    }

    fn ask_mirror(
        &self,
        address: &str,
        mirror: &str,
        wanted: &Wanted,
        told: &dyn Fn(u64),
    ) -> Result<Option<Fault>> {
        let part = wanted.part();
        let mut resumed = part.exists();
        let mut failed = 0;
        // Bytes beyond this are progress. A server without ranges may break off at the same place again and again.
        let mut furthest = 0;
        loop {
            interrupt::check()?;
            let have = wanted.received();
            if have >= wanted.size {
                if have == wanted.size && digest::of_file(&part)? == wanted.sha256 {
                    fs_err::rename(&part, &wanted.file)?;
                    return Ok(None);
                }
                fs_err::remove_file(&part)?;
                if !resumed {
                    let why = "its file has another SHA-256".to_owned();
                    return Ok(Some(Fault::Wrong(why)));
                }
                // The beginning may be of an earlier download, and not of this mirror.
                resumed = false;
                continue;
            }
            let (begin, response) = match self.ask(address, have, wanted.size) {
                Answer::Bytes(begin, response) => (begin, response),
                Answer::NoSuchRange => {
                    if part.exists() {
                        fs_err::remove_file(&part)?;
                    }
                    resumed = false;
                    failed += 1;
                    if failed >= TRIES {
                        let why = "it sends no part of the file".to_owned();
                        return Ok(Some(Fault::Unreachable(why)));
                    }
                    continue;
                }
                Answer::Fault(fault) => return Ok(Some(fault)),
                Answer::Again(why) => {
                    failed += 1;
                    if failed >= TRIES {
                        let mut dead = self.dead.lock().unwrap_or_else(PoisonError::into_inner);
                        dead.insert(mirror.to_owned());
                        return Ok(Some(Fault::Unreachable(why)));
                    }
                    self.wait(failed)?;
                    continue;
                }
            };
            let mut file = match begin {
                0 => fs_err::File::create(&part)?,
                _ => fs_err::OpenOptions::new().append(true).open(&part)?,
            };
            let (copied, broken) =
                self.copy(response.into_body(), &mut file, wanted.size - begin, told)?;
            let progress = begin + copied > furthest;
            furthest = furthest.max(begin + copied);
            let Some(why) = broken else {
                if begin + copied > wanted.size {
                    let why = "its file is longer than the lock says".to_owned();
                    drop(file);
                    fs_err::remove_file(&part)?;
                    return Ok(Some(Fault::Wrong(why)));
                }
                if begin + copied < wanted.size {
                    failed = if progress { 0 } else { failed + 1 };
                    if failed >= TRIES {
                        let why = "it sends less than the whole file".to_owned();
                        return Ok(Some(Fault::Unreachable(why)));
                    }
                }
                continue;
            };
            failed = if progress { 1 } else { failed + 1 };
            if failed >= TRIES {
                return Ok(Some(Fault::Unreachable(why)));
            }
            self.wait(failed)?;
        }
    }

    /// Asks for the rest of a file of which `have` bytes are here already.
    fn ask(&self, address: &str, have: u64, size: u64) -> Answer {
        let mut request = self.agent.get(address);
        if have > 0 {
            request = request.header("Range", format!("bytes={have}-"));
        }
        let response = match request.call() {
            Ok(response) => response,
            Err(error) => return Answer::Again(error.to_string()),
        };
        let header = |name: &str| {
            let value = response.headers().get(name);
            value.and_then(|value| value.to_str().ok())
        };
        let begin = match response.status().as_u16() {
            200 => 0,
            206 => {
                let range = header("content-range").and_then(|range| {
                    let (begin, _) = range.strip_prefix("bytes ")?.split_once('-')?;
                    begin.parse().ok()
                });
                if range != Some(have) {
                    return Answer::NoSuchRange;
                }
                have
            }
            416 => return Answer::NoSuchRange,
            404 | 410 => return Answer::Fault(Fault::Absent),
            status @ (408 | 425 | 429 | 500..) => {
                return Answer::Again(format!("it answers with HTTP status {status}"));
            }
            status => {
                let why = format!("it answers with HTTP status {status}");
                return Answer::Fault(Fault::Unreachable(why));
            }
        };
        if header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            let why =
                "it answers with a web page; a proxy may have answered in its place".to_owned();
            return Answer::Fault(Fault::Wrong(why));
        }
        let length = header("content-length").and_then(|length| length.parse::<u64>().ok());
        match length {
            Some(length) if begin + length != size => Answer::Fault(Fault::Wrong(format!(
                "its file has {} bytes",
                begin + length
            ))),
            _ => Answer::Bytes(begin, response),
        }
    }

    /// Copies up to `most + 1` bytes: one byte too many shows that the file is longer than expected. Returns the number of
    /// bytes, and why the mirror stopped before the end, if it did.
    fn copy(
        &self,
        body: Body,
        file: &mut fs_err::File,
        most: u64,
        told: &dyn Fn(u64),
    ) -> Result<(u64, Option<String>)> {
        let mut body = body.into_reader().take(most + 1);
        let mut piece = vec![0; 1 << 16];
        let mut copied = 0;
        loop {
            interrupt::check()?;
            let read = match body.read(&mut piece) {
                Ok(read) => read,
                Err(error) => return Ok((copied, Some(error.to_string()))),
            };
            if read == 0 {
                return Ok((copied, None));
            }
            file.write_all(&piece[..read])?;
            copied += read as u64;
            let before = self.received.fetch_add(read as u64, Ordering::Relaxed);
            let received = before + read as u64;
            if before / 1_000_000 != received / 1_000_000 {
                told(received);
            }
        }
    }

    fn wait(&self, failed: u32) -> Result<()> {
        let mut left = self.pause * 2_u32.pow(failed.saturating_sub(1));
        while !left.is_zero() {
            interrupt::check()?;
            let now = left.min(Duration::from_millis(100));
            std::thread::sleep(now);
            left -= now;
        }
        Ok(())
    }
}

/// The failure of a file, from the answers of all mirrors.
fn failure(file: usize, faults: Vec<(String, Fault)>) -> Failure {
    let rank = |fault: &Fault| match fault {
        Fault::Absent => (0, ErrorKind::Toolchain),
        Fault::Unreachable(_) => (1, ErrorKind::Network),
        Fault::Wrong(_) => (2, ErrorKind::Integrity),
    };
    let worst = faults.iter().map(|(_, fault)| rank(fault)).max();
    let mut lines: Vec<String> = Vec::new();
    for (mirror, fault) in faults {
        let why = match fault {
            Fault::Absent => "it does not have the file".to_owned(),
            Fault::Unreachable(why) | Fault::Wrong(why) => why,
        };
        let line = format!("{}: {why}", without_secrets(&mirror));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Failure {
        file,
        kind: worst.map_or(ErrorKind::Network, |(_, kind)| kind),
        why: lines.join("\n"),
    }
}

/// An error for files that are not what the lock says.
pub(super) fn differs(what: &str, why: &str) -> Error {
    Error::new(
        ErrorKind::Integrity,
        format!("the file of {what} on the mirror differs from the lock"),
    )
    .because(why)
    .help(
        "look at the proxy variables, or set another mirror with `--mirror` or MONDO_DEB_MIRROR;\nif \
         the distribution replaced the package, run with `--update-lock`",
    )
}

#[cfg(test)]
pub(crate) mod server;
mod small;
#[cfg(test)]
mod tests;
