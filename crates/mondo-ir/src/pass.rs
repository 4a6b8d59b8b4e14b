//! Pass pipelines.

use std::cell::RefCell;
use std::rc::Rc;

use mondo_sys::{
    MlirOpPassManager, MlirPassManager, mlirOpPassManagerAddOwnedPass,
    mlirOpPassManagerAddPipeline, mlirParsePassPipeline, mlirPassManagerCreate,
    mlirPassManagerCreateOnOperation, mlirPassManagerGetAsOpPassManager,
    mlirPassManagerGetNestedUnder, mlirPassManagerRunOnOp, mlirPrintPassPipeline,
    mondoRegisterBundlePasses,
};

use crate::brand::Brand;
use crate::c_object::Owned;
use crate::callback::{string_ref, text};
use crate::capture::captured;
use crate::context::Ctx;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::handle::OwnedOp;
use crate::own_pass::{Failure, Made, OwnPass};
use crate::scope::{Ir, State};

/// A pipeline of passes.
///
/// ```
/// # use mondo_ir::{Context, Module, PassManager};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f() -> i32 { %0 = arith.constant 20 : i32 \
///                 %1 = arith.addi %0, %0 : i32 return %1 : i32 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut passes = PassManager::on(ctx, "builtin.module");
///     passes.add("func.func(canonicalize,cse)").unwrap();
///     passes.run(ir, module.owner()).unwrap();
///     assert!(module.op(ir).to_string().contains("constant 40"));
/// });
/// ```
#[derive(Debug)]
pub struct PassManager<'ctx> {
    // This field comes first, so that the pass manager is dropped before the closures that its
    // passes refer to.
    manager: Owned<MlirPassManager>,
    own: Vec<Made>,
    failure: Failure,
    state: &'ctx State,
    brand: Brand<'ctx>,
}

impl<'ctx> PassManager<'ctx> {
    /// A pipeline that runs on operations of any name.
    pub fn new(ctx: Ctx<'ctx>) -> Self {
        // SAFETY: a `Ctx` is of a live context, by its brand; nothing else owns the new pass manager.
        Self::of(ctx, unsafe { Owned::new(mlirPassManagerCreate(ctx.raw())) })
    }

    /// A pipeline that runs on operations of this name.
    pub fn on(ctx: Ctx<'ctx>, operation: &str) -> Self {
        let name = string_ref(operation);
        // SAFETY: a `Ctx` is of a live context, by its brand; MLIR copies the name, and nothing else owns the
        // new pass manager.
        Self::of(ctx, unsafe {
            Owned::new(mlirPassManagerCreateOnOperation(ctx.raw(), name))
        })
    }

    /// The pipeline that a text describes: `builtin.module(func.func(cse))`.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not a pipeline, or a pass is not in the bundle.
    pub fn parse(ctx: Ctx<'ctx>, pipeline: &str) -> Result<Self> {
        check_nesting(pipeline)?;
        let manager = Self::new(ctx);
        let parsed = || {
            text(|sink, data| {
                // SAFETY: the pipeline is live, and the text read only.
                unsafe { mlirParsePassPipeline(manager.top(), string_ref(pipeline), sink, data) }
            })
        };
        check_parsed(pipeline, captured(ctx.state, parsed))?;
        Ok(manager)
    }

    fn of(ctx: Ctx<'ctx>, manager: Owned<MlirPassManager>) -> Self {
        // SAFETY: `mondoRegisterBundlePasses` has no precondition, and only its first call in a process
        // does anything.
        unsafe { mondoRegisterBundlePasses() };
        Self {
            manager,
            own: Vec::new(),
            failure: Rc::new(RefCell::new(None)),
            state: ctx.state,
            brand: std::marker::PhantomData,
        }
    }

    fn top(&self) -> MlirOpPassManager {
        // SAFETY: `Owned` keeps the pass manager alive until it is dropped, and so the `OpPassManager` at
        // its top.
        unsafe { mlirPassManagerGetAsOpPassManager(self.manager.get()) }
    }

    /// Adds what a text describes: `func.func(cse),canonicalize`.
    ///
    /// # Errors
    /// `ErrorKind::Parse` if the text is not a pipeline, or a pass is not in the bundle.
    pub fn add(&mut self, pipeline: &str) -> Result<&mut Self> {
        check_nesting(pipeline)?;
        let parsed = || {
            text(|sink, data| {
                let elements = string_ref(pipeline);
                // SAFETY: the pipeline is live, and the text read only.
                unsafe { mlirOpPassManagerAddPipeline(self.top(), elements, sink, data) }
            })
        };
        check_parsed(pipeline, captured(self.state, parsed))?;
        Ok(self)
    }

    /// Adds a pass that is a closure, which runs on the operations it says.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, OwnPass, PassManager};
    /// Context::new().enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
    ///     let mark = ctx.unit();
    ///     let mut passes = PassManager::new(ctx);
    ///     passes.add_own(OwnPass::on("mark", "func.func", move |_, op| {
    ///         op.set_attribute("seen", mark)
    ///     }));
    ///     passes.run(ir, module.owner()).unwrap();
    ///     assert!(module.body(ir).first().unwrap().attribute("seen").is_some());
    /// });
    /// ```
    pub fn add_own(&mut self, pass: OwnPass<'ctx>) -> &mut Self {
        let (raw, made) = pass.make(self.state, &self.failure);
        // SAFETY: the pipeline is live and owns the pass from here on. A pass for one operation is put
        // into a pipeline for that, as MLIR wants it.
        unsafe {
            let place = match made.operation() {
                None => self.top(),
                Some(name) => mlirPassManagerGetNestedUnder(self.manager.get(), string_ref(name)),
            };
            mlirOpPassManagerAddOwnedPass(place, raw);
        }
        self.own.push(made);
        self
    }

    /// The pipeline as text.
    ///
    /// ```
    /// # use mondo_ir::{Context, PassManager};
    /// Context::new().enter(|ctx, _| {
    ///     let passes = PassManager::parse(ctx, "builtin.module(cse)").unwrap();
    ///     assert_eq!(passes.text(), "builtin.module(cse)");
    /// });
    /// ```
    pub fn text(&self) -> String {
        text(|sink, data| {
            // SAFETY: `Owned` keeps the pass manager alive until it is dropped.
            unsafe { mlirPrintPassPipeline(self.top(), sink, data) };
        })
        .0
    }

    /// Runs the pipeline on a tree, and returns the warnings and remarks. The tree has to be valid, before
    /// and after each pass: passes rely on that.
    ///
    /// # Errors
    /// `ErrorKind::Pass` if a pass fails, with MLIR's diagnostics; the error of a closure's pass;
    /// `ErrorKind::Verify` and `ErrorKind::Open` as in [`Op::verify`].
    pub fn run(&mut self, ir: &mut Ir<'ctx>, on: &OwnedOp<'ctx>) -> Result<Vec<Diagnostic>> {
        ir.collect();
        on.op(ir).verify()?;
        self.failure.replace(None);
        let run = || {
            // SAFETY: pipeline and operation are live, and the operation is a valid root of this
            // context; handles borrow the token, which is borrowed exclusively here.
            unsafe { mlirPassManagerRunOnOp(self.manager.get(), on.raw()) }
        };
        let runs_closures = !self.own.is_empty();
        // SAFETY: nothing runs in the context's threads, as the token is borrowed exclusively.
        let (done, diagnostics) = unsafe {
            self.state
                .without_threads(runs_closures, || captured(self.state, run))
        };
        ir.collect();
        if let Some(error) = self.failure.take() {
            let mut all = error.diagnostics().to_vec();
            all.extend(diagnostics);
            return Err(error.with(all));
        }
        if done.value == 0 {
            let message = format!("the pipeline `{}` failed", self.text());
            return Err(Error::new(ErrorKind::Pass, message).with(diagnostics));
        }
        Ok(diagnostics)
    }
}

type Parsed = ((String, mondo_sys::MlirLogicalResult), Vec<Diagnostic>);

/// The levels of `(` and `{` that the text of a pipeline may have, as other text. MLIR's parser recurses in them.
const LEVELS: usize = 1000;

/// Refuses the text of a pipeline that nests deeper than MLIR's parser can follow.
pub(crate) fn check_nesting(pipeline: &str) -> Result<()> {
    let mut levels = 0_usize;
    for (at, byte) in pipeline.bytes().enumerate() {
        match byte {
            b'(' | b'{' => levels += 1,
            b')' | b'}' => levels = levels.saturating_sub(1),
            _ => {}
        }
        if levels > LEVELS {
            let message = format!(
                "the pipeline cannot be read: at byte {at}: it nests deeper than the parser can follow"
            );
            return Err(Error::new(ErrorKind::Parse, message));
        }
    }
    Ok(())
}

fn check_parsed(pipeline: &str, ((why, parsed), diagnostics): Parsed) -> Result<()> {
    if parsed.value != 0 {
        return Ok(());
    }
    let message = format!("the pipeline `{pipeline}` cannot be read: {}", why.trim());
    Err(Error::new(ErrorKind::Parse, message).with(diagnostics))
}

impl<'call, 'ctx> Op<'call, 'ctx> {
    /// Returns true if this is the operation of that name.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }
}
