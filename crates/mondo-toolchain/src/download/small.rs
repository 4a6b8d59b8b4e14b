//! Files whose size and digest nobody knows before: the signed indexes of suites.

use std::io::Read as _;

use mondo_core::error::Result;
use mondo_core::interrupt;
use ureq::http;

use super::{Downloader, Failure, Fault, TRIES, failure};

impl Downloader<'_> {
    /// Downloads the file at `path`, of at most `limit` bytes, from the first mirror that has it.
    ///
    /// # Errors
    /// `ErrorKind::Interrupted`. The failure of all mirrors is in the result.
    pub(crate) fn small(
        &self,
        path: &str,
        limit: u64,
    ) -> Result<std::result::Result<Vec<u8>, Failure>> {
        let mut faults = Vec::new();
        for mirror in &self.mirrors.addresses {
            match self.small_of(&format!("{mirror}/{path}"), limit)? {
                Ok(bytes) => return Ok(Ok(bytes)),
                Err(fault) => faults.push((mirror.clone(), fault)),
            }
        }
        Ok(Err(failure(0, faults)))
    }

    fn small_of(&self, address: &str, limit: u64) -> Result<std::result::Result<Vec<u8>, Fault>> {
        let mut failed = 0;
        loop {
            interrupt::check()?;
            let why = match self.agent.get(address).call() {
                Ok(response) => match read(response, limit) {
                    Ok(outcome) => return Ok(outcome),
                    Err(why) => why,
                },
                Err(error) => error.to_string(),
            };
            failed += 1;
            if failed >= TRIES {
                return Ok(Err(Fault::Unreachable(why)));
            }
            self.wait(failed)?;
        }
    }
}

/// The bytes of an answer, or what is wrong with it. The error is a failure that may pass.
fn read(
    response: http::Response<ureq::Body>,
    limit: u64,
) -> std::result::Result<std::result::Result<Vec<u8>, Fault>, String> {
    match response.status().as_u16() {
        200 => {}
        404 | 410 => return Ok(Err(Fault::Absent)),
        status @ (408 | 425 | 429 | 500..) => {
            return Err(format!("it answers with HTTP status {status}"));
        }
        status => {
            let why = format!("it answers with HTTP status {status}");
            return Ok(Err(Fault::Unreachable(why)));
        }
    }
    let mut bytes = Vec::new();
    let mut body = response.into_body().into_reader().take(limit + 1);
    body.read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Ok(Err(Fault::Wrong("its file is too large".to_owned())));
    }
    Ok(Ok(bytes))
}
