//! The dialect `index`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Index/IR/IndexOps.td`.

use crate::uniqued_handles::{Attribute, BoolAttr, IntegerAttr};

crate::ops::rows::operations! {
    Add add "index.add"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    And and "index.and"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    BoolConstant bool_constant "index.bool.constant"
        { value ("value" BoolAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" BoolAttr<'ctx>,]
    Casts casts "index.casts"
        { output_type OneType input One }
        {}
        regions 0 infers false segments false false
        [0 input One] [0 output One] [] []
        []
    Castu castu "index.castu"
        { output_type OneType input One }
        {}
        regions 0 infers false segments false false
        [0 input One] [0 output One] [] []
        []
    Ceildivs ceildivs "index.ceildivs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Ceildivu ceildivu "index.ceildivu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Cmp cmp "index.cmp"
        { pred ("pred" any) lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        [pred "pred" Attribute<'ctx>,]
    Constant constant "index.constant"
        { value ("value" IntegerAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        [value "value" IntegerAttr<'ctx>,]
    Divs divs "index.divs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Divu divu "index.divu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Floordivs floordivs "index.floordivs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Maxs maxs "index.maxs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Maxu maxu "index.maxu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Mins mins "index.mins"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Minu minu "index.minu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Mul mul "index.mul"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Or or "index.or"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Rems rems "index.rems"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Remu remu "index.remu"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Shl shl "index.shl"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Shrs shrs "index.shrs"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Shru shru "index.shru"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Sizeof sizeof "index.sizeof"
        {}
        {}
        regions 0 infers true segments false false
        [] [0 result One] [] []
        []
    Sub sub "index.sub"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Xor xor "index.xor"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
}
