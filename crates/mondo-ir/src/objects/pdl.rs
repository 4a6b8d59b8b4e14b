//! Patterns of the PDL dialect, and the functions that they call.

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

use mondo_sys::*;

use super::{FrozenPatterns, OpenRewriter};
use crate::c_object::Owned;
use crate::callback::{caught, string_ref};
use crate::nodes::{Loose, Op, Value};
use crate::uniqued_handles::{Attribute, Type};
use crate::uniquer::Uniquer;

/// A function that patterns call by its name. MLIR ends the process where one that rewrites fails.
pub trait PdlFunction: Send + Sync + 'static {
    /// Does the work. Returns whether it succeeded; then as many results were given as the patterns take, and of
    /// their kinds.
    fn call(&self, call: &NativeCall<'_, '_>) -> bool;
}

/// A call of a [`PdlFunction`].
#[derive(Debug)]
pub struct NativeCall<'a, 'ctx> {
    ctx: Uniquer<'ctx>,
    rewriter: &'a Arc<OpenRewriter>,
    results: MlirPDLResultList,
    values: &'a [MlirPDLValue],
}

/// Something that a function is given, or that it gives.
#[derive(Debug, Clone, Copy)]
pub enum NativeValue<'ctx> {
    /// An attribute.
    Attribute(Attribute<'ctx>),
    /// An operation.
    Op(Op<'ctx>),
    /// A type.
    Type(Type<'ctx>),
    /// A value.
    Value(Value<'ctx>),
}

impl<'a, 'ctx> NativeCall<'a, 'ctx> {
    /// The context.
    pub fn ctx(&self) -> Uniquer<'ctx> {
        self.ctx
    }

    /// The rewriter.
    pub fn rewriter(&self) -> &'a Arc<OpenRewriter> {
        self.rewriter
    }

    /// The arguments; none for one of another sort.
    pub fn values(&self) -> impl Iterator<Item = Option<NativeValue<'ctx>>> {
        // SAFETY: what a pattern matched is alive and of the context of its rewriter.
        self.values.iter().map(|value| unsafe {
            let value = *value;
            Value::from_raw(mlirPDLValueAsValue(value))
                .map(NativeValue::Value)
                .or_else(|| Op::from_raw(mlirPDLValueAsOperation(value)).map(NativeValue::Op))
                .or_else(|| {
                    Attribute::from_raw(mlirPDLValueAsAttribute(value)).map(NativeValue::Attribute)
                })
                .or_else(|| Type::from_raw(mlirPDLValueAsType(value)).map(NativeValue::Type))
        })
    }

    /// Gives the next result.
    pub fn give(&self, result: NativeValue<'ctx>) {
        // SAFETY: MLIR waits for the results, and the result is live.
        unsafe {
            match result {
                NativeValue::Attribute(it) => {
                    mlirPDLResultListPushBackAttribute(self.results, it.raw());
                }
                NativeValue::Op(it) => mlirPDLResultListPushBackOperation(self.results, it.raw()),
                NativeValue::Type(it) => mlirPDLResultListPushBackType(self.results, it.raw()),
                NativeValue::Value(it) => mlirPDLResultListPushBackValue(self.results, it.raw()),
            }
        }
    }
}

/// # Safety
///
/// `data` is an `F`; the rewriter, the list and as many values as is said are live.
unsafe extern "C" fn call<F: PdlFunction>(
    rewriter: MlirPatternRewriter,
    results: MlirPDLResultList,
    count: usize,
    values: *mut MlirPDLValue,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: MLIR calls this with a live rewriter, list and values; the patterns, which run now, own the
    // function at `data`.
    let succeeded = unsafe {
        let function = &*data.cast::<F>();
        let values: &[MlirPDLValue] = match count {
            0 => &[],
            _ => std::slice::from_raw_parts(values, count),
        };
        caught(|| {
            OpenRewriter::during(rewriter, |ctx, rewriter| {
                function.call(&NativeCall {
                    ctx,
                    rewriter,
                    results,
                    values,
                })
            })
        })
    };
    MlirLogicalResult {
        value: i8::from(succeeded.unwrap_or(false)),
    }
}

/// Patterns of the PDL dialect, before they can be applied.
pub struct PdlPatterns {
    patterns: Owned<MlirPDLPatternModule>,
    /// The functions; dropped after the patterns.
    kept: Vec<Arc<dyn Any + Send + Sync>>,
}

// SAFETY: patterns belong to no thread.
unsafe impl Send for PdlPatterns {}

impl fmt::Debug for PdlPatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PdlPatterns")
    }
}

impl PdlPatterns {
    /// Takes a module over.
    ///
    /// # Safety
    ///
    /// It is a valid module, with patterns of the PDL dialect, and its context outlives them. Its handles are not
    /// used afterwards.
    pub unsafe fn of(module: Loose<Op<'_>>) -> Self {
        let module = MlirModule {
            ptr: module.node().raw().ptr,
        };
        // SAFETY: the module is one of valid patterns, which the caller gives up (this function's
        // contract), and nothing else owns the new patterns.
        let patterns = unsafe { Owned::new(mlirPDLPatternModuleFromModule(module)) };
        Self {
            patterns,
            kept: Vec::new(),
        }
    }

    /// Makes a function the one of a name, for rewrites or for constraints.
    pub fn register<F: PdlFunction>(&mut self, name: &str, is_rewrite: bool, function: Arc<F>) {
        let data = Arc::as_ptr(&function).cast_mut().cast();
        self.kept.push(function);
        let register = if is_rewrite {
            mlirPDLPatternModuleRegisterRewriteFunction
        } else {
            mlirPDLPatternModuleRegisterConstraintFunction
        };
        // SAFETY: the patterns are live, and MLIR copies the name. The function is kept as long as the patterns,
        // also when they are frozen.
        unsafe { register(self.patterns.get(), string_ref(name), Some(call::<F>), data) };
    }

    /// Makes them ready to be applied.
    pub fn freeze(self) -> FrozenPatterns {
        // SAFETY: the patterns are live. Moving them into a set, which is ours alone, leaves a shell.
        let set = unsafe {
            Owned::new(mlirRewritePatternSetFromPDLPatternModule(
                self.patterns.get(),
            ))
        };
        FrozenPatterns::of(&set, self.kept)
    }
}
