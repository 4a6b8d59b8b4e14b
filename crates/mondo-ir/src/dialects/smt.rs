//! `smt`: truth values, integers and bit vectors.

use super::{DialectHandle, Loaded, dialect};
use crate::declarations::declarations;
use crate::sort::{kinds, tests};
use crate::text::Text;
use crate::types::TypeKind;
use crate::uniqued_handles::Type;

dialect! {
    /// The dialect.
    Smt = mlirGetDialectHandle__smt__
}

kinds! { Type:
    /// `!smt.bool`.
    Bool, BoolType;
    /// `!smt.int`.
    Int, IntType;
    /// `!smt.bv<8>`.
    BitVector, BitVectorType;
}

tests! { Type, TypeKind:
    Bool = mlirSMTTypeIsABool;
    Int = mlirSMTTypeIsAInt;
    BitVector = mlirSMTTypeIsABitVector;
}

declarations! {
    "Dialect/SMT.h" {
        mlirGetDialectHandle__smt__() -> DialectHandle, since "22";
        mlirSMTTypeIsABool(of: Type<'ctx>) -> bool, since "22";
        mlirSMTBoolTypeGetName() -> Text<'static>, since "22";
        mlirSMTTypeGetBool(ctx: Loaded<'ctx, Smt>) -> BoolType<'ctx>, since "22";
        mlirSMTTypeIsAInt(of: Type<'ctx>) -> bool, since "22";
        mlirSMTIntTypeGetName() -> Text<'static>, since "22";
        mlirSMTTypeGetInt(ctx: Loaded<'ctx, Smt>) -> IntType<'ctx>, since "22";
        mlirSMTTypeIsABitVector(of: Type<'ctx>) -> bool, since "22";
        mlirSMTBitVectorTypeGetName() -> Text<'static>, since "22";
    }
}

impl<'ctx> Loaded<'ctx, Smt> {
    /// The type of bit vectors of this width. Returns `None` if MLIR has no such type, and then the context's
    /// diagnostic handlers know why.
    ///
    /// ```
    /// # use mondo_ir::{Context, dialects::smt::Smt};
    /// Context::new().enter(|ctx, _| {
    ///     let smt = ctx.with_dialect::<Smt>();
    ///     assert_eq!(smt.bit_vector(8).unwrap().to_string(), "!smt.bv<8>");
    ///     assert!(smt.bit_vector(0).is_none());
    /// });
    /// ```
    pub fn bit_vector(self, width: i32) -> Option<BitVectorType<'ctx>> {
        // The function that makes it does not check the width.
        self.parsed_type(&format!("!smt.bv<{width}>"))?.downcast()
    }
}
