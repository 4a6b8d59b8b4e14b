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
    #[doc = "`arith.addf`: floating point addition operation."]
    Addf addf "arith.addf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.addi`: integer addition operation."]
    Addi addi "arith.addi"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    #[doc = "`arith.addui_extended`: extended unsigned integer addition operation returning sum and overflow bit."]
    AdduiExtended addui_extended "arith.addui_extended"
        { sum_type OneType overflow_type OneType lhs One rhs One }
        {}
        regions 0 infers false segments false false
        [0 lhs One 1 rhs One] [0 sum One 1 overflow One] [] []
        []
    #[doc = "`arith.andi`: integer binary and."]
    Andi andi "arith.andi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.bitcast`: bitcast between values of equal bit width."]
    Bitcast bitcast "arith.bitcast"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.ceildivsi`: signed ceil integer division operation."]
    Ceildivsi ceildivsi "arith.ceildivsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.ceildivui`: unsigned ceil integer division operation."]
    Ceildivui ceildivui "arith.ceildivui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.cmpf`: floating-point comparison operation."]
    Cmpf cmpf "arith.cmpf"
        { predicate ("predicate" CmpFPredicate) lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [predicate "predicate" CmpFPredicate, fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.cmpi`: integer comparison operation."]
    Cmpi cmpi "arith.cmpi"
        { predicate ("predicate" CmpIPredicate) lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [predicate "predicate" CmpIPredicate,]
    #[doc = "`arith.constant`: integer or floating point constant."]
    Constant constant "arith.constant"
        { value ("value" any) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" Attribute<'ctx>,]
    #[doc = "`arith.divf`: floating point division operation."]
    Divf divf "arith.divf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.divsi`: signed integer division operation."]
    Divsi divsi "arith.divsi"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    #[doc = "`arith.divui`: unsigned integer division operation."]
    Divui divui "arith.divui"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    #[doc = "`arith.extf`: cast from floating-point to wider floating-point."]
    Extf extf "arith.extf"
        { out_type OneType in_ One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.extsi`: integer sign extension operation."]
    Extsi extsi "arith.extsi"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.extui`: integer zero extension operation."]
    Extui extui "arith.extui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.floordivsi`: signed floor integer division operation."]
    Floordivsi floordivsi "arith.floordivsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.fptosi`: cast from floating-point type to integer type."]
    Fptosi fptosi "arith.fptosi"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.fptoui`: cast from floating-point type to integer type."]
    Fptoui fptoui "arith.fptoui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.index_cast`: cast between index and integer types."]
    IndexCast index_cast "arith.index_cast"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.index_castui`: unsigned cast between index and integer types."]
    IndexCastui index_castui "arith.index_castui"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.maximumf`: floating-point maximum operation."]
    Maximumf maximumf "arith.maximumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.maxnumf`: floating-point maximum operation."]
    Maxnumf maxnumf "arith.maxnumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.maxsi`: signed integer maximum operation."]
    Maxsi maxsi "arith.maxsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.maxui`: unsigned integer maximum operation."]
    Maxui maxui "arith.maxui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.minimumf`: floating-point minimum operation."]
    Minimumf minimumf "arith.minimumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.minnumf`: floating-point minimum operation."]
    Minnumf minnumf "arith.minnumf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.minsi`: signed integer minimum operation."]
    Minsi minsi "arith.minsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.minui`: unsigned integer minimum operation."]
    Minui minui "arith.minui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.mulf`: floating point multiplication operation."]
    Mulf mulf "arith.mulf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.muli`: Integer multiplication operation."]
    Muli muli "arith.muli"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    #[doc = "`arith.mulsi_extended`: extended signed integer multiplication operation."]
    MulsiExtended mulsi_extended "arith.mulsi_extended"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 low One 1 high One] [] []
        []
    #[doc = "`arith.mului_extended`: extended unsigned integer multiplication operation."]
    MuluiExtended mului_extended "arith.mului_extended"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 low One 1 high One] [] []
        []
    #[doc = "`arith.negf`: floating point negation."]
    Negf negf "arith.negf"
        { operand One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 operand One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.ori`: integer binary or."]
    Ori ori "arith.ori"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.remf`: floating point division remainder operation."]
    Remf remf "arith.remf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.remsi`: signed integer division remainder operation."]
    Remsi remsi "arith.remsi"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.remui`: unsigned integer division remainder operation."]
    Remui remui "arith.remui"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`arith.scaling_extf`: Upcasts input floats using provided scales values following OCP MXFP Spec."]
    ScalingExtf scaling_extf "arith.scaling_extf"
        { out_type OneType in_ One scale One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One 1 scale One] [0 out One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.scaling_truncf`: Downcasts input floating point values using provided scales values following OCP MXFP Spec."]
    ScalingTruncf scaling_truncf "arith.scaling_truncf"
        { out_type OneType in_ One scale One }
        { roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One 1 scale One] [0 out One] [] []
        [roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.select`: select operation."]
    Select select "arith.select"
        { condition One true_value One false_value One }
        {}
        regions 0 infers true segments false false
        [0 condition One 1 true_value One 2 false_value One] [0 result One] [] []
        []
    #[doc = "`arith.shli`: integer left-shift."]
    Shli shli "arith.shli"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    #[doc = "`arith.shrsi`: signed integer right-shift."]
    Shrsi shrsi "arith.shrsi"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    #[doc = "`arith.shrui`: unsigned integer right-shift."]
    Shrui shrui "arith.shrui"
        { lhs One rhs One }
        { is_exact "isExact" UnitAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [is_exact "isExact" UnitAttr<'ctx>,]
    #[doc = "`arith.sitofp`: cast from integer type to floating-point."]
    Sitofp sitofp "arith.sitofp"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.subf`: floating point subtraction operation."]
    Subf subf "arith.subf"
        { lhs One rhs One }
        { fastmath "fastmath" FastMathFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.subi`: Integer subtraction operation."]
    Subi subi "arith.subi"
        { lhs One rhs One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    #[doc = "`arith.truncf`: cast from floating-point to narrower floating-point."]
    Truncf truncf "arith.truncf"
        { out_type OneType in_ One }
        { roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [roundingmode "roundingmode" RoundingMode, fastmath "fastmath" FastMathFlags,]
    #[doc = "`arith.trunci`: integer truncation operation."]
    Trunci trunci "arith.trunci"
        { out_type OneType in_ One }
        { overflow_flags "overflowFlags" IntegerOverflowFlags, }
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        [overflow_flags "overflowFlags" IntegerOverflowFlags,]
    #[doc = "`arith.uitofp`: cast from unsigned integer type to floating-point."]
    Uitofp uitofp "arith.uitofp"
        { out_type OneType in_ One }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 out One] [] []
        []
    #[doc = "`arith.xori`: integer binary xor."]
    Xori xori "arith.xori"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
}
