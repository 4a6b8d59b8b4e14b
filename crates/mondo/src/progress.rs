//! Progress on a terminal, plain lines in CI.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mondo_build::progress::Sink;

use crate::console;
use crate::wrap::for_terminal;

/// The amount of progress output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// `-q`: errors and results only.
    Quiet,
    /// Phases.
    Normal,
    /// `-v`: phases and every command that runs.
    Verbose,
}

/// Draws a spinner where standard error is a terminal, and writes one line per phase where not.
pub struct Terminal {
    verbosity: Verbosity,
    spinner: Option<ProgressBar>,
    last: Mutex<String>,
}

impl Terminal {
    /// Decides by standard error and `CI` how to speak.
    pub fn new(verbosity: Verbosity) -> Self {
        let interactive = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let spinner = (interactive && verbosity == Verbosity::Normal).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) =
                ProgressStyle::with_template("{spinner} {prefix:10} {wide_msg} {elapsed}")
            {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            console::spin(Some(bar.clone()));
            bar
        });
        Self {
            verbosity,
            spinner,
            last: Mutex::default(),
        }
    }
}

impl Sink for Terminal {
    fn begin(&self, phase: &str, detail: &str) {
        if let Some(bar) = &self.spinner {
            bar.set_prefix(phase.to_owned());
            bar.set_message(detail.to_owned());
            bar.reset_elapsed();
        } else if self.verbosity >= Verbosity::Normal {
            console::err(format!("{phase:>10}  {detail}"));
        }
    }

    fn update(&self, detail: &str) {
        if let Some(bar) = &self.spinner {
            bar.set_message(detail.to_owned());
        } else if self.verbosity >= Verbosity::Normal {
            // Plain output repeats nothing: of details that differ in numbers alone, it has the
            // first.
            let words: String = detail.chars().filter(|c| !c.is_ascii_digit()).collect();
            if let Ok(mut last) = self.last.lock()
                && *last != words
            {
                *last = words;
                console::err(format!("{:>10}  {detail}", ""));
            }
        }
    }

    fn end(&self, phase: &str, elapsed: Duration, outcome: &str) {
        if self.verbosity >= Verbosity::Normal {
            // The phase is over, although the next one has not begun.
            if let Some(bar) = &self.spinner {
                bar.set_prefix("");
                bar.set_message("");
            }
            console::err(format!(
                "{phase:>10}  {outcome} ({:.2} s)",
                elapsed.as_secs_f64()
            ));
        }
    }

    fn note(&self, text: &str) {
        if self.verbosity >= Verbosity::Normal {
            console::err(for_terminal(&format!("{:>10}  {text}", "note")));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(bar) = &self.spinner {
            console::spin(None);
            bar.finish_and_clear();
        }
    }
}
