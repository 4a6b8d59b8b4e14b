//! Pass managers, and passes that are closures.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mondo_sys::*;

use crate::c_object::Owned;
use crate::callback::{caught, string_ref, text};
use crate::nodes::{Op, TextFlags};
use crate::pass::check_nesting;
use crate::uniquer::Uniquer;

/// A pass manager.
#[derive(Debug)]
pub struct Pipeline {
    manager: Owned<MlirPassManager>,
    /// Held while it is read or changed, but not while it runs.
    busy: Mutex<()>,
}

// SAFETY: a pass manager belongs to no thread, and is used under the mutex; whoever starts a run vouches for that.
unsafe impl Send for Pipeline {}
// SAFETY: the pass manager is read and changed under the mutex; whoever starts a run keeps others away from
// it.
unsafe impl Sync for Pipeline {}

/// The description of a pass.
#[derive(Debug, Clone, Copy)]
pub struct PassTexts<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its name in a textual pipeline.
    pub argument: &'a str,
    /// Its description.
    pub description: &'a str,
    /// The kind of operation that it runs on; empty: any.
    pub op_name: &'a str,
}

/// The moments at which IR is printed, and what of it.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "MLIR's")]
pub struct IrPrinting<'a> {
    /// Before each pass.
    pub before_all: bool,
    /// After each pass.
    pub after_all: bool,
    /// All of the module, not the operation alone. It must be without threads.
    pub module_scope: bool,
    /// After passes that changed something.
    pub after_change: bool,
    /// After passes that failed.
    pub after_failure: bool,
    /// A folder for files; empty: standard error.
    pub folder: &'a str,
}

/// A pass: a closure, which may be called by several threads.
struct Code<F> {
    run: F,
    /// MLIR has a pointer to it.
    op_name: String,
}

unsafe extern "C" fn construct(_data: *mut c_void) {}

/// # Safety
///
/// `data` is a reference to a `Code<F>`, which the pass had.
unsafe extern "C" fn destruct<F>(data: *mut c_void) {
    // SAFETY: `data` is the reference that the pass was made with or `duplicate` added, and MLIR destroys a
    // pass once. A panic ends here.
    let _ = caught(|| drop(unsafe { Arc::from_raw(data.cast::<Code<F>>()) }));
}

/// # Safety
///
/// As for `destruct`.
unsafe extern "C" fn duplicate<F>(data: *mut c_void) -> *mut c_void {
    // SAFETY: `data` is a live reference; this makes another one to the same code, for another thread.
    unsafe { Arc::increment_strong_count(data.cast::<Code<F>>()) };
    data
}

/// # Safety
///
/// As for `destruct`; the pass is running on the operation.
unsafe extern "C" fn run<F: Fn(Op<'_>) -> bool>(
    op: MlirOperation,
    pass: MlirExternalPass,
    data: *mut c_void,
) {
    // SAFETY: `data` is the pass's own reference, which lives until `destruct`, and MLIR runs the pass on a
    // live operation. The operation is live until the closure destroys it.
    let succeeded = unsafe {
        let code = &*data.cast::<Code<F>>();
        caught(|| Op::from_raw(op).is_some_and(|op| (code.run)(op)))
    };
    if !succeeded.unwrap_or(false) {
        // SAFETY: MLIR keeps the pass alive, and running, until this callback returns.
        unsafe { mlirExternalPassSignalFailure(pass) };
    }
}

/// A type id that nothing else has. Passes are distinguished by it.
fn new_type_id() -> MlirTypeID {
    struct Allocator(MlirTypeIDAllocator);
    // SAFETY: the allocator is used only under the mutex around it.
    unsafe impl Send for Allocator {}
    static ALLOCATOR: OnceLock<Mutex<Allocator>> = OnceLock::new();
    let allocator = ALLOCATOR.get_or_init(|| {
        // SAFETY: the constructor has no precondition. The allocator is never destroyed, as MLIR may keep
        // its ids.
        Mutex::new(Allocator(unsafe { mlirTypeIDAllocatorCreate() }))
    });
    let allocator = allocator.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the allocator is live.
    unsafe { mlirTypeIDAllocatorAllocateTypeID(allocator.0) }
}

impl Pipeline {
    /// A pass manager for operations of a kind, or `any`. The bundle's passes are known from the first one on.
    ///
    /// # Safety
    ///
    /// The context outlives it.
    pub unsafe fn new(ctx: Uniquer<'_>, anchor: &str) -> Self {
        Self::register_passes();
        // SAFETY: the context is live, and MLIR copies the name; the new pass manager is ours alone.
        unsafe {
            Self::owning(mlirPassManagerCreateOnOperation(
                ctx.raw(),
                string_ref(anchor),
            ))
        }
    }

    /// Makes the bundle's passes known, for all pass managers of the process.
    pub fn register_passes() {
        // SAFETY: `mondoRegisterBundlePasses` has no precondition, and only its first call in a process
        // does anything.
        unsafe { mondoRegisterBundlePasses() };
    }

    /// # Safety
    ///
    /// The pass manager is live, and nothing else owns it.
    unsafe fn owning(raw: MlirPassManager) -> Self {
        Self {
            // SAFETY: the caller gives up a live pass manager, which `Owned` needs (this function's
            // contract).
            manager: unsafe { Owned::new(raw) },
            busy: Mutex::default(),
        }
    }

    /// The pass manager at an address.
    ///
    /// # Safety
    ///
    /// It is live, nothing else owns it, and its context outlives it.
    pub unsafe fn adopt(address: *mut c_void) -> Self {
        // SAFETY: the caller gives up a live pass manager, which `owning` needs (this function's contract).
        unsafe { Self::owning(MlirPassManager { ptr: address }) }
    }

    /// The address, by which other code knows it.
    pub fn address(&self) -> *mut c_void {
        self.manager.get().ptr
    }

    /// Gives up ownership: the holder of the address owns it.
    pub fn release(self) -> *mut c_void {
        self.manager.release().ptr
    }

    fn alone(&self) -> MutexGuard<'_, ()> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ops(&self) -> MlirOpPassManager {
        // SAFETY: `Owned` keeps the pass manager alive as long as this.
        unsafe { mlirPassManagerGetAsOpPassManager(self.manager.get()) }
    }

    /// Makes the passes those of a text.
    ///
    /// # Errors
    /// The reason for which it cannot be parsed.
    pub fn parse(&self, pipeline: &str) -> Result<(), String> {
        check_nesting(pipeline).map_err(|error| error.to_string())?;
        let _alone = self.alone();
        // SAFETY: the pass manager is live, and the text is only read.
        let (message, parsed) = text(|sink, data| unsafe {
            mlirParsePassPipeline(self.ops(), string_ref(pipeline), sink, data)
        });
        if parsed.value != 0 {
            Ok(())
        } else {
            Err(message)
        }
    }

    /// Adds the passes of a text.
    ///
    /// # Errors
    /// The reason for which it cannot be parsed.
    pub fn append(&self, pipeline: &str) -> Result<(), String> {
        check_nesting(pipeline).map_err(|error| error.to_string())?;
        let _alone = self.alone();
        // SAFETY: `Owned` keeps the pass manager alive as long as this, and the text is only read.
        let (message, parsed) = text(|sink, data| unsafe {
            mlirOpPassManagerAddPipeline(self.ops(), string_ref(pipeline), sink, data)
        });
        if parsed.value != 0 {
            Ok(())
        } else {
            Err(message)
        }
    }

    /// The text of the pipeline.
    pub fn to_text(&self) -> String {
        let _alone = self.alone();
        // SAFETY: `Owned` keeps the pass manager alive as long as this.
        text(|sink, data| unsafe { mlirPrintPassPipeline(self.ops(), sink, data) }).0
    }

    /// Adds a pass: a closure, which returns whether it succeeded. MLIR ends the process where the pass is for
    /// another kind of operations than the pass manager.
    pub fn add<F>(&self, texts: &PassTexts<'_>, run_on: F)
    where
        F: Fn(Op<'_>) -> bool + Send + Sync + 'static,
    {
        let callbacks = MlirExternalPassCallbacks {
            construct: Some(construct),
            destruct: Some(destruct::<F>),
            initialize: None,
            clone: Some(duplicate::<F>),
            run: Some(run::<F>),
        };
        let code = Arc::new(Code {
            run: run_on,
            op_name: texts.op_name.to_owned(),
        });
        let op_name = string_ref(&code.op_name);
        let _alone = self.alone();
        let data = Arc::into_raw(code).cast_mut().cast();
        // SAFETY: MLIR copies the texts except the operation's name, which `data` holds. `destruct` releases
        // `data` with the pass, which the pass manager takes over. No dependent dialects need no array.
        unsafe {
            let pass = mlirCreateExternalPass(
                new_type_id(),
                string_ref(texts.name),
                string_ref(texts.argument),
                string_ref(texts.description),
                op_name,
                0,
                std::ptr::null_mut(),
                callbacks,
                data,
            );
            mlirPassManagerAddOwnedPass(self.manager.get(), pass);
        }
    }

    /// Says whether the verifier runs after each pass.
    pub fn enable_verifier(&self, enable: bool) {
        let _alone = self.alone();
        // SAFETY: `Owned` keeps the pass manager alive as long as this.
        unsafe { mlirPassManagerEnableVerifier(self.manager.get(), enable) };
    }

    /// Prints how long each pass takes, to standard error.
    pub fn enable_timing(&self) {
        let _alone = self.alone();
        // SAFETY: `Owned` keeps the pass manager alive as long as this.
        unsafe { mlirPassManagerEnableTiming(self.manager.get()) };
    }

    /// Prints the statistics of passes, to standard error: as a list, or as the pipeline.
    pub fn enable_statistics(&self, as_pipeline: bool) {
        let mode = if as_pipeline {
            MLIR_PASS_DISPLAY_MODE_PIPELINE
        } else {
            MLIR_PASS_DISPLAY_MODE_LIST
        };
        let _alone = self.alone();
        // SAFETY: `Owned` keeps the pass manager alive as long as this.
        unsafe { mlirPassManagerEnableStatistics(self.manager.get(), mode) };
    }

    /// Prints the IR around passes.
    pub fn enable_ir_printing(&self, how: &IrPrinting<'_>, flags: &TextFlags) {
        let _alone = self.alone();
        // SAFETY: the pass manager is live; MLIR copies the flags and the path.
        unsafe {
            mlirPassManagerEnableIRPrinting(
                self.manager.get(),
                how.before_all,
                how.after_all,
                how.module_scope,
                how.after_change,
                how.after_failure,
                flags.raw(),
                string_ref(how.folder),
            );
        }
    }

    /// The run on an operation, to be started in whatever thread.
    pub fn run_on(&self, op: Op<'_>) -> PipelineRun<'_> {
        PipelineRun {
            manager: self.manager.get(),
            op: op.raw(),
            pipeline: PhantomData,
        }
    }
}

/// A run of a pass manager that is not started yet.
#[derive(Debug)]
pub struct PipelineRun<'a> {
    manager: MlirPassManager,
    op: MlirOperation,
    pipeline: PhantomData<&'a Pipeline>,
}

// SAFETY: MLIR runs pipelines in any thread; the caller that starts the run vouches for the rest.
unsafe impl Send for PipelineRun<'_> {}

impl PipelineRun<'_> {
    /// Runs the passes. Returns whether all succeeded.
    ///
    /// # Safety
    ///
    /// The operation is live, and of the pass manager's context; no other thread uses either meanwhile, and
    /// handles of nodes in the tree are not used afterwards.
    pub unsafe fn start(self) -> bool {
        // SAFETY: the operation is live, of the pass manager's context, and used by no other thread, by
        // this function's contract; `'a` borrows the pass manager.
        unsafe { mlirPassManagerRunOnOp(self.manager, self.op).value != 0 }
    }
}
