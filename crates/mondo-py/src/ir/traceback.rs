//! Locations made from the Python traceback of the code that creates an operation (`ir.loc_tracebacks`).

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mondo_ir::bundle::LLVM_MAJOR;
use mondo_ir::declarations as c;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::context_stack;
use crate::ir::location::Location;
use crate::ownership::context::{Context, Entered};

/// The maximum number of frames in a location.
const MAX_FRAMES: usize = 512;

/// Says that new operations get locations from the traceback. It is no part of [`SETTINGS`], because each new
/// operation reads it.
static ENABLED: AtomicBool = AtomicBool::new(false);

/// The settings of the process. The lock is never held while Python code may run.
static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);

struct Settings {
    limit: usize,
    /// Prefixes of file names whose frames are included. They take precedence over `excluded`.
    included: HashSet<String>,
    /// Prefixes of file names whose frames are left out.
    excluded: HashSet<String>,
}

fn settings<T>(work: impl FnOnce(&mut Settings) -> T) -> T {
    let mut guard = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    work(guard.get_or_insert_with(|| Settings {
        limit: 10,
        included: HashSet::new(),
        excluded: HashSet::new(),
    }))
}

/// Returns whether new operations get locations from the traceback.
#[inline]
pub(crate) fn enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}

pub(crate) fn set_enabled(enabled: bool) {
    ENABLED.store(enabled, Ordering::Relaxed);
}

/// The number of frames to which a location is limited.
pub(crate) fn frame_limit() -> usize {
    settings(|settings| settings.limit)
}

/// Sets the limit of frames; None and negative numbers mean [`MAX_FRAMES`].
pub(crate) fn set_frame_limit(limit: Option<i64>) {
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    settings(|settings| settings.limit = limit.unwrap_or(MAX_FRAMES).min(MAX_FRAMES));
}

/// Includes the frames of files whose names begin with `beginning`.
pub(crate) fn include_files(beginning: &str) {
    settings(|settings| {
        settings.excluded.remove(beginning);
        settings.included.insert(beginning.to_owned());
    });
}

/// Leaves out the frames of files whose names begin with `beginning`.
pub(crate) fn exclude_files(beginning: &str) {
    settings(|settings| {
        settings.included.remove(beginning);
        settings.excluded.insert(beginning.to_owned());
    });
}

fn is_wanted(file: &str) -> bool {
    settings(|settings| {
        let begins = |with: &HashSet<String>| with.iter().any(|prefix| file.starts_with(prefix));
        begins(&settings.included) || !begins(&settings.excluded)
    })
}

/// The location of a new operation: the given one, or else one from the traceback if that is enabled, or else
/// the current one.
#[inline]
pub(crate) fn resolve_location(
    py: Python<'_>,
    given: Option<Bound<'_, Location>>,
) -> PyResult<Py<Location>> {
    if given.is_some() || !enabled() {
        return context_stack::resolve_location(py, given);
    }
    let context = context_stack::resolve_context(py, None)?;
    context.get().get(py)?;
    let frames = frames(py)?;
    let location = Context::enter(py, &context, |ctx| {
        let mut frames = frames.iter().rev().map(|frame| frame.within(ctx));
        let location = match frames.next() {
            Some(outermost) => frames.fold(outermost, |caller, callee| {
                c::mlirLocationCallSiteGet(callee, caller)
            }),
            None => ctx.unknown(),
        };
        Location::new(py, ctx, location)
    })?;
    Ok(location.unbind())
}

/// A frame of the Python stack: the name of the function, and the place in its file.
struct Frame {
    name: String,
    file: String,
    line: u32,
    column: u32,
    /// The end of the range, a line and a column; None if only the line is known.
    end: Option<(u32, u32)>,
}

impl Frame {
    /// The frame as a named location in a context.
    fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> mondo_ir::Location<'ctx> {
        let range = self.end.filter(|_| LLVM_MAJOR >= 22);
        let (file, line, column) = (self.file.as_str().into(), self.line, self.column);
        let range = range.and_then(|(end_line, end)| {
            c::mlirLocationFileLineColRangeGet(*ctx, file, line, column, end_line, end)
        });
        let place =
            range.unwrap_or_else(|| c::mlirLocationFileLineColGet(*ctx, file, line, column));
        c::mlirLocationNameGet(*ctx, self.name.as_str().into(), place)
    }
}

/// The frames of the Python stack, innermost first.
fn frames(py: Python<'_>) -> PyResult<Vec<Frame>> {
    let limit = frame_limit();
    let mut frames = Vec::new();
    // The stable ABI has no functions that read a frame, so that its attributes are read in Python.
    let mut next = py.import("sys")?.getattr("_getframe")?.call0()?;
    while frames.len() < limit && !next.is_none() {
        let code = next.getattr("f_code")?;
        let file: String = code.getattr("co_filename")?.extract()?;
        if is_wanted(&file) {
            let name = code
                .getattr("co_qualname")
                .or_else(|_| code.getattr("co_name"))?;
            frames.push(frame(&next, &code, name.extract()?, file)?);
        }
        next = next.getattr("f_back")?;
    }
    Ok(frames)
}

/// Reads a frame's place in its code.
fn frame(
    frame: &Bound<'_, PyAny>,
    code: &Bound<'_, PyAny>,
    name: String,
    file: String,
) -> PyResult<Frame> {
    let line: u32 = frame
        .getattr("f_lineno")?
        .extract::<Option<u32>>()?
        .unwrap_or(0);
    // Since Python 3.11, `co_positions` has lines and columns, one entry for each instruction of two bytes.
    if let Ok(positions) = code.getattr("co_positions") {
        let at: usize = frame.getattr("f_lasti")?.extract::<i64>()?.max(0) as usize / 2;
        if let Some(position) = positions.call0()?.try_iter()?.nth(at) {
            type Position = (Option<u32>, Option<u32>, Option<u32>, Option<u32>);
            let (start_line, end_line, start, end) = position?.extract::<Position>()?;
            let line = start_line.unwrap_or(line);
            return Ok(Frame {
                name,
                file,
                line,
                column: start.unwrap_or(0),
                end: Some((end_line.unwrap_or(line), end.unwrap_or(0))),
            });
        }
    }
    Ok(Frame {
        name,
        file,
        line,
        column: 0,
        end: None,
    })
}
