//! Passes that are closures.

use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::rc::Rc;

use mondo_sys::{
    MlirExternalPass, MlirExternalPassCallbacks, MlirOperation, MlirPass, MlirTypeIDAllocator,
    mlirCreateExternalPass, mlirExternalPassSignalFailure, mlirOperationGetParentOperation,
    mlirTypeIDAllocatorAllocateTypeID, mlirTypeIDAllocatorCreate, mondoOperationIsClosedInside,
};

use crate::c_object::Owned;
use crate::callback::{caught, string_ref};
use crate::error::{Error, ErrorKind, Result};
use crate::fence::{Fence, too_deep};
use crate::handle::Op;
use crate::scope::{Ir, State};
use crate::tree;

/// The first error of a closure in a run.
pub(crate) type Failure = Rc<RefCell<Option<Error>>>;

type Run<'ctx> = dyn for<'call> Fn(&'call Ir<'ctx>, Op<'call, 'ctx>) -> Result<()> + 'ctx;

/// A pass that is a closure.
///
/// The closure gets a token of its own call, so that it can keep no handle, and the operation. It may
/// change what is in that: a change of anything else in the tree is refused with `ErrorKind::Outside`. What it
/// erases is freed as soon as it returns. What it keeps, in a list that it has captured, must not use what is in the
/// tree: such uses are removed, and the pass fails with `ErrorKind::Open`. It runs in the thread that runs the
/// pipeline.
///
/// ```
/// # use mondo_ir::{Context, ErrorKind, Module, OwnPass, PassManager};
/// Context::new().enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     let mut passes = PassManager::new(ctx);
///     passes.add_own(OwnPass::new("fails", |_, _| panic!("not today")));
///     let error = passes.run(ir, module.owner()).unwrap_err();
///     assert_eq!(error.kind(), ErrorKind::Panicked);
/// });
/// ```
pub struct OwnPass<'ctx> {
    name: String,
    operation: Option<String>,
    run: Box<Run<'ctx>>,
}

impl fmt::Debug for OwnPass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnPass({})", self.name)
    }
}

impl<'ctx> OwnPass<'ctx> {
    /// A pass that runs on whatever its pipeline is for.
    pub fn new(
        name: &str,
        run: impl for<'call> Fn(&'call Ir<'ctx>, Op<'call, 'ctx>) -> Result<()> + 'ctx,
    ) -> Self {
        Self {
            name: name.to_owned(),
            operation: None,
            run: Box::new(run),
        }
    }

    /// A pass that runs on each operation of that name.
    pub fn on(
        name: &str,
        operation: &str,
        run: impl for<'call> Fn(&'call Ir<'ctx>, Op<'call, 'ctx>) -> Result<()> + 'ctx,
    ) -> Self {
        Self {
            operation: Some(operation.to_owned()),
            ..Self::new(name, run)
        }
    }

    pub(crate) fn make(self, state: &'ctx State, failure: &Failure) -> (MlirPass, Made) {
        // SAFETY: the new allocator is ours alone.
        let ids = unsafe { Owned::new(mlirTypeIDAllocatorCreate()) };
        let data = Rc::new(Called {
            state,
            run: self.run,
            failure: Rc::clone(failure),
        });
        let made = Made {
            name: self.name,
            operation: self.operation,
            ids,
        };
        let callbacks = MlirExternalPassCallbacks {
            construct: Some(construct),
            destruct: Some(destruct),
            initialize: None,
            clone: Some(clone),
            run: Some(run),
        };
        let operation = made.operation.as_deref().unwrap_or_default();
        // SAFETY: the identity is new; MLIR may keep the strings and the identity, which `made` holds as
        // long as the pass lives; `destruct` gives the reference back.
        let pass = unsafe {
            mlirCreateExternalPass(
                mlirTypeIDAllocatorAllocateTypeID(made.ids.get()),
                string_ref(&made.name),
                string_ref(&made.name),
                string_ref(""),
                string_ref(operation),
                0,
                std::ptr::null_mut(),
                callbacks,
                Rc::into_raw(data).cast_mut().cast(),
            )
        };
        (pass, made)
    }
}

/// The things that a pass in a pipeline refers to, beside its closure.
#[derive(Debug)]
pub(crate) struct Made {
    name: String,
    operation: Option<String>,
    ids: Owned<MlirTypeIDAllocator>,
}

impl Made {
    pub(crate) fn operation(&self) -> Option<&str> {
        self.operation.as_deref()
    }
}

/// The data of a pass and of its copies. The brand is the one of the pipeline, which outlives the pass;
/// C++ knows no lifetimes.
struct Called<'ctx> {
    state: &'ctx State,
    run: Box<Run<'ctx>>,
    failure: Failure,
}

unsafe extern "C" fn construct(_data: *mut c_void) {}

/// # Safety
///
/// `data` is a reference to a `Called`, which nothing uses afterwards.
unsafe extern "C" fn destruct(data: *mut c_void) {
    // SAFETY: `make` or `clone` has made the reference for this pass.
    let data = unsafe { Rc::from_raw(data.cast_const().cast::<Called<'_>>()) };
    // A panic in the drop of what the closure holds ends here; there is nobody to tell.
    let _ = caught(|| drop(data));
}

/// # Safety
///
/// `data` is a reference to a `Called`.
unsafe extern "C" fn clone(data: *mut c_void) -> *mut c_void {
    // SAFETY: the pass that is copied has a reference. Copies are made and used in one thread, as the
    // context's threads are off while a pipeline with such a pass runs.
    unsafe { Rc::increment_strong_count(data.cast_const().cast::<Called<'_>>()) };
    data
}

/// # Safety
///
/// `data` is a reference to a `Called`; operation and pass are live, and there is no handle.
unsafe extern "C" fn run(op: MlirOperation, pass: MlirExternalPass, data: *mut c_void) {
    // SAFETY: `data` is the reference that `make` or `clone` handed to MLIR for this pass, which only
    // `destruct` drops.
    let called = unsafe { &*data.cast_const().cast::<Called<'_>>() };
    // SAFETY: the operation is live, and there is no handle, by this function's contract.
    let outcome = unsafe { run_inside(called.state, op, &*called.run) };
    if let Err(error) = outcome {
        called.failure.borrow_mut().get_or_insert(error);
        // SAFETY: MLIR keeps the pass alive, and running, until this callback returns.
        unsafe { mlirExternalPassSignalFailure(pass) };
    }
}

/// Calls a pass's closure, which changes what is in the operation.
///
/// # Safety
///
/// The operation is live and of the state's context, and there is no handle of what may be erased.
pub(crate) unsafe fn run_inside<'ctx>(
    state: &'ctx State,
    op: MlirOperation,
    run: &(impl for<'call> Fn(&'call Ir<'ctx>, Op<'call, 'ctx>) -> Result<()> + ?Sized),
) -> Result<()> {
    let dead = state.dead_count();
    let run = || {
        caught(|| {
            // SAFETY: the operation is live, and what is erased below it stays until the closure returns.
            run(&Ir::of(state), unsafe { Op::expect(op, state) })
        })
    };
    // SAFETY: the operation is live by this function's contract.
    let (outcome, crossed) = unsafe { state.watched(Fence::Inside(op), run, |_| Vec::new()) };
    // SAFETY: the handles of the call have ended with it, and there were none before (this function's contract).
    unsafe { state.flush_since(dead) };
    // SAFETY: the operation is live, as above.
    let (closed, deep) = unsafe {
        let around = mlirOperationGetParentOperation(op);
        (
            mondoOperationIsClosedInside(op),
            tree::is_too_deep_in(op, around),
        )
    };
    let outcome = outcome.and_then(|outcome| outcome).and(crossed);
    outcome.and_then(|()| {
        let message = "the pass's operation uses values or blocks that are not in it";
        match (closed, deep) {
            (_, true) => Err(too_deep()),
            (true, _) => Ok(()),
            (false, _) => Err(Error::new(ErrorKind::Open, message)),
        }
    })
}
