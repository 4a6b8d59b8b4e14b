//! Dialect conversion by sets of patterns, each of which may bring a type converter.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mondo_sys::*;

use super::type_converter::TypeConverter;
use super::{FrozenPatterns, OpenRewriter, PatternSet};
use crate::callback::{caught, string_ref};
use crate::nodes::{Op, Value};
use crate::uniqued_handles::Type;
use crate::uniquer::Uniquer;

/// What a pattern has: its closure, and what C++ points to.
struct Pattern<F> {
    convert: F,
    _converter: Arc<TypeConverter>,
}

/// # Safety
///
/// `data` is a `Pattern<F>` that `add_conversion` leaked for the pattern.
unsafe extern "C" fn destroy<F>(data: *mut c_void) {
    // SAFETY: `data` is what `add_conversion` leaked for this pattern, which C++ destroys once. A panic ends here.
    let _ = caught(|| drop(unsafe { Box::from_raw(data.cast::<Pattern<F>>()) }));
}

/// # Safety
///
/// As for `destroy`; the operation, as many operands as is said, and the rewriter are live.
unsafe extern "C" fn convert<F: Fn(Op<'_>, &[Value<'_>], &Arc<OpenRewriter>) -> bool>(
    data: *mut c_void,
    op: MlirOperation,
    count: isize,
    operands: *const MlirValue,
    rewriter: MlirPatternRewriter,
) -> bool {
    // SAFETY: `data` is what `add_conversion` leaked, and the driver calls this with a live operation, operands and
    // rewriter, which stay so until the closure returns: it can only tell the rewriter to erase something later.
    let matched = unsafe {
        let pattern = &*data.cast_const().cast::<Pattern<F>>();
        caught(|| {
            OpenRewriter::during(rewriter, |_, rewriter| {
                let operands = (0..count).map(|index| Value::from_raw(*operands.offset(index)));
                let operands: Option<Vec<_>> = operands.collect();
                match (Op::from_raw(op), operands) {
                    (Some(op), Some(operands)) => (pattern.convert)(op, &operands, rewriter),
                    _ => false,
                }
            })
        })
    };
    matched.unwrap_or(false)
}

impl PatternSet {
    /// Adds a conversion of types, by a closure, for patterns of this set: its number. Where the closure has no type, it is
    /// asked again the next time.
    pub fn add_type_converter<F>(&mut self, convert: F) -> usize
    where
        F: for<'ctx> Fn(Uniquer<'ctx>, Type<'ctx>) -> Option<Type<'ctx>> + Send + Sync + 'static,
    {
        self.converters.push(Arc::new(TypeConverter::new(convert)));
        self.converters.len() - 1
    }

    /// Adds a pattern for a conversion: a closure, which gets an operation and its operands with the types that the converter
    /// of that number makes, and returns whether it matched. The benefit is at most [`MAX_BENEFIT`](Self::MAX_BENEFIT).
    /// Returns whether there is such a converter.
    pub fn add_conversion<F>(
        &mut self,
        root: &str,
        benefit: u32,
        converter: usize,
        pattern: F,
    ) -> bool
    where
        F: Fn(Op<'_>, &[Value<'_>], &Arc<OpenRewriter>) -> bool + Send + Sync + 'static,
    {
        let Some(converter) = self.converters.get(converter) else {
            return false;
        };
        let types = converter.raw();
        let pattern = Box::new(Pattern {
            convert: pattern,
            _converter: Arc::clone(converter),
        });
        // SAFETY: the set is live, C++ copies the name, and gives `data` back to `destroy` with the pattern; until then
        // `data` keeps the converter. Only `FrozenPatterns::convert` applies a set that has converters.
        unsafe {
            mondoRewritePatternSetAddConversion(
                self.raw(),
                string_ref(root),
                benefit.min(Self::MAX_BENEFIT),
                types,
                Some(convert::<F>),
                Some(destroy::<F>),
                Box::into_raw(pattern).cast(),
            );
        }
        true
    }
}

/// What a conversion says of an operation or a dialect.
#[derive(Debug, Clone)]
pub struct LegalityRule {
    /// The name of the operation or the dialect.
    pub name: String,
    /// True for a dialect.
    pub is_dialect: bool,
    /// True if it may be there in the end.
    pub is_legal: bool,
}

/// The options of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversionConfig {
    /// When operations are folded: 0 never, 1 before patterns, 2 after patterns.
    pub folding_mode: u32,
    /// True if a conversion fails where casts between types would stay.
    pub builds_materializations: bool,
}

impl Default for ConversionConfig {
    fn default() -> Self {
        Self {
            folding_mode: 1,
            builds_materializations: true,
        }
    }
}

impl FrozenPatterns {
    /// Converts an operation and everything in it by the patterns. Returns whether that succeeded: all is legal, or, unless
    /// it is a full conversion, nothing illegal is left.
    ///
    /// # Safety
    ///
    /// As for [`apply_greedily`](Self::apply_greedily). Until this returns, only a
    /// [`RunningConversion`](super::RunningConversion) moves or destroys what is in the tree, and nothing outside of the tree
    /// uses what is in it. The program reports to the `RunningConversion` whatever it inserts into the tree and whatever it
    /// changes there; only inside of what is still [untold](super::RunningConversion::is_untold), it changes what it likes.
    /// The patterns run in [`run_pattern`](super::RunningConversion::run_pattern).
    pub unsafe fn convert(
        &self,
        op: Op<'_>,
        rules: &[LegalityRule],
        is_full: bool,
        config: ConversionConfig,
    ) -> bool {
        let legality = |rule: &LegalityRule| match rule.is_legal {
            true => MondoLegal,
            false => MondoIllegal,
        };
        let rules: Vec<_> = rules
            .iter()
            .map(|rule| MondoLegalityRule {
                name: string_ref(&rule.name),
                isDialect: rule.is_dialect,
                isRecursive: false,
                legality: legality(rule),
            })
            .collect();
        let options = MondoConversionOptions {
            numRules: rules.len() as isize,
            rules: rules.as_ptr(),
            isFull: is_full,
            buildsMaterializations: config.builds_materializations,
            foldingMode: config.folding_mode.min(2),
        };
        // Where another conversion by these patterns is under way, MLIR may be reading what the converters remember.
        if self.runs.fetch_add(1, Ordering::AcqRel) == 0 {
            for converter in &self.converters {
                // SAFETY: no other conversion by these patterns is under way.
                unsafe { converter.forget() };
            }
        }
        // SAFETY: the set and the operation are live, and so are the options with the rules until the call returns; the rest
        // is this function's contract.
        let done =
            unsafe { mondoApplyConversionPatterns(op.raw(), self.raw(), &raw const options) };
        self.runs.fetch_sub(1, Ordering::AcqRel);
        done
    }
}
