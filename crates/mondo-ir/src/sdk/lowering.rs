//! Patterns of MLIR's pass `convert-to-llvm` for a dialect.

use mondo_sys::{
    MlirOperation, MlirType, MlirValue, MondoConversionRewriter, MondoSdkAddDialectInterface,
    MondoSdkLoweredType, MondoSdkTypeFailed, MondoSdkTypeLowered, MondoSdkTypeUnknown,
    mlirOperationGetBlock, mlirOperationGetContext, mondoSdkAddToLlvm, mondoSdkEmitError,
    mondoSdkEmitOpError, mondoSdkIsolatedAncestor,
};

use crate::callback::string_ref;
use crate::conversion_driver::grouped;
use crate::conversion_rewriter::{Adaptor, ConversionRewriter, Convert, convert_once};
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::scope::State;
use crate::sdk::panic::caught;
use crate::uniqued_handles::Type;

/// The function of a pattern: it returns whether its changes are to be made.
///
/// ```
/// # use mondo_ir::sdk::Lower;
/// const FORGET: Lower = |rewriter, _, _| {
///     rewriter.erase();
///     Ok(true)
/// };
/// # let _ = FORGET;
/// ```
pub type Lower = for<'a, 'call, 'ctx> fn(
    &'a ConversionRewriter<'call, 'ctx>,
    Op<'call, 'ctx>,
    &'a Adaptor<'call, 'ctx>,
) -> Result<bool>;

/// The function that says which type of LLVM's a type becomes, or none where it does not know it.
///
/// ```
/// # use mondo_ir::{sdk::LowerType, types::Float};
/// const ONLY_FLOATS: LowerType = |type_| Ok(type_.downcast::<Float>().map(|_| type_));
/// # let _ = ONLY_FLOATS;
/// ```
pub type LowerType = for<'ctx> fn(Type<'ctx>) -> Result<Option<Type<'ctx>>>;

/// A pattern of `convert-to-llvm` for operations of a dialect.
///
/// ```
/// # use mondo_ir::sdk::Lowering;
/// const ADD: Lowering = Lowering::new("units.add", |rewriter, sum, adaptor| {
///     let new = rewriter.ir().build("llvm.add", sum.location());
///     let new = rewriter.insert(new.operands(&adaptor.operands()?).infer().finish()?);
///     rewriter.replace(&new.results());
///     Ok(true)
/// });
/// assert_eq!(ADD.with_benefit(2).root(), "units.add");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Lowering {
    root: &'static str,
    benefit: u16,
    lower: Lower,
}

impl Lowering {
    /// A pattern for operations of this name, with the dialect's. The pass fails where no pattern of such an operation applies.
    #[must_use]
    pub const fn new(root: &'static str, lower: Lower) -> Self {
        Self {
            root,
            benefit: 1,
            lower,
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

/// The patterns of a dialect, and what its types become.
///
/// ```
/// # use mondo_ir::sdk::{LowerType, Lowering, ToLlvm};
/// const PATTERNS: &[Lowering] = &[Lowering::new("units.nop", |rewriter, _, _| {
///     rewriter.erase();
///     Ok(true)
/// })];
/// fn without_types() -> ToLlvm {
///     ToLlvm::new(PATTERNS)
/// }
/// fn with_types(types: LowerType) -> ToLlvm {
///     let mut all = without_types();
///     all.types = Some(types);
///     all
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ToLlvm {
    pub(super) add: MondoSdkAddDialectInterface,
    /// The patterns.
    pub patterns: &'static [Lowering],
    /// What the dialect's types become.
    pub types: Option<LowerType>,
}

impl ToLlvm {
    /// These patterns, and no types.
    // Inlined, so that only a dialect with patterns refers to the function, and links what it needs.
    #[inline]
    #[must_use]
    pub const fn new(patterns: &'static [Lowering]) -> Self {
        Self {
            add: Some(mondoSdkAddToLlvm),
            patterns,
            types: None,
        }
    }
}

/// Calls a pattern. Returns `false` if it does not apply, or failed, which has been reported then.
///
/// # Safety
///
/// Operation and rewriter are live; there are so many counts, and their sum of values, all live; and there is no handle of what may
/// be erased.
pub(super) unsafe fn lower(
    pattern: &Lowering,
    op: MlirOperation,
    num_operands: isize,
    counts: *const isize,
    values: *const MlirValue,
    rewriter: *mut MondoConversionRewriter,
) -> bool {
    // A pass runs on an operation that is isolated, while other threads change what is beside that.
    // SAFETY: the operation is live, and so are its context and what is around it.
    let state = unsafe { State::within(mlirOperationGetContext(op), mondoSdkIsolatedAncestor(op)) };
    // SAFETY: operation, operands and rewriter are live, and there is no handle, by this function's contract.
    let outcome = unsafe {
        let is_root = mlirOperationGetBlock(op).ptr.is_null();
        let top = if is_root {
            op
        } else {
            MlirOperation {
                ptr: std::ptr::null_mut(),
            }
        };
        let groups = grouped(num_operands, counts, values);
        apply(&state, top, op, &groups, rewriter, pattern.lower)
    };
    outcome.unwrap_or_else(|error| {
        // SAFETY: a pattern that fails has erased nothing.
        unsafe { mondoSdkEmitOpError(op, string_ref(&error.to_string())) };
        false
    })
}

/// # Safety
///
/// As for [`lower`].
unsafe fn apply<'ctx>(
    state: &'ctx State,
    top: MlirOperation,
    op: MlirOperation,
    operands: &[Vec<MlirValue>],
    rewriter: *mut MondoConversionRewriter,
    function: Lower,
) -> Result<bool> {
    fn of_pattern<'ctx, F>(function: F) -> F
    where
        F: for<'a, 'call> Fn(
            &'a ConversionRewriter<'call, 'ctx>,
            Op<'call, 'ctx>,
            &'a Adaptor<'call, 'ctx>,
        ) -> Result<bool>,
    {
        function
    }
    let run = of_pattern::<'ctx, _>(move |rewriter, op, adaptor| {
        caught("a pattern", || function(rewriter, op, adaptor))
            .unwrap_or_else(|panic| Err(Error::new(ErrorKind::Panicked, panic)))
    });
    let run: &Convert<'ctx> = &run;
    // SAFETY: all are live, and there is no handle, by this function's contract.
    unsafe { convert_once(state, top, op, operands, rewriter, run) }
}

/// Asks what a type becomes. A failure has been reported.
///
/// # Safety
///
/// The type is live, and `lowered` can be written.
pub(super) unsafe fn lower_type(
    function: LowerType,
    type_: MlirType,
    lowered: *mut MlirType,
) -> MondoSdkLoweredType {
    // SAFETY: the type is live, by this function's contract.
    let type_: Type<'_> = unsafe { Type::expect(type_) };
    let error = match caught("lowering a type", || function(type_)) {
        Ok(Ok(None)) => return MondoSdkTypeUnknown,
        Ok(Ok(Some(found))) => {
            // SAFETY: `lowered` can be written, by this function's contract.
            unsafe { *lowered = found.raw() };
            return MondoSdkTypeLowered;
        }
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic,
    };
    let message = format!("the type '{type_}' cannot be lowered: {error}");
    // SAFETY: a uniqued location is live as long as its context, which the shim keeps for the call.
    unsafe { mondoSdkEmitError(type_.uniquer().unknown().raw(), string_ref(&message)) };
    MondoSdkTypeFailed
}
