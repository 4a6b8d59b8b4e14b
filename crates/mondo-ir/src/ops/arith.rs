//! The dialect `arith`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Arith/IR/ArithOps.td`.

use crate::uniqued_handles::{Attribute, UnitAttr};

crate::ops::attribute::integers! {
    /// `CmpFPredicate` of ODS.
    CmpFPredicate i64 {
        AlwaysFalse = 0,
        OEQ = 1,
        OGT = 2,
        OGE = 3,
        OLT = 4,
        OLE = 5,
        ONE = 6,
        ORD = 7,
        UEQ = 8,
        UGT = 9,
        UGE = 10,
        ULT = 11,
        ULE = 12,
        UNE = 13,
        UNO = 14,
        AlwaysTrue = 15,
    }
}

crate::ops::attribute::integers! {
    /// `CmpIPredicate` of ODS.
    CmpIPredicate i64 {
        Eq = 0,
        Ne = 1,
        Slt = 2,
        Sle = 3,
        Sgt = 4,
        Sge = 5,
        Ult = 6,
        Ule = 7,
        Ugt = 8,
        Uge = 9,
    }
}

crate::ops::attribute::flags! {
    /// `FastMathFlags` of ODS.
    FastMathFlags "arith.fastmath" "," {
        NONE = 0 "none",
        REASSOC = 1 "reassoc",
        NNAN = 2 "nnan",
        NINF = 4 "ninf",
        NSZ = 8 "nsz",
        ARCP = 16 "arcp",
        CONTRACT = 32 "contract",
        AFN = 64 "afn",
        FAST = 127 "fast",
    }
}

crate::ops::attribute::flags! {
    /// `IntegerOverflowFlags` of ODS.
    IntegerOverflowFlags "arith.overflow" ", " {
        NONE = 0 "none",
        NSW = 1 "nsw",
        NUW = 2 "nuw",
    }
}

crate::ops::attribute::integers! {
    /// `RoundingMode` of ODS.
    RoundingMode i32 {
        ToNearestEven = 0,
        Downward = 1,
        Upward = 2,
        TowardZero = 3,
        ToNearestAway = 4,
    }
}

crate::ops::rows::operations! {
    Addf addf "arith.addf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Addi addi "arith.addi"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    AdduiExtended addui_extended "arith.addui_extended"
        { sum_type OneType overflow_type OneType lhs One rhs One }
        {}
        regions 0 infers false segments false false
        [0 lhs One 1 rhs One] [0 sum One 1 overflow One] [] []
        []
    Andi andi "arith.andi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Bitcast bitcast "arith.bitcast"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Ceildivsi ceildivsi "arith.ceildivsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Ceildivui ceildivui "arith.ceildivui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Cmpf cmpf "arith.cmpf"
        { predicate ("predicate" CmpFPredicate) lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [predicate "predicate" CmpFPredicate, fastmath "fastmath" FastMathFlags,]
    Cmpi cmpi "arith.cmpi"
        { predicate ("predicate" CmpIPredicate) lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [predicate "predicate" CmpIPredicate,]
    Constant constant "arith.constant"
        { value ("value" any) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" Attribute<'ctx>,]
    Divf divf "arith.divf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Divsi divsi "arith.divsi"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    Divui divui "arith.divui"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    Extf extf "arith.extf"
        { out_type OneType in_ One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Extsi extsi "arith.extsi"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Extui extui "arith.extui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Floordivsi floordivsi "arith.floordivsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Fptosi fptosi "arith.fptosi"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Fptoui fptoui "arith.fptoui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    IndexCast index_cast "arith.index_cast"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    IndexCastui index_castui "arith.index_castui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Maximumf maximumf "arith.maximumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Maxnumf maxnumf "arith.maxnumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Maxsi maxsi "arith.maxsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Maxui maxui "arith.maxui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Minimumf minimumf "arith.minimumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Minnumf minnumf "arith.minnumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Minsi minsi "arith.minsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Minui minui "arith.minui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Mulf mulf "arith.mulf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Muli muli "arith.muli"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    MulsiExtended mulsi_extended "arith.mulsi_extended"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 low One 1 high One] [] []
        []
    MuluiExtended mului_extended "arith.mului_extended"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 low One 1 high One] [] []
        []
    Negf negf "arith.negf"
        { operand One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Ori ori "arith.ori"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Remf remf "arith.remf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Remsi remsi "arith.remsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Remui remui "arith.remui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    ScalingExtf scaling_extf "arith.scaling_extf"
        { out_type OneType in_ One scale One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One 1 scale One] [0 out One] [] []
        [fastmath "fastmath" FastMathFlags,]
    ScalingTruncf scaling_truncf "arith.scaling_truncf"
        { out_type OneType in_ One scale One }
        { roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One 1 scale One] [0 out One] [] []
        [roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags,]
    Select select "arith.select"
        { condition One true_value One false_value One }
        {}
        regions 0 infers true segments false false
        [0 condition One 1 true_value One 2 false_value One] [0 result One] [] []
        []
    Shli shli "arith.shli"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    Shrsi shrsi "arith.shrsi"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    Shrui shrui "arith.shrui"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    Sitofp sitofp "arith.sitofp"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Subf subf "arith.subf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    Subi subi "arith.subi"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    Truncf truncf "arith.truncf"
        { out_type OneType in_ One }
        { roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags,]
    Trunci trunci "arith.trunci"
        { out_type OneType in_ One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    Uitofp uitofp "arith.uitofp"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    Xori xori "arith.xori"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
}
