//! The functions of affine expressions, affine maps and integer sets.

use super::declarations;
use crate::interned::{AffineExpr, AffineMap, IntegerSet};

declarations! {
    "AffineExpr.h" {
        mlirAffineExprIsPureAffine(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsFunctionOfDim(of: AffineExpr<'ctx>, index: isize) -> bool;
        mlirAffineExprIsADim(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsASymbol(of: AffineExpr<'ctx>) -> bool;
        mlirAffineExprIsABinary(of: AffineExpr<'ctx>) -> bool;
        mlirAffineDimExprGetPosition(of: AffineExpr<'ctx>) -> isize,
            needs "The expression is a dimension.";
        mlirAffineSymbolExprGetPosition(of: AffineExpr<'ctx>) -> isize,
            needs "The expression is a symbol.";
        mlirAffineBinaryOpExprGetLHS(of: AffineExpr<'ctx>) -> AffineExpr<'ctx>,
            needs "The expression is one of two others.";
        mlirAffineBinaryOpExprGetRHS(of: AffineExpr<'ctx>) -> AffineExpr<'ctx>,
            needs "The expression is one of two others.";
    }
    "AffineMap.h" {
        mlirAffineMapGetNumDims(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumSymbols(of: AffineMap<'ctx>) -> isize;
        mlirAffineMapGetNumResults(of: AffineMap<'ctx>) -> isize;
    }
    "IntegerSet.h" {
        mlirIntegerSetGetNumDims(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumSymbols(of: IntegerSet<'ctx>) -> isize;
        mlirIntegerSetGetNumConstraints(of: IntegerSet<'ctx>) -> isize;
    }
}
