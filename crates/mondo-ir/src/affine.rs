//! Affine expressions and affine maps.

use std::collections::HashSet;
use std::ffi::c_void;

use mondo_sys::{
    MlirAffineMap, mlirAffineMapAttrGet, mlirAffineMapAttrGetValue,
    mlirAffineMapCompressUnusedSymbols,
};

use crate::declarations as c;
use crate::error::{Error, ErrorKind, Result};
use crate::nesting;
use crate::sort::{casts, tests};
use crate::uniqued_handles::{AffineExpr, AffineMap, AffineMapAttr, Attribute};
pub use crate::uniqued_handles::{
    Binary, BinaryExpr, Dimension, DimensionExpr, Number, NumberExpr, Symbol, SymbolExpr,
};
use crate::uniquer::Uniquer;

/// A kind of affine expression.
///
/// ```
/// # use mondo_ir::{AffineExpr, Context, affine::{Binary, Dimension, ExprKind}};
/// Context::new().enter(|ctx, _| {
///     fn kind<K: ExprKind>(of: AffineExpr<'_>) -> Option<&'static str> {
///         of.is::<K>().then_some(K::NAME)
///     }
///     assert_eq!(kind::<Dimension>(ctx.dimension(0)), Some("Dimension"));
///     assert_eq!(kind::<Binary>(ctx.dimension(0)), None);
/// });
/// ```
pub trait ExprKind {
    /// Its name, for messages.
    const NAME: &'static str;
    /// Returns true if the expression is of this kind.
    fn holds(of: AffineExpr<'_>) -> bool;
}

tests! { AffineExpr, ExprKind:
    Number = c::mlirAffineExprIsAConstant;
    Dimension = c::mlirAffineExprIsADim;
    Symbol = c::mlirAffineExprIsASymbol;
    Binary = c::mlirAffineExprIsABinary;
}

casts!(AffineExpr, ExprKind);

impl<'ctx> AffineExpr<'ctx> {
    /// The expression, unless it is too deep.
    fn checked(self) -> Result<Self> {
        nesting::check("affine expression", self.is_too_deep())?;
        Ok(self)
    }

    /// `self + other`.
    ///
    /// # Errors
    /// `ErrorKind::Form` if the expression nests deeper than MLIR can follow.
    pub fn plus(self, other: AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>> {
        c::mlirAffineAddExprGet(self, other).checked()
    }

    /// `self * other`.
    ///
    /// # Errors
    /// As for [`plus`](Self::plus).
    pub fn times(self, other: AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>> {
        c::mlirAffineMulExprGet(self, other).checked()
    }

    /// `self mod other`.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let (d0, four) = (ctx.dimension(0), ctx.constant(4));
    ///     let remainder = d0.times(four).unwrap().plus(d0).unwrap().modulo(four).unwrap();
    ///     assert_eq!(remainder.to_string(), "(d0 * 5) mod 4");
    ///     assert!(remainder.is_pure() && remainder.has_dimension(0));
    ///     let product = d0.times(four).unwrap();
    ///     assert_eq!(product.ceil_div(four).unwrap().simplified(1, 0), Ok(d0));
    ///     assert!(d0.simplified(0, 0).is_err());
    /// });
    /// ```
    ///
    /// # Errors
    /// As for [`plus`](Self::plus).
    pub fn modulo(self, other: AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>> {
        c::mlirAffineModExprGet(self, other).checked()
    }

    /// `self floordiv other`.
    ///
    /// # Errors
    /// As for [`plus`](Self::plus).
    pub fn floor_div(self, other: AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>> {
        c::mlirAffineFloorDivExprGet(self, other).checked()
    }

    /// `self ceildiv other`.
    ///
    /// # Errors
    /// As for [`plus`](Self::plus).
    pub fn ceil_div(self, other: AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>> {
        c::mlirAffineCeilDivExprGet(self, other).checked()
    }

    /// Returns true if products and divisors are of constants only.
    pub fn is_pure(self) -> bool {
        c::mlirAffineExprIsPureAffine(self)
    }

    /// Returns true if the dimension is in the expression.
    pub fn has_dimension(self, index: u32) -> bool {
        c::mlirAffineExprIsFunctionOfDim(self, index as isize)
    }

    /// A simpler expression of the same value, where MLIR finds one.
    ///
    /// # Errors
    /// The numbers that the expression needs, where there are fewer dimensions or symbols.
    pub fn simplified(
        self,
        dimensions: u32,
        symbols: u32,
    ) -> std::result::Result<AffineExpr<'ctx>, Needed> {
        Bounded::check(&[self], dimensions, symbols)?;
        // SAFETY: the expression is within the numbers.
        let simpler = unsafe { c::mlirSimplifyAffineExpr(self, dimensions, symbols) };
        // A sum becomes a chain of its terms.
        Ok(simpler.checked().unwrap_or(self))
    }
}

/// The numbers of dimensions and symbols that expressions need.
///
/// ```
/// # use mondo_ir::{Context, affine::Needed};
/// Context::new().enter(|ctx, _| {
///     let sum = ctx.dimension(2).plus(ctx.symbol(0)).unwrap();
///     assert_eq!(Needed::by(&[sum]), Needed { dimensions: 3, symbols: 1 });
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// The number of dimensions: one more than the last one that is used.
    pub dimensions: i64,
    /// The number of symbols: one more than the last one that is used.
    pub symbols: i64,
}

impl Needed {
    /// The numbers of dimensions and symbols that the expressions need.
    pub fn by(expressions: &[AffineExpr<'_>]) -> Self {
        let mut needed = Self {
            dimensions: 0,
            symbols: 0,
        };
        let mut seen = HashSet::new();
        let mut open = expressions.to_vec();
        while let Some(expression) = open.pop() {
            if let Some(dimension) = expression.downcast::<Dimension>() {
                let position = c::mlirAffineDimExprGetPosition(dimension) as i64;
                needed.dimensions = needed.dimensions.max(position + 1);
            } else if let Some(symbol) = expression.downcast::<Symbol>() {
                let position = c::mlirAffineSymbolExprGetPosition(symbol) as i64;
                needed.symbols = needed.symbols.max(position + 1);
            } else if let Some(binary) = expression.downcast::<Binary>()
                // Expressions share parts, so that walking all paths could take for ever.
                && seen.insert(expression)
            {
                open.push(c::mlirAffineBinaryOpExprGetLHS(binary));
                open.push(c::mlirAffineBinaryOpExprGetRHS(binary));
            }
        }
        needed
    }

    pub(crate) fn error(self, dimensions: u32, symbols: u32) -> Error {
        let message = format!(
            "the expressions need {} dimensions and {} symbols, there are {dimensions} and {symbols}",
            self.dimensions, self.symbols
        );
        Error::new(ErrorKind::Form, message)
    }
}

/// The reason for which a map or a set cannot have its expressions replaced.
///
/// ```
/// # use mondo_ir::{Context, affine::{Needed, Unfit}};
/// Context::new().enter(|ctx, _| {
///     let map = ctx.identity_map(1);
///     let unfit = map.replace(ctx.dimension(0), ctx.symbol(0), 1, 0).unwrap_err();
///     assert_eq!(unfit, Unfit::Beyond(Needed { dimensions: 0, symbols: 1 }));
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// The expressions need more dimensions or symbols than there are.
    Beyond(Needed),
    /// The expressions nest deeper than MLIR can follow.
    TooDeep,
}

/// Refuses expressions that are too deep to be replaced in, or to be the result of that.
pub(crate) fn check_depth<'ctx>(
    expressions: impl IntoIterator<Item = AffineExpr<'ctx>>,
) -> std::result::Result<(), Unfit> {
    if expressions.into_iter().any(AffineExpr::is_too_deep) {
        return Err(Unfit::TooDeep);
    }
    Ok(())
}

/// Expressions that have been checked to use no more dimensions and symbols than there are: MLIR reads
/// arrays by their numbers, without a check of its own.
///
/// ```
/// # use mondo_ir::{Context, affine::Bounded};
/// Context::new().enter(|ctx, _| {
///     let results = [ctx.dimension(1)];
///     let bounded = Bounded::check(&results, 2, 0).unwrap();
///     assert_eq!((bounded.dimensions(), bounded.symbols()), (2, 0));
///     assert_eq!(bounded.expressions(), results);
///     assert_eq!(ctx.map_of(bounded).to_string(), "(d0, d1) -> (d1)");
///     assert_eq!(Bounded::check(&results, 1, 0).unwrap_err().dimensions, 2);
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Bounded<'a, 'ctx> {
    expressions: &'a [AffineExpr<'ctx>],
    dimensions: u32,
    symbols: u32,
}

impl<'a, 'ctx> Bounded<'a, 'ctx> {
    /// The expressions, if they are within the numbers.
    ///
    /// # Errors
    /// The numbers that they need, where one of them is greater.
    pub fn check(
        expressions: &'a [AffineExpr<'ctx>],
        dimensions: u32,
        symbols: u32,
    ) -> std::result::Result<Self, Needed> {
        let needed = Needed::by(expressions);
        if needed.dimensions > i64::from(dimensions) || needed.symbols > i64::from(symbols) {
            return Err(needed);
        }
        Ok(Self {
            expressions,
            dimensions,
            symbols,
        })
    }

    /// The expressions.
    pub fn expressions(self) -> &'a [AffineExpr<'ctx>] {
        self.expressions
    }

    /// The number of dimensions.
    pub fn dimensions(self) -> u32 {
        self.dimensions
    }

    /// The number of symbols.
    pub fn symbols(self) -> u32 {
        self.symbols
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

    /// The number of expressions.
    pub fn count(self) -> usize {
        c::mlirAffineMapGetNumResults(self).unsigned_abs()
    }

    /// One of the expressions.
    pub fn result(self, index: usize) -> Option<AffineExpr<'ctx>> {
        c::mlirAffineMapGetResult::at(self, index)
    }

    /// The expressions.
    pub fn results(self) -> Vec<AffineExpr<'ctx>> {
        c::mlirAffineMapGetResult::all(self).collect()
    }

    /// The map with the expressions at some places, or `None` if there is no such place.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let map = ctx.identity_map(3);
    ///     assert_eq!(map.sub_map(&[2, 0]).unwrap().to_string(), "(d0, d1, d2) -> (d2, d0)");
    ///     assert!(map.sub_map(&[3]).is_none());
    ///     let last = ctx.minor_identity_map(3, 1).unwrap();
    ///     assert_eq!(last.results(), [ctx.dimension(2)]);
    ///     let first = last.replace(ctx.dimension(2), ctx.dimension(0), 1, 0).unwrap();
    ///     assert_eq!(first.to_string(), "(d0) -> (d0)");
    /// });
    /// ```
    pub fn sub_map(self, places: &[usize]) -> Option<AffineMap<'ctx>> {
        let count = self.count();
        let place = |place: &usize| (*place < count).then_some(*place as isize);
        let places = places.iter().map(place).collect::<Option<Vec<_>>>()?;
        // SAFETY: the array is as long as said, and each place is one of a result.
        Some(unsafe { c::mlirAffineMapGetSubMap(self, places.len() as isize, places.as_ptr()) })
    }

    /// The map with one expression for another, and other numbers of dimensions and symbols.
    ///
    /// # Errors
    /// The numbers that the new map needs, where one of them is greater; `Unfit::TooDeep` where MLIR cannot follow the
    /// expressions.
    pub fn replace(
        self,
        from: AffineExpr<'ctx>,
        to: AffineExpr<'ctx>,
        dimensions: u32,
        symbols: u32,
    ) -> std::result::Result<AffineMap<'ctx>, Unfit> {
        check_depth(self.results().into_iter().chain([from, to]))?;
        let (most_dimensions, most_symbols) = (dimensions as isize, symbols as isize);
        // SAFETY: the map is used if its results are within the numbers, and only then.
        let map = unsafe { c::mlirAffineMapReplace(self, from, to, most_dimensions, most_symbols) };
        let results = map.results();
        Bounded::check(&results, dimensions, symbols).map_err(Unfit::Beyond)?;
        check_depth(results)?;
        Ok(map)
    }

    /// The maps without the symbols that none of them uses, or `None` if they have not the same number of
    /// them.
    ///
    /// ```
    /// # use mondo_ir::{AffineMap, Context};
    /// Context::new().enter(|ctx, _| {
    ///     let map = ctx.map(0, 2, &[ctx.symbol(1)]).unwrap();
    ///     let compressed = AffineMap::compress_unused_symbols(&[map]).unwrap();
    ///     assert_eq!(compressed[0].to_string(), "()[s0] -> (s0)");
    /// });
    /// ```
    pub fn compress_unused_symbols(maps: &[AffineMap<'ctx>]) -> Option<Vec<AffineMap<'ctx>>> {
        /// # Safety
        ///
        /// `maps` is a vector with a place for each map.
        unsafe extern "C" fn put(maps: *mut c_void, at: isize, map: MlirAffineMap) {
            // SAFETY: `maps` has room for a map at that index, by this function's contract.
            unsafe { maps.cast::<MlirAffineMap>().offset(at).write(map) };
        }

        let mut all = maps.iter();
        let first = all.next().map(|map| map.symbols());
        if all.any(|map| Some(map.symbols()) != first) {
            return None;
        }
        let mut raw: Vec<_> = maps.iter().map(|map| map.raw()).collect();
        let mut compressed = raw.clone();
        if !raw.is_empty() {
            // SAFETY: the maps have the same symbols, and there is room for as many results.
            unsafe {
                mlirAffineMapCompressUnusedSymbols(
                    raw.as_mut_ptr(),
                    raw.len() as isize,
                    compressed.as_mut_ptr().cast(),
                    Some(put),
                );
            }
        }
        // SAFETY: the maps are of the context of the others.
        let handle = |raw| unsafe { AffineMap::expect(raw) };
        Some(compressed.into_iter().map(handle).collect())
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
        // SAFETY: the kind of the attribute says that it holds a map.
        unsafe { AffineMap::expect(mlirAffineMapAttrGetValue(self.raw())) }
    }
}

impl<'ctx> Uniquer<'ctx> {
    /// `d<index>`.
    pub fn dimension(self, index: u32) -> AffineExpr<'ctx> {
        // SAFETY: the index is a `u32`, so that it fits into MLIR's 32 bits.
        unsafe { c::mlirAffineDimExprGet(self, index as isize) }
    }

    /// `s<index>`.
    pub fn symbol(self, index: u32) -> AffineExpr<'ctx> {
        // SAFETY: the index is a `u32`, so that it fits into MLIR's 32 bits.
        unsafe { c::mlirAffineSymbolExprGet(self, index as isize) }
    }

    /// A number.
    pub fn constant(self, value: i64) -> AffineExpr<'ctx> {
        c::mlirAffineConstantExprGet(self, value)
    }

    /// `(d0, …)[s0, …] -> (results)`.
    ///
    /// # Errors
    /// `ErrorKind::Form` if an expression has a dimension or a symbol that the map lacks.
    pub fn map(
        self,
        dimensions: u32,
        symbols: u32,
        results: &[AffineExpr<'ctx>],
    ) -> Result<AffineMap<'ctx>> {
        let results = Bounded::check(results, dimensions, symbols)
            .map_err(|needed| needed.error(dimensions, symbols))?;
        Ok(self.map_of(results))
    }

    /// The map with these results.
    pub fn map_of(self, results: Bounded<'_, 'ctx>) -> AffineMap<'ctx> {
        // SAFETY: the array is as long as said, and within the numbers.
        unsafe {
            c::mlirAffineMapGet(
                self,
                results.dimensions as isize,
                results.symbols as isize,
                results.expressions.len() as isize,
                results.expressions.as_ptr(),
            )
        }
    }

    /// `(d0, …) -> (d0, …)`.
    pub fn identity_map(self, dimensions: u32) -> AffineMap<'ctx> {
        // SAFETY: the number is a `u32`, so that it fits into MLIR's 32 bits.
        unsafe { c::mlirAffineMapMultiDimIdentityGet(self, dimensions as isize) }
    }

    /// The map whose results are its last dimensions, or `None` if there are more results.
    pub fn minor_identity_map(self, dimensions: u32, results: u32) -> Option<AffineMap<'ctx>> {
        let (dimensions, results) = (dimensions as isize, results as isize);
        // SAFETY: both are within 32 bits, and there are no more results.
        (results <= dimensions)
            .then(|| unsafe { c::mlirAffineMapMinorIdentityGet(self, dimensions, results) })
    }

    /// The map whose results are its dimensions in another order, or `None` if the numbers are not each of
    /// those below their count once, or there are none.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, _| {
    ///     let map = ctx.permutation_map(&[1, 0]).unwrap();
    ///     assert_eq!(map.to_string(), "(d0, d1) -> (d1, d0)");
    ///     assert_eq!(ctx.permutation_map(&[1, 1]), None);
    /// });
    /// ```
    pub fn permutation_map(self, order: &[u32]) -> Option<AffineMap<'ctx>> {
        if !is_permutation(order) {
            return None;
        }
        // SAFETY: the array is as long as said, and a permutation.
        Some(unsafe { c::mlirAffineMapPermutationGet(self, order.len() as isize, order.as_ptr()) })
    }
}

/// Returns true if the numbers are each of those below their count once, and there are some.
///
/// ```
/// # use mondo_ir::affine::is_permutation;
/// assert!(is_permutation(&[1, 0, 2]));
/// assert!(!is_permutation(&[1, 1]) && !is_permutation(&[]));
/// ```
pub fn is_permutation(order: &[u32]) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    !order.is_empty() && sorted.iter().zip(0..).all(|(place, at)| *place == at)
}
