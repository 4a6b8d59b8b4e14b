//! Verdicts: errors of kind `check`, with what shows that a check failed.

use std::ffi::OsString;
use std::fmt::Display;

use mondo_build::exec::{Output, Tool};
use mondo_build::{Error, ErrorKind, Result};

/// A program whose failure is that of a check.
pub fn tool(program: impl Into<OsString>, purpose: impl Into<String>) -> Tool {
    Tool::new(program, purpose).fails_as(ErrorKind::Check)
}

/// The error of a check.
#[must_use]
pub fn failed(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Check, what)
}

/// Checks that `holds`.
pub fn expect(holds: bool, what: impl Into<String>, shown: impl Display) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(failed(what).because(shown.to_string()))
    }
}

/// Checks that an error or a program's output has these words.
pub fn expect_words(what: impl Into<String>, text: &str, words: &[&str]) -> Result<()> {
    let missing = words.iter().find(|word| !text.contains(**word));
    missing.map_or(Ok(()), |word| {
        Err(failed(what).because(format!("there is no {word:?} in: {text}")))
    })
}

/// Checks that a run ended with an exit code and printed these words, and did not panic.
pub fn expect_end(case: &str, output: &Output, code: i32, words: &[&str]) -> Result<()> {
    let text = format!("{}{}", output.stdout, output.stderr);
    let ended = output.status.code() == Some(code) && !text.contains("panicked");
    let status = &output.status;
    let holds = ended && words.iter().all(|word| text.contains(word));
    let what = format!("{case}: {status}; expected exit code {code} and the words {words:?}");
    expect(holds, what, text)
}

/// Parses the JSON that a program printed.
pub fn json(text: &str) -> Result<serde_json::Value> {
    let result = serde_json::from_str(text);
    result.map_err(|error| failed(format!("this is not JSON: {error}")).because(text))
}
