//! The dialect `index`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Index/IR/IndexOps.td`.

use crate::uniqued_handles::{Attribute, BoolAttr, IntegerAttr};

crate::ops::rows::operations! {
    #[doc = "`index.add`: index addition."]
    Add add "index.add"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.and`: index bitwise and."]
    And and "index.and"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.bool.constant`: boolean constant."]
    BoolConstant bool_constant "index.bool.constant"
        { value ("value" BoolAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" BoolAttr<'ctx>,]
    #[doc = "`index.casts`: index signed cast."]
    Casts casts "index.casts"
        { output_type OneType input One }
        {}
        regions 0 infers false segments false false
        [0 input One] [0 output One] [] []
        []
    #[doc = "`index.castu`: index unsigned cast."]
    Castu castu "index.castu"
        { output_type OneType input One }
        {}
        regions 0 infers false segments false false
        [0 input One] [0 output One] [] []
        []
    #[doc = "`index.ceildivs`: index signed ceil division."]
    Ceildivs ceildivs "index.ceildivs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.ceildivu`: index unsigned ceil division."]
    Ceildivu ceildivu "index.ceildivu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.cmp`: index compare."]
    Cmp cmp "index.cmp"
        { pred ("pred" any) lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [pred "pred" Attribute<'ctx>,]
    #[doc = "`index.constant`: index constant."]
    Constant constant "index.constant"
        { value ("value" IntegerAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" IntegerAttr<'ctx>,]
    #[doc = "`index.divs`: index signed division."]
    Divs divs "index.divs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.divu`: index unsigned division."]
    Divu divu "index.divu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.floordivs`: index signed floor division."]
    Floordivs floordivs "index.floordivs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.maxs`: index signed maximum."]
    Maxs maxs "index.maxs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.maxu`: index unsigned maximum."]
    Maxu maxu "index.maxu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.mins`: index signed minimum."]
    Mins mins "index.mins"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.minu`: index unsigned minimum."]
    Minu minu "index.minu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.mul`: index multiplication."]
    Mul mul "index.mul"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.or`: index bitwise or."]
    Or or "index.or"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.rems`: index signed remainder."]
    Rems rems "index.rems"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.remu`: index unsigned remainder."]
    Remu remu "index.remu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.shl`: index shift left."]
    Shl shl "index.shl"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.shrs`: signed index shift right."]
    Shrs shrs "index.shrs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.shru`: unsigned index shift right."]
    Shru shru "index.shru"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.sizeof`: size in bits of the index type."]
    Sizeof sizeof "index.sizeof"
        {}
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        []
    #[doc = "`index.sub`: index subtraction."]
    Sub sub "index.sub"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    #[doc = "`index.xor`: index bitwise xor."]
    Xor xor "index.xor"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
}
