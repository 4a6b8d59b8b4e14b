//! Dialect conversion: what is legal, what types become, and the patterns that make operations legal.

use std::fmt;

use mondo_sys::{MondoConvertedTypes, MondoDynamic, MondoIllegal, MondoLegal, MondoLegality};

use crate::conversion_rewriter::{Adaptor, ConversionRewriter, Convert};
use crate::error::Result;
use crate::handle::{Op, OwnedOp, Value};
use crate::scope::Ir;
use crate::uniqued_handles::{Location, Type};

type IsLegal<'ctx> = dyn for<'call> Fn(Op<'call, 'ctx>) -> Result<bool> + 'ctx;
type ConvertType<'ctx> = dyn Fn(Type<'ctx>) -> Result<Option<Vec<Type<'ctx>>>> + 'ctx;
type Materialize<'ctx> =
    dyn for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>> + 'ctx;
/// A conversion between dialects: which operations are legal, what types become, and patterns that make operations legal.
///
/// MLIR's driver converts each operation before what is in it. A pattern gets the operands as values of the types that they
/// have become, and what it makes must be legal, or made legal by other patterns. If the conversion fails, the tree is as it was, or has casts in it where values of the old types were still
/// needed.
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module, types::Integer};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i16) -> i16 { %0 = arith.addi %a, %a : i16 return %0 : i16 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     // Each i16 becomes an i32, in the function, what returns from it, and sums.
///     conversion
///         .convert_type(|type_| {
///             let ctx = type_.uniquer();
///             Ok((type_ == ctx.integer(16)?.any()).then(|| vec![ctx.i32().any()]))
///         })
///         .retype("func.func")
///         .retype("func.return")
///         .dynamic("arith.addi", |sum| Ok(sum.result(0).unwrap().type_() != sum.ctx().integer(16)?.any()))
///         .pattern("arith.addi", 1, |rewriter, sum, adaptor| {
///             let new = rewriter.ir().build("arith.addi", sum.location());
///             let new = rewriter.insert(new.operands(&adaptor.operands()?).infer().finish()?);
///             rewriter.replace(&new.results());
///             Ok(true)
///         });
///     conversion.apply_partial(ir, module.owner()).unwrap();
///     let text = module.op(ir).to_string();
///     assert!(text.contains("arith.addi %arg0, %arg0 : i32") && !text.contains("i16"), "{text}");
/// });
/// ```
#[derive(Default)]
pub struct Conversion<'ctx> {
    pub(crate) rules: Vec<Rule<'ctx>>,
    pub(crate) patterns: Vec<Pattern<'ctx>>,
    pub(crate) types: Vec<Box<ConvertType<'ctx>>>,
    pub(crate) to_source: Vec<Box<Materialize<'ctx>>>,
    pub(crate) to_target: Vec<Box<Materialize<'ctx>>>,
    pub(crate) keeps_casts: bool,
}

pub(crate) struct Rule<'ctx> {
    pub(crate) name: String,
    pub(crate) is_dialect: bool,
    pub(crate) is_recursive: bool,
    pub(crate) legality: MondoLegality,
    pub(crate) is_legal: Option<Box<IsLegal<'ctx>>>,
}

pub(crate) struct Pattern<'ctx> {
    pub(crate) root: String,
    pub(crate) benefit: u16,
    /// None for the pattern that converts types only.
    pub(crate) convert: Option<Box<Convert<'ctx>>>,
}

/// A value that is needed in another type than it has.
///
/// Without closures that make casts, such a need is an error, unless the casts are kept for a later conversion:
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i16) -> i16 { %0 = arith.addi %a, %a : i16 return %0 : i16 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     conversion.legal("arith.addi").retype("func.func").retype("func.return");
///     conversion.convert_type(|type_| {
///         let ctx = type_.uniquer();
///         Ok((type_ == ctx.integer(16)?.any()).then(|| vec![ctx.i32().any()]))
///     });
///     // No operation may be left of which no rule speaks.
///     conversion.keep_casts().apply_full(ir, module.owner()).unwrap();
///     let text = module.op(ir).to_string();
///     assert_eq!(text.matches("builtin.unrealized_conversion_cast").count(), 2, "{text}");
///     conversion.legal_with_contents("func.func");
///     assert!(conversion.apply_full(ir, module.owner()).is_ok());
/// });
/// ```
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i16) -> i64 { %0 = arith.extsi %a : i16 to i64 return %0 : i64 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     conversion
///         .convert_type(|type_| {
///             let ctx = type_.uniquer();
///             Ok((type_ == ctx.integer(16)?.any()).then(|| vec![ctx.i32().any()]))
///         })
///         .retype("func.func")
///         // What still needs the i16 gets it from the i32.
///         .to_source(|ir, cast| {
///             let new = ir.build("arith.trunci", cast.location);
///             Ok(Some(new.operands(&cast.values).result(cast.type_).finish()?))
///         });
///     // What needs the i32 gets it from the i16.
///     conversion.to_target(|ir, cast| {
///         let new = ir.build("arith.extsi", cast.location);
///         Ok(Some(new.operands(&cast.values).result(cast.type_).finish()?))
///     });
///     conversion.apply_partial(ir, module.owner()).unwrap();
///     assert!(module.op(ir).to_string().contains("arith.trunci %arg0 : i32 to i16"));
/// });
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Cast<'call, 'ctx> {
    /// The type that is needed.
    pub type_: Type<'ctx>,
    /// The values that are there.
    pub values: Vec<Value<'call, 'ctx>>,
    /// The location of the value.
    pub location: Location<'ctx>,
}

impl fmt::Debug for Conversion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.iter().map(|rule| &rule.name);
        let roots = self.patterns.iter().map(|pattern| &pattern.root);
        f.debug_struct("Conversion")
            .field("rules", &rules.collect::<Vec<_>>())
            .field("patterns", &roots.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl<'ctx> Conversion<'ctx> {
    /// A conversion in which nothing is legal or illegal, except `builtin.module`, which is legal.
    pub fn new() -> Self {
        Self::default()
    }

    fn rule(&mut self, name: &str, is_dialect: bool, legality: MondoLegality) -> &mut Self {
        self.rules.push(Rule {
            name: name.to_owned(),
            is_dialect,
            is_recursive: false,
            legality,
            is_legal: None,
        });
        self
    }

    /// Operations of this name are legal. A rule for an operation is stronger than one for its dialect.
    pub fn legal(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoLegal)
    }

    /// Operations of this name are legal, and so is all that is in them.
    pub fn legal_with_contents(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoLegal);
        if let Some(rule) = self.rules.last_mut() {
            rule.is_recursive = true;
        }
        self
    }

    /// Operations of this name must not be left.
    pub fn illegal(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoIllegal)
    }

    /// The operations of these dialects are legal.
    pub fn legal_dialects(&mut self, dialects: &[&str]) -> &mut Self {
        for dialect in dialects {
            self.rule(dialect, true, MondoLegal);
        }
        self
    }

    /// The operations of these dialects must not be left.
    pub fn illegal_dialects(&mut self, dialects: &[&str]) -> &mut Self {
        for dialect in dialects {
            self.rule(dialect, true, MondoIllegal);
        }
        self
    }

    /// Operations of this name are legal if the closure says so.
    pub fn dynamic(
        &mut self,
        operation: &str,
        is_legal: impl for<'call> Fn(Op<'call, 'ctx>) -> Result<bool> + 'ctx,
    ) -> &mut Self {
        self.rule(operation, false, MondoDynamic);
        if let Some(rule) = self.rules.last_mut() {
            rule.is_legal = Some(Box::new(is_legal));
        }
        self
    }

    /// Converts types. The closure returns the types that one becomes, or none where it has nothing to say about it: then the
    /// closure that was added before is asked, and a type that no closure converts stays as it is.
    pub fn convert_type(
        &mut self,
        convert: impl Fn(Type<'ctx>) -> Result<Option<Vec<Type<'ctx>>>> + 'ctx,
    ) -> &mut Self {
        self.types.push(Box::new(convert));
        self
    }

    /// Makes the operation whose result is a value of the old type, where something still needs that. Without it, such a need
    /// is an error.
    pub fn to_source(
        &mut self,
        make: impl for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>>
        + 'ctx,
    ) -> &mut Self {
        self.to_source.push(Box::new(make));
        self
    }

    /// Makes the operation whose result is a value of the new type, where there is only one of the old type.
    pub fn to_target(
        &mut self,
        make: impl for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>>
        + 'ctx,
    ) -> &mut Self {
        self.to_target.push(Box::new(make));
        self
    }

    /// Leaves `builtin.unrealized_conversion_cast` between old and new types, for a conversion that comes later.
    pub fn keep_casts(&mut self) -> &mut Self {
        self.keeps_casts = true;
        self
    }

    /// Adds a pattern for operations of this name. Of several, the one with the greatest benefit is tried first. The closure
    /// returns whether its changes are to be made.
    pub fn pattern(
        &mut self,
        operation: &str,
        benefit: u16,
        convert: impl for<'a, 'call> Fn(
            &'a ConversionRewriter<'call, 'ctx>,
            Op<'call, 'ctx>,
            &'a Adaptor<'call, 'ctx>,
        ) -> Result<bool>
        + 'ctx,
    ) -> &mut Self {
        self.patterns.push(Pattern {
            root: operation.to_owned(),
            benefit,
            convert: Some(Box::new(convert)),
        });
        self
    }

    /// Operations of this name keep what they do and get the converted types: operands, results, the arguments of their blocks,
    /// and types in attributes, such as a function's. They are legal then.
    pub fn retype(&mut self, operation: &str) -> &mut Self {
        self.patterns.push(Pattern {
            root: operation.to_owned(),
            benefit: 1,
            convert: None,
        });
        self.rule(operation, false, MondoConvertedTypes)
    }
}
