//! Affine expressions, affine maps and integer sets.

use mondo_sys::{
    mlirAffineAddExprGet, mlirAffineCeilDivExprGet, mlirAffineConstantExprGet,
    mlirAffineDimExprGet, mlirAffineFloorDivExprGet, mlirAffineMapAttrGet,
    mlirAffineMapAttrGetValue, mlirAffineMapGet, mlirAffineMapGetResult,
    mlirAffineMapMultiDimIdentityGet, mlirAffineModExprGet, mlirAffineMulExprGet,
    mlirAffineSymbolExprGet, mlirIntegerSetAttrGet, mlirIntegerSetAttrGetValue, mlirIntegerSetGet,
};

use crate::declarations as c;
use crate::error::{Error, ErrorKind, Result};
use crate::interned::{
    AffineExpr, AffineMap, AffineMapAttr, Attribute, IntegerSet, IntegerSetAttr,
};
use crate::uniquer::Uniquer;

/// Expressions of two.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)+) => {
        impl<'ctx> AffineExpr<'ctx> {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(self, other: AffineExpr<'ctx>) -> AffineExpr<'ctx> {
                // SAFETY: both are of one context.
                unsafe { AffineExpr::expect($function(self.raw(), other.raw())) }
            })+
        }
    };
}

binary! {
    /// `self + other`.
    plus = mlirAffineAddExprGet;
    /// `self * other`.
    times = mlirAffineMulExprGet;
    /// `self mod other`.
    modulo = mlirAffineModExprGet;
    /// `self floordiv other`.
    floor_div = mlirAffineFloorDivExprGet;
    /// `self ceildiv other`.
    ceil_div = mlirAffineCeilDivExprGet;
}

impl AffineExpr<'_> {
    /// True if products and divisors are of constants only.
    pub fn is_pure(self) -> bool {
        c::mlirAffineExprIsPureAffine(self)
    }

    /// True if the dimension is in the expression.
    pub fn has_dimension(self, index: u32) -> bool {
        c::mlirAffineExprIsFunctionOfDim(self, index as isize)
    }
}

impl<'ctx> AffineMap<'ctx> {
    /// The number of dimensions.
    pub fn dimensions(self) -> usize {
        c::mlirAffineMapGetNumDims(self).unsigned_abs()
    }

    /// The number of symbols.
    pub fn symbols(self) -> usize {
        c::mlirAffineMapGetNumSymbols(self).unsigned_abs()
    }

    /// The expressions.
    pub fn results(self) -> Vec<AffineExpr<'ctx>> {
        let count = c::mlirAffineMapGetNumResults(self);
        let result = |index| {
            // SAFETY: each index is below the count, and the expressions are of the map's context.
            unsafe { AffineExpr::expect(mlirAffineMapGetResult(self.raw(), index)) }
        };
        (0..count).map(result).collect()
    }

    /// The map as an attribute.
    pub fn attribute(self) -> AffineMapAttr<'ctx> {
        // SAFETY: the map is live.
        unsafe { Attribute::expect(mlirAffineMapAttrGet(self.raw())) }
    }
}

impl<'ctx> AffineMapAttr<'ctx> {
    /// The map.
    pub fn value(self) -> AffineMap<'ctx> {
        // SAFETY: the attribute is one of a map.
        unsafe { AffineMap::expect(mlirAffineMapAttrGetValue(self.raw())) }
    }
}

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

    /// The set as an attribute.
    pub fn attribute(self) -> IntegerSetAttr<'ctx> {
        // SAFETY: the set is live.
        unsafe { Attribute::expect(mlirIntegerSetAttrGet(self.raw())) }
    }
}

impl<'ctx> IntegerSetAttr<'ctx> {
    /// The set.
    pub fn value(self) -> IntegerSet<'ctx> {
        // SAFETY: the attribute is one of a set.
        unsafe { IntegerSet::expect(mlirIntegerSetAttrGetValue(self.raw())) }
    }
}

/// A constraint of an integer set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint<'ctx> {
    /// The expression is zero.
    Zero(AffineExpr<'ctx>),
    /// The expression is not negative.
    NotNegative(AffineExpr<'ctx>),
}

impl<'ctx> Uniquer<'ctx> {
    /// `d<index>`.
    pub fn dimension(self, index: u32) -> AffineExpr<'ctx> {
        // SAFETY: the context is live.
        unsafe { AffineExpr::expect(mlirAffineDimExprGet(self.raw(), index as isize)) }
    }

    /// `s<index>`.
    pub fn symbol(self, index: u32) -> AffineExpr<'ctx> {
        // SAFETY: the context is live.
        unsafe { AffineExpr::expect(mlirAffineSymbolExprGet(self.raw(), index as isize)) }
    }

    /// A number.
    pub fn constant(self, value: i64) -> AffineExpr<'ctx> {
        // SAFETY: the context is live.
        unsafe { AffineExpr::expect(mlirAffineConstantExprGet(self.raw(), value)) }
    }

    /// `(d0, …)[s0, …] -> (results)`.
    ///
    /// # Errors
    /// `ErrorKind::Form` where an expression has a dimension or a symbol that the map has not.
    pub fn map(
        self,
        dimensions: u32,
        symbols: u32,
        results: &[AffineExpr<'ctx>],
    ) -> Result<AffineMap<'ctx>> {
        check_bounds(results.iter().copied(), dimensions, symbols)?;
        let mut raw: Vec<_> = results.iter().map(|it| it.raw()).collect();
        // SAFETY: the array is as long as said; all is of this context, and within the bounds.
        Ok(unsafe {
            AffineMap::expect(mlirAffineMapGet(
                self.raw(),
                dimensions as isize,
                symbols as isize,
                raw.len() as isize,
                raw.as_mut_ptr(),
            ))
        })
    }

    /// `(d0, …) -> (d0, …)`.
    pub fn identity_map(self, dimensions: u32) -> AffineMap<'ctx> {
        // SAFETY: the context is live.
        unsafe {
            AffineMap::expect(mlirAffineMapMultiDimIdentityGet(
                self.raw(),
                dimensions as isize,
            ))
        }
    }

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
    /// `ErrorKind::Form` where there is no constraint, or an expression has a dimension or a symbol that
    /// the set has not.
    pub fn set(
        self,
        dimensions: u32,
        symbols: u32,
        constraints: &[Constraint<'ctx>],
    ) -> Result<IntegerSet<'ctx>> {
        if constraints.is_empty() {
            return Err(Error::new(
                ErrorKind::Form,
                "an integer set has constraints",
            ));
        }
        let split = constraints.iter().map(|constraint| match constraint {
            Constraint::Zero(it) => (*it, true),
            Constraint::NotNegative(it) => (*it, false),
        });
        let (expressions, zero): (Vec<_>, Vec<_>) = split.unzip();
        check_bounds(expressions.iter().copied(), dimensions, symbols)?;
        let raw: Vec<_> = expressions.iter().map(|it| it.raw()).collect();
        // SAFETY: both arrays are as long as said; all is of this context, and within the bounds.
        Ok(unsafe {
            IntegerSet::expect(mlirIntegerSetGet(
                self.raw(),
                dimensions as isize,
                symbols as isize,
                raw.len() as isize,
                raw.as_ptr(),
                zero.as_ptr(),
            ))
        })
    }
}

/// MLIR reads arrays by the indices of an expression, without a check of its own.
fn check_bounds<'ctx>(
    expressions: impl Iterator<Item = AffineExpr<'ctx>>,
    dimensions: u32,
    symbols: u32,
) -> Result<()> {
    for expression in expressions {
        let (most_dimensions, most_symbols) = needed(expression);
        if most_dimensions > i64::from(dimensions) || most_symbols > i64::from(symbols) {
            let message = format!(
                "`{expression}` needs {most_dimensions} dimensions and {most_symbols} symbols, there \
                 are {dimensions} and {symbols}"
            );
            return Err(Error::new(ErrorKind::Form, message));
        }
    }
    Ok(())
}

/// The numbers of dimensions and symbols that an expression needs.
fn needed(expression: AffineExpr<'_>) -> (i64, i64) {
    if c::mlirAffineExprIsADim(expression) {
        // SAFETY: the expression is a dimension.
        return (
            unsafe { c::mlirAffineDimExprGetPosition(expression) } as i64 + 1,
            0,
        );
    }
    if c::mlirAffineExprIsASymbol(expression) {
        // SAFETY: the expression is a symbol.
        return (
            0,
            unsafe { c::mlirAffineSymbolExprGetPosition(expression) } as i64 + 1,
        );
    }
    if !c::mlirAffineExprIsABinary(expression) {
        return (0, 0);
    }
    // SAFETY: the expression is one of two.
    let (left, right) = unsafe {
        (
            needed(c::mlirAffineBinaryOpExprGetLHS(expression)),
            needed(c::mlirAffineBinaryOpExprGetRHS(expression)),
        )
    };
    (left.0.max(right.0), left.1.max(right.1))
}
