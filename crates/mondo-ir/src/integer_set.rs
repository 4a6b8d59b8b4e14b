//! Integer sets.

use mondo_sys::{mlirIntegerSetAttrGet, mlirIntegerSetAttrGetValue};

use crate::affine::{Bounded, Unfit, check_depth};
use crate::declarations as c;
use crate::error::{Error, ErrorKind, Result};
use crate::uniqued_handles::{AffineExpr, Attribute, IntegerSet, IntegerSetAttr};
use crate::uniquer::Uniquer;

impl<'ctx> IntegerSet<'ctx> {
    /// The number of dimensions.
    pub fn dimensions(self) -> usize {
        c::mlirIntegerSetGetNumDims(self).unsigned_abs()
    }

    /// The number of symbols.
    pub fn symbols(self) -> usize {
        c::mlirIntegerSetGetNumSymbols(self).unsigned_abs()
    }

    /// The number of equations and inequalities.
    pub fn constraints(self) -> usize {
        c::mlirIntegerSetGetNumConstraints(self).unsigned_abs()
    }

    /// The expression of a constraint, and whether that is to be zero; else it is not to be negative.
    pub fn constraint(self, index: usize) -> Option<(AffineExpr<'ctx>, bool)> {
        let expression = c::mlirIntegerSetGetConstraint::at(self, index)?;
        Some((
            expression,
            c::mlirIntegerSetIsConstraintEq::at(self, index)?,
        ))
    }

    /// The expressions of the constraints.
    pub fn expressions(self) -> Vec<AffineExpr<'ctx>> {
        c::mlirIntegerSetGetConstraint::all(self).collect()
    }

    /// The set with expressions for its dimensions and symbols, and other numbers of those; none where
    /// there are not as many expressions as the set has dimensions and symbols.
    pub fn replace(
        self,
        for_dimensions: &[AffineExpr<'ctx>],
        for_symbols: &[AffineExpr<'ctx>],
        dimensions: u32,
        symbols: u32,
    ) -> Option<std::result::Result<IntegerSet<'ctx>, Unfit>> {
        if for_dimensions.len() != self.dimensions() || for_symbols.len() != self.symbols() {
            return None;
        }
        let expressions = self.expressions().into_iter();
        let new = for_dimensions.iter().chain(for_symbols).copied();
        if let Err(unfit) = check_depth(expressions.chain(new)) {
            return Some(Err(unfit));
        }
        // SAFETY: there are as many expressions as the set has dimensions and symbols; the set is used if
        // its constraints are within the numbers, and only then.
        let set = unsafe {
            c::mlirIntegerSetReplaceGet(
                self,
                for_dimensions.as_ptr(),
                for_symbols.as_ptr(),
                dimensions as isize,
                symbols as isize,
            )
        };
        let expressions = set.expressions();
        let bounded = Bounded::check(&expressions, dimensions, symbols).map_err(Unfit::Beyond);
        Some(
            bounded
                .and_then(|_| check_depth(expressions.iter().copied()))
                .map(|()| set),
        )
    }

    /// The set as an attribute.
    pub fn attribute(self) -> IntegerSetAttr<'ctx> {
        // SAFETY: a set is uniqued, and live as long as the context that its brand names.
        unsafe { Attribute::expect(mlirIntegerSetAttrGet(self.raw())) }
    }
}

impl<'ctx> IntegerSetAttr<'ctx> {
    /// The set.
    pub fn value(self) -> IntegerSet<'ctx> {
        // SAFETY: the kind of the attribute says that it holds a set.
        unsafe { IntegerSet::expect(mlirIntegerSetAttrGetValue(self.raw())) }
    }
}

/// A constraint of an integer set.
///
/// ```
/// # use mondo_ir::{Constraint, Context};
/// Context::new().enter(|ctx, _| {
///     let line = Constraint::Zero(ctx.dimension(0).plus(ctx.symbol(0)).unwrap());
///     assert_eq!(ctx.set(1, 1, &[line]).unwrap().to_string(), "(d0)[s0] : (d0 + s0 == 0)");
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint<'ctx> {
    /// The expression is zero.
    Zero(AffineExpr<'ctx>),
    /// The expression is not negative.
    NotNegative(AffineExpr<'ctx>),
}

impl<'ctx> Uniquer<'ctx> {
    /// The points for which each constraint holds.
    ///
    /// ```
    /// # use mondo_ir::{Constraint, Context};
    /// Context::new().enter(|ctx, _| {
    ///     let set = ctx.set(1, 0, &[Constraint::NotNegative(ctx.dimension(0))]).unwrap();
    ///     assert_eq!(set.to_string(), "(d0) : (d0 >= 0)");
    ///     assert!(ctx.set(0, 0, &[Constraint::Zero(ctx.dimension(0))]).is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// `ErrorKind::Form` if there is no constraint, or an expression has a dimension or a symbol that
    /// the set has not.
    pub fn set(
        self,
        dimensions: u32,
        symbols: u32,
        constraints: &[Constraint<'ctx>],
    ) -> Result<IntegerSet<'ctx>> {
        let split = constraints.iter().map(|constraint| match constraint {
            Constraint::Zero(it) => (*it, true),
            Constraint::NotNegative(it) => (*it, false),
        });
        let (expressions, zero): (Vec<_>, Vec<_>) = split.unzip();
        let bounded = Bounded::check(&expressions, dimensions, symbols)
            .map_err(|needed| needed.error(dimensions, symbols))?;
        self.set_of(bounded, &zero)
            .ok_or_else(|| Error::new(ErrorKind::Form, "an integer set has constraints"))
    }

    /// The points for which each expression is zero, or not negative where its flag is false; none where
    /// there are no expressions, or not as many flags.
    ///
    /// ```
    /// # use mondo_ir::{Context, affine::Bounded};
    /// Context::new().enter(|ctx, _| {
    ///     let expressions = [ctx.dimension(0)];
    ///     let bounded = Bounded::check(&expressions, 1, 0).unwrap();
    ///     assert_eq!(ctx.set_of(bounded, &[true]).unwrap().to_string(), "(d0) : (d0 == 0)");
    ///     assert!(ctx.set_of(bounded, &[]).is_none());
    ///     assert_eq!(ctx.empty_set(1, 0).to_string(), "(d0) : (1 == 0)");
    /// });
    /// ```
    pub fn set_of(self, expressions: Bounded<'_, 'ctx>, zero: &[bool]) -> Option<IntegerSet<'ctx>> {
        let constraints = expressions.expressions();
        if constraints.is_empty() || constraints.len() != zero.len() {
            return None;
        }
        // SAFETY: both arrays are as long as said, and within the numbers.
        Some(unsafe {
            c::mlirIntegerSetGet(
                self,
                expressions.dimensions() as isize,
                expressions.symbols() as isize,
                constraints.len() as isize,
                constraints.as_ptr(),
                zero.as_ptr(),
            )
        })
    }

    /// The set with nothing in it.
    pub fn empty_set(self, dimensions: u32, symbols: u32) -> IntegerSet<'ctx> {
        // SAFETY: both numbers are `u32`, so that they fit into MLIR's 32 bits.
        unsafe { c::mlirIntegerSetEmptyGet(self, dimensions as isize, symbols as isize) }
    }
}
