//! The functions of affine expressions, affine maps and integer sets.

use super::declarations;
use crate::uniqued_handles::{
    AffineExpr, AffineMap, BinaryExpr, DimensionExpr, IntegerSet, NumberExpr, SymbolExpr,
};
use crate::uniquer::Uniquer;

declarations! {
    "AffineExpr.h" {
        mlirAffineExprIsAConstant(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsADim(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsASymbol(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsABinary(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsAAdd(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsAMul(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsAMod(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsAFloorDiv(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsACeilDiv(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsPureAffine(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsFunctionOfDim(of: AffineExpr<'ctx>, index: isize) -> bool;
        mlirAffineConstantExprGetValue(of: NumberExpr<'ctx>) -> i64;
        mlirAffineDimExprGetPosition(of: DimensionExpr<'ctx>) -> isize;
        mlirAffineSymbolExprGetPosition(of: SymbolExpr<'ctx>) -> isize;
        mlirAffineBinaryOpExprGetLHS(of: BinaryExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineBinaryOpExprGetRHS(of: BinaryExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineConstantExprGet(ctx: Uniquer<'ctx>, value: i64) -> AffineExpr<'ctx>;
        mlirAffineDimExprGet(ctx: Uniquer<'ctx>, position: isize) -> AffineExpr<'ctx>,
            needs "The position is not negative, and within 32 bits.";
        mlirAffineSymbolExprGet(ctx: Uniquer<'ctx>, position: isize) -> AffineExpr<'ctx>,
            needs "The position is not negative, and within 32 bits.";
        mlirAffineAddExprGet(left: AffineExpr<'ctx>, right: AffineExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineMulExprGet(left: AffineExpr<'ctx>, right: AffineExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineModExprGet(left: AffineExpr<'ctx>, right: AffineExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineFloorDivExprGet(left: AffineExpr<'ctx>, right: AffineExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineCeilDivExprGet(left: AffineExpr<'ctx>, right: AffineExpr<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineExprCompose(of: AffineExpr<'ctx>, map: AffineMap<'ctx>) -> AffineExpr<'ctx>;
        mlirAffineExprShiftDims(of: AffineExpr<'ctx>, count: u32, shift: u32, offset: u32)
            -> AffineExpr<'ctx>, since "22";
        mlirAffineExprShiftSymbols(of: AffineExpr<'ctx>, count: u32, shift: u32, offset: u32)
            -> AffineExpr<'ctx>, since "22";
        mlirSimplifyAffineExpr(of: AffineExpr<'ctx>, dimensions: u32, symbols: u32)
            -> AffineExpr<'ctx>, since "22",
            needs "The expression has no more dimensions and symbols.";
    }
    "AffineMap.h" {
        mlirAffineMapGet(
            ctx: Uniquer<'ctx>, dimensions: isize, symbols: isize, count: isize,
            results: *const AffineExpr<'ctx>
        ) -> AffineMap<'ctx>,
            needs "There are so many results, and they have no more dimensions and symbols.";
        mlirAffineMapConstantGet(ctx: Uniquer<'ctx>, value: i64) -> AffineMap<'ctx>;
        mlirAffineMapEmptyGet(ctx: Uniquer<'ctx>) -> AffineMap<'ctx>;
        mlirAffineMapMultiDimIdentityGet(ctx: Uniquer<'ctx>, dimensions: isize) -> AffineMap<'ctx>,
            needs "The number is not negative, and within 32 bits.";
        mlirAffineMapMinorIdentityGet(ctx: Uniquer<'ctx>, dimensions: isize, results: isize)
            -> AffineMap<'ctx>,
            needs "Both are not negative and within 32 bits, and there are no more results.";
        mlirAffineMapPermutationGet(ctx: Uniquer<'ctx>, count: isize, order: *const u32)
            -> AffineMap<'ctx>,
            needs "There are so many numbers, at least one, and each below their count is there.";
        mlirAffineMapGetNumDims(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumSymbols(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumInputs(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumResults(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetResult(of: AffineMap<'ctx>, index: isize) -> AffineExpr<'ctx>,
            below mlirAffineMapGetNumResults;
        mlirAffineMapGetSubMap(of: AffineMap<'ctx>, count: isize, results: *const isize)
            -> AffineMap<'ctx>,
            needs "There are so many indices, each below the number of results.";
        mlirAffineMapReplace(
            of: AffineMap<'ctx>, from: AffineExpr<'ctx>, to: AffineExpr<'ctx>, dimensions: isize,
            symbols: isize
        ) -> AffineMap<'ctx>,
            needs "The caller does not use the map before its results are within the numbers.";
        mlirAffineMapIsPermutation(of: AffineMap<'ctx>) -> bool;
        mlirAffineMapIsProjectedPermutation(of: AffineMap<'ctx>) -> bool;
    }
    "IntegerSet.h" {
        mlirIntegerSetEmptyGet(ctx: Uniquer<'ctx>, dimensions: isize, symbols: isize)
            -> IntegerSet<'ctx>,
            needs "Both are not negative, and within 32 bits.";
        mlirIntegerSetGet(
            ctx: Uniquer<'ctx>, dimensions: isize, symbols: isize, count: isize,
            constraints: *const AffineExpr<'ctx>, equal: *const bool
        ) -> IntegerSet<'ctx>,
            needs "There are so many of both, at least one, within the numbers.";
        mlirIntegerSetReplaceGet(
            of: IntegerSet<'ctx>, dimensions: *const AffineExpr<'ctx>,
            symbols: *const AffineExpr<'ctx>, result_dimensions: isize, result_symbols: isize
        ) -> IntegerSet<'ctx>,
            needs "There are as many as the set has, and the caller does not use the new set before \
                its constraints are within the numbers.";
        mlirIntegerSetGetNumDims(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumSymbols(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumInputs(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumConstraints(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumEqualities(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumInequalities(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetConstraint(of: IntegerSet<'ctx>, index: isize) -> AffineExpr<'ctx>,
            below mlirIntegerSetGetNumConstraints;
        mlirIntegerSetIsConstraintEq(of: IntegerSet<'ctx>, index: isize) -> bool,
            below mlirIntegerSetGetNumConstraints;
        mlirIntegerSetIsCanonicalEmpty(of: IntegerSet<'ctx>) -> bool;
    }
}
