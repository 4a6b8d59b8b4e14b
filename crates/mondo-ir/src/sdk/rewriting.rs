//! Rewrite patterns and passes of a dialect.
//!
//! Unlike the functions that only look at an operation, these change a tree. Each call has a scope of its own, whose token
//! and handles end with it; the changes of a pattern are made by MLIR's rewriter when the pattern has returned, and a pass
//! changes nothing outside of its operation.

use mondo_sys::{
    MlirOperation, MlirPatternRewriter, MondoSdkFailed, MondoSdkMatched, MondoSdkNotMatched,
    MondoSdkRewritten, MondoSdkRun, mlirOperationGetContext, mondoSdkEmitError,
    mondoSdkEmitOpError, mondoSdkIsolatedAncestor, mondoSdkRunCount, mondoSdkRunFlag,
    mondoSdkRunInteger, mondoSdkRunText,
};

use crate::callback::{bytes, string_ref};
use crate::conversion::Conversion;
use crate::conversion_driver::{Failed, closure, convert};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::own_pass::run_inside;
use crate::pattern::{Rewriter, rewrite_once};
use crate::scope::{Ir, State};
use crate::sdk::panic::caught;

/// The function of a pattern: it returns whether its changes are to be made.
pub type Rewrite = for<'call, 'ctx> fn(&Rewriter<'call, 'ctx>, Op<'call, 'ctx>) -> Result<bool>;

/// A rewrite pattern of a dialect.
///
/// ```
/// # use mondo_ir::sdk::{Pattern, Rewrite};
/// const ERASE: Rewrite = |rewriter, _| {
///     rewriter.erase();
///     Ok(true)
/// };
/// /// Removes each `units.note`.
/// const FORGET: Pattern = Pattern::new("units.note", ERASE);
/// assert_eq!(FORGET.with_benefit(2).root(), "units.note");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    root: &'static str,
    benefit: u16,
    rewrite: Rewrite,
}

impl Pattern {
    /// A pattern for operations of this name, with the dialect's.
    #[must_use]
    pub const fn new(root: &'static str, rewrite: Rewrite) -> Self {
        Self {
            root,
            benefit: 1,
            rewrite,
        }
    }

    /// Sets the benefit: of several patterns for one operation, the one with the greatest is tried first.
    #[must_use]
    pub const fn with_benefit(mut self, benefit: u16) -> Self {
        self.benefit = benefit;
        self
    }

    /// The name of its operations.
    pub const fn root(&self) -> &'static str {
        self.root
    }

    pub(super) fn benefit(&self) -> u16 {
        self.benefit
    }
}

/// The function of a pass.
pub type RunPass = for<'call, 'ctx> fn(&Run<'call, 'ctx>) -> Result<()>;

/// The function that says what a pass converts: it fills a conversion, by the pass's options.
///
/// ```
/// # use mondo_ir::{Conversion, Result, sdk::{Run, SetUp}};
/// fn lower<'ctx>(run: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
///     conversion.illegal_dialects(&["units"]).legal_dialects(&["arith"]);
///     if run.flag("all") {
///         conversion.illegal("math.sqrt");
///     }
///     Ok(())
/// }
/// const LOWER: SetUp = lower;
/// ```
pub type SetUp = for<'call, 'ctx> fn(&Run<'call, 'ctx>, &mut Conversion<'ctx>) -> Result<()>;

/// How much a pass converts.
///
/// ```
/// # use mondo_ir::sdk::Extent;
/// assert_ne!(Extent::Partial, Extent::Full);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Until nothing illegal is left.
    Partial,
    /// Until all is legal.
    Full,
}

/// A pass that runs: its operation, the token of the call, and the pass's options.
///
/// ```
/// # use mondo_ir::{Result, Walk, WalkOrder, sdk::{Run, RunPass}};
/// /// Marks each operation in its own.
/// fn mark(run: &Run<'_, '_>) -> Result<()> {
///     if run.flag("nothing") {
///         return Ok(());
///     }
///     let (name, number) = (run.text("name"), run.integer("number"));
///     let uniquer = run.op().ctx();
///     let mut found = Vec::new();
///     run.op().walk(WalkOrder::Pre, |op| {
///         found.push(op);
///         Walk::Advance
///     });
///     for op in &found {
///         op.set_attribute(&name, uniquer.integer_attr(uniquer.i64(), number))?;
///     }
///     run.count("marked", found.len() as u64);
///     let _token = run.ir();
///     Ok(())
/// }
/// const MARK: RunPass = mark;
/// ```
#[derive(Debug)]
pub struct Run<'call, 'ctx> {
    ir: &'call Ir<'ctx>,
    op: Op<'call, 'ctx>,
    pass: &'static PassRow,
    raw: *mut MondoSdkRun,
}

/// The value that an option has where none is given.
///
/// ```
/// # use mondo_ir::sdk::Initial;
/// assert_ne!(Initial::Flag(true), Initial::Text("true"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    /// Of an option that is true or false.
    Flag(bool),
    /// Of an option that is a number.
    Integer(i64),
    /// Of an option that is a text.
    Text(&'static str),
}

/// A pass of a dialect, in its table.
///
/// ```
/// # use mondo_ir::sdk::{Initial, PassRow};
/// let row = PassRow {
///     name: "units-forget",
///     summary: "Removes notes.",
///     operation: Some("func.func"),
///     options: vec![("all", "All of them.", Initial::Flag(true))],
///     statistics: vec![("removed", "The number of notes that were removed.")],
///     run: None,
///     conversion: None,
///     patterns: Vec::new(),
/// };
/// assert!(row.name.starts_with("units-"));
/// ```
#[derive(Debug)]
pub struct PassRow {
    /// The name by which pipelines know it.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The operation that it runs on; none for whatever its pipeline is for.
    pub operation: Option<&'static str>,
    /// The names of options, what they are for, and their values where none is given.
    pub options: Vec<(&'static str, &'static str, Initial)>,
    /// The names of statistics, and what they count.
    pub statistics: Vec<(&'static str, &'static str)>,
    /// What it does first.
    pub run: Option<RunPass>,
    /// What it converts then.
    pub conversion: Option<(SetUp, Extent)>,
    /// What it applies then, until no pattern matches.
    pub patterns: Vec<Pattern>,
}

impl<'call, 'ctx> Run<'call, 'ctx> {
    /// The token, to build operations with.
    pub fn ir(&self) -> &'call Ir<'ctx> {
        self.ir
    }

    /// The operation that the pass runs on.
    pub fn op(&self) -> Op<'call, 'ctx> {
        self.op
    }

    fn option(&self, name: &str, fits: fn(&Initial) -> bool) -> isize {
        let mut options = self.pass.options.iter();
        let index = options.position(|(option, _, initial)| *option == name && fits(initial));
        let index = index.unwrap_or_else(|| panic!("the pass has no option `{name}` of this kind"));
        index as isize
    }

    /// An option that is true or false.
    ///
    /// # Panics
    /// Panics where the pass has no such option.
    pub fn flag(&self, name: &str) -> bool {
        let option = self.option(name, |initial| matches!(initial, Initial::Flag(_)));
        // SAFETY: the run is live, as this is, and `option` has found the option.
        unsafe { mondoSdkRunFlag(self.raw, option) }
    }

    /// An option that is a number.
    ///
    /// # Panics
    /// Panics where the pass has no such option.
    pub fn integer(&self, name: &str) -> i64 {
        let option = self.option(name, |initial| matches!(initial, Initial::Integer(_)));
        // SAFETY: the run is live, as this is, and `option` has found the option.
        unsafe { mondoSdkRunInteger(self.raw, option) }
    }

    /// An option that is a text.
    ///
    /// # Panics
    /// Panics where the pass has no such option.
    pub fn text(&self, name: &str) -> String {
        let option = self.option(name, |initial| matches!(initial, Initial::Text(_)));
        // SAFETY: the run is live, as this is, and `option` has found the option, whose text lives as long as the run.
        let text = unsafe { bytes(mondoSdkRunText(self.raw, option)) };
        String::from_utf8_lossy(text).into_owned()
    }

    /// Adds to a statistic.
    ///
    /// # Panics
    /// Panics where the pass has no such statistic.
    pub fn count(&self, statistic: &str, number: u64) {
        let mut statistics = self.pass.statistics.iter();
        let index = statistics.position(|(name, _)| *name == statistic);
        let index = index.unwrap_or_else(|| panic!("the pass has no statistic `{statistic}`"));
        // SAFETY: the run is live, as this is, and the statistic was found above.
        unsafe { mondoSdkRunCount(self.raw, index as isize, number) };
    }
}

/// Reports an error at the operation.
///
/// # Safety
///
/// The operation is live.
unsafe fn report(op: MlirOperation, error: &crate::error::Error) {
    // SAFETY: the operation is live, by this function's contract.
    unsafe { mondoSdkEmitOpError(op, string_ref(&error.to_string())) };
}

/// Calls a pattern.
///
/// # Safety
///
/// Operation and rewriter are live, and there is no handle of what may be erased.
pub(super) unsafe fn rewrite(
    pattern: &Pattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
) -> MondoSdkRewritten {
    // A pass runs on an operation that is isolated, while other threads change what is beside that.
    // SAFETY: the operation is live, and so are its context and what is around it.
    let state = unsafe { State::within(mlirOperationGetContext(op), mondoSdkIsolatedAncestor(op)) };
    // SAFETY: operation and rewriter are live, by this function's contract.
    match unsafe { apply(&state, op, rewriter, pattern.rewrite) } {
        Ok(true) => MondoSdkMatched,
        Ok(false) => MondoSdkNotMatched,
        Err(error) => {
            // SAFETY: a pattern that fails has changed nothing.
            unsafe { report(op, &error) };
            MondoSdkFailed
        }
    }
}

/// # Safety
///
/// As for [`rewrite`].
unsafe fn apply<'ctx>(
    state: &'ctx State,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    function: Rewrite,
) -> Result<bool> {
    fn of_pattern<'ctx, F>(function: F) -> F
    where
        F: for<'a, 'call> Fn(&'a Rewriter<'call, 'ctx>, Op<'call, 'ctx>) -> Result<bool>,
    {
        function
    }
    let run =
        of_pattern::<'ctx, _>(move |rewriter, op| told("a pattern", || function(rewriter, op)));
    // SAFETY: operation and rewriter are live, and there is no handle, by this function's contract.
    unsafe { rewrite_once(state, op, rewriter, &run) }
}

/// The outcome of a dialect's function, whose panic is an error with its message and place.
fn told<T>(what: &str, function: impl FnOnce() -> Result<T>) -> Result<T> {
    caught(what, function).unwrap_or_else(|panic| Err(Error::new(ErrorKind::Panicked, panic)))
}

/// Calls the function of a pass. Returns `false` if it failed, which has been reported then.
///
/// # Safety
///
/// The operation and the run are live, and there is no handle of what may be erased.
pub(super) unsafe fn run_pass(
    pass: &'static PassRow,
    op: MlirOperation,
    raw: *mut MondoSdkRun,
) -> bool {
    // SAFETY: the operation is live, and so is its context.
    let state = State::within(unsafe { mlirOperationGetContext(op) }, op);
    // SAFETY: operation and run are live, and there is no handle, by this function's contract; those of `call` end with it.
    unsafe {
        let called = pass
            .run
            .map_or(Ok(()), |function| call(&state, function, pass, op, raw));
        if let Err(error) = called {
            report(op, &error);
            return false;
        }
        pass.conversion
            .is_none_or(|(set_up, extent)| converts(&state, set_up, extent, pass, op, raw))
    }
}

/// Converts what is in a pass's operation. Returns `false` if that failed, which has been reported then.
///
/// # Safety
///
/// As for [`run_pass`].
unsafe fn converts<'ctx>(
    state: &'ctx State,
    set_up: SetUp,
    extent: Extent,
    pass: &'static PassRow,
    op: MlirOperation,
    raw: *mut MondoSdkRun,
) -> bool {
    let outcome = told("the pass", || {
        let mut conversion: Conversion<'ctx> = Conversion::new();
        let ir = Ir::of(state);
        // SAFETY: the operation is live, and the fence keeps it so while there is a handle of it.
        unsafe {
            closure(state, op, || {
                let op = Op::expect(op, state);
                let ir = &ir;
                told("the pass", || {
                    set_up(&Run { ir, op, pass, raw }, &mut conversion)
                })
            })?;
            Ok(convert(state, op, &conversion, extent == Extent::Full))
        }
    });
    let failed = match outcome {
        Ok(Ok(())) => return true,
        // MLIR has said why.
        Ok(Err(Failed { is_told: true, .. })) => return false,
        Ok(Err(failed)) => failed,
        Err(error) => {
            // SAFETY: a conversion does not erase its own operation.
            unsafe { report(op, &error) };
            return false;
        }
    };
    // SAFETY: a conversion does not erase its own operation, and locations live as long as their context.
    unsafe {
        match (failed.location, failed.operation) {
            (Some(location), Some(name)) => {
                let message = format!("'{name}' op {}", failed.error);
                mondoSdkEmitError(location.raw(), string_ref(&message));
            }
            (Some(location), None) => {
                mondoSdkEmitError(location.raw(), string_ref(&failed.error.to_string()));
            }
            (None, _) => report(op, &failed.error),
        }
    }
    false
}

/// # Safety
///
/// As for [`run_pass`].
unsafe fn call<'ctx>(
    state: &'ctx State,
    function: RunPass,
    pass: &'static PassRow,
    op: MlirOperation,
    raw: *mut MondoSdkRun,
) -> Result<()> {
    fn inside<'ctx, F>(function: F) -> F
    where
        F: for<'call> Fn(&'call Ir<'ctx>, Op<'call, 'ctx>) -> Result<()>,
    {
        function
    }
    let run = inside::<'ctx, _>(|ir, op| told("the pass", || function(&Run { ir, op, pass, raw })));
    // SAFETY: the operation is live, and there is no handle, by this function's contract.
    unsafe { run_inside(state, op, &run) }
}
