//! Progress on a terminal, plain lines in CI.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

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

/// The longest silence of plain output. Services of CI end jobs that print nothing, and people do.
const SILENCE: Duration = Duration::from_secs(30);

/// Draws a spinner where standard error is a terminal. Where not, it writes one line per phase, and the last detail
/// whenever it would be silent for too long.
pub struct Terminal {
    verbosity: Verbosity,
    spinner: Option<ProgressBar>,
    plain: Arc<Mutex<Plain>>,
}

/// The state of plain output.
#[derive(Default)]
struct Plain {
    /// The phases that run, the innermost last: the time when each began, and its last detail.
    phases: Vec<(Instant, String)>,
    /// When the last line was written.
    wrote: Option<Instant>,
}

impl Plain {
    fn begin(&mut self, detail: &str) {
        self.phases.push((Instant::now(), detail.to_owned()));
        self.wrote = Some(Instant::now());
    }

    /// Takes a detail of the innermost phase. Returns whether it must be written now: of details of one kind, plain
    /// output has the first, and later ones where it would be silent.
    fn update(&mut self, detail: &str) -> bool {
        let known = self.phases.last_mut();
        let is_new = known.is_none_or(|(_, known)| {
            let is_new = !kind(known).eq(kind(detail));
            detail.clone_into(known);
            is_new
        });
        if is_new {
            self.wrote = Some(Instant::now());
        }
        is_new
    }

    fn end(&mut self) {
        self.phases.pop();
        self.wrote = Some(Instant::now());
    }

    /// The line that ends a silence of this length, if there was one, and how long to wait for the next.
    fn after(&mut self, silence: Duration) -> (Option<String>, Duration) {
        let (Some((began, detail)), Some(wrote)) = (self.phases.last(), self.wrote) else {
            return (None, silence);
        };
        match silence.checked_sub(wrote.elapsed()) {
            Some(left) if !left.is_zero() => (None, left),
            _ => {
                self.wrote = Some(Instant::now());
                let seconds = began.elapsed().as_secs();
                (Some(format!("{detail} ({seconds} s)")), silence)
            }
        }
    }
}

/// The kind of a detail: its text up to a comma, without numbers.
fn kind(detail: &str) -> impl Iterator<Item = char> {
    let head = detail.split(',').next().unwrap_or_default();
    head.chars().filter(|c| !c.is_ascii_digit())
}

/// Ends each silence, for as long as there is output.
fn end_silences(plain: &Weak<Mutex<Plain>>) {
    while let Some(plain) = plain.upgrade() {
        let (line, wait) = lock(&plain).after(SILENCE);
        if let Some(line) = line {
            console::err(format!("{:>10}  {line}", ""));
        }
        drop(plain);
        thread::sleep(wait);
    }
}

fn lock(plain: &Mutex<Plain>) -> std::sync::MutexGuard<'_, Plain> {
    plain.lock().unwrap_or_else(PoisonError::into_inner)
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
        let plain = Arc::default();
        if spinner.is_none() && verbosity >= Verbosity::Normal {
            let plain = Arc::downgrade(&plain);
            thread::spawn(move || end_silences(&plain));
        }
        Self {
            verbosity,
            spinner,
            plain,
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
            lock(&self.plain).begin(detail);
            console::err(format!("{phase:>10}  {detail}"));
        }
    }

    fn update(&self, detail: &str) {
        if let Some(bar) = &self.spinner {
            bar.set_message(detail.to_owned());
        } else if self.verbosity >= Verbosity::Normal && lock(&self.plain).update(detail) {
            console::err(format!("{:>10}  {detail}", ""));
        }
    }

    fn end(&self, phase: &str, elapsed: Duration, outcome: &str) {
        if self.verbosity >= Verbosity::Normal {
            // The phase is over, although the next one has not begun.
            if let Some(bar) = &self.spinner {
                bar.set_prefix("");
                bar.set_message("");
            }
            lock(&self.plain).end();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_output_has_a_detail_of_each_kind_and_one_for_each_silence() {
        const SHORT: Duration = Duration::from_millis(20);
        let mut plain = Plain::default();
        assert_eq!(plain.after(Duration::ZERO).0, None, "nothing runs");
        plain.begin("projects");
        assert!(plain.update("build toy: step 1 of 12, ToyDialect"));
        assert!(!plain.update("build toy: step 2 of 12, ToyCAPI"));
        let (line, wait) = plain.after(Duration::from_secs(60));
        assert_eq!(line, None);
        assert!(wait <= Duration::from_secs(60) && wait > Duration::from_secs(50));
        thread::sleep(SHORT);
        let line = plain.after(SHORT).0;
        assert_eq!(
            line.as_deref(),
            Some("build toy: step 2 of 12, ToyCAPI (0 s)")
        );
        assert_eq!(plain.after(Duration::from_secs(60)).0, None, "just written");
        plain.end();
        thread::sleep(SHORT);
        assert_eq!(plain.after(SHORT).0, None, "nothing runs any more");
    }
}
