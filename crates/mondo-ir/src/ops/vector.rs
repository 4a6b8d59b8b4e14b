//! The dialect `vector`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Vector/IR/VectorOps.td`.

use crate::uniqued_handles::{ArrayAttr, Attribute, BoolAttr, I64ArrayAttr, IntegerAttr, StringAttr};

crate::ops::attribute::words! {
    /// `CombiningKind` of ODS.
    CombiningKind "vector.kind" {
        ADD = "add",
        MUL = "mul",
        MINUI = "minui",
        MINSI = "minsi",
        MINNUMF = "minnumf",
        MAXUI = "maxui",
        MAXSI = "maxsi",
        MAXNUMF = "maxnumf",
        AND = "and",
        OR = "or",
        XOR = "xor",
        MAXIMUMF = "maximumf",
        MINIMUMF = "minimumf",
    }
}

crate::ops::attribute::words! {
    /// `PrintPunctuation` of ODS.
    PrintPunctuation "vector.punctuation" {
        NoPunctuation = "no_punctuation",
        NewLine = "newline",
        Comma = "comma",
        Open = "open",
        Close = "close",
    }
}

crate::ops::rows::operations! {
    Bitcast bitcast "vector.bitcast"
        { result_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 result One] [] []
        []
    Broadcast broadcast "vector.broadcast"
        { vector_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 vector One] [] []
        []
    Compressstore compressstore "vector.compressstore"
        { base One indices Variadic mask One value_to_store One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 indices Variadic 2 mask One 3 value_to_store One] [] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    ConstantMask constant_mask "vector.constant_mask"
        { result0_type OneType mask_dim_sizes ("mask_dim_sizes" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [] [0 result0 One] [] []
        [mask_dim_sizes "mask_dim_sizes" I64ArrayAttr<'ctx>,]
    Contract contract "vector.contract"
        { result0_type OneType lhs One rhs One acc One indexing_maps ("indexing_maps" ArrayAttr<'ctx>) iterator_types ("iterator_types" ArrayAttr<'ctx>) }
        { kind "kind" CombiningKind, }
        regions 0 infers false segments false false
        [0 lhs One 1 rhs One 2 acc One] [0 result0 One] [] []
        [indexing_maps "indexing_maps" ArrayAttr<'ctx>, iterator_types "iterator_types" ArrayAttr<'ctx>, kind "kind" CombiningKind,]
    CreateMask create_mask "vector.create_mask"
        { result0_type OneType operands Variadic }
        {}
        regions 0 infers false segments false false
        [0 operands Variadic] [0 result0 One] [] []
        []
    Deinterleave deinterleave "vector.deinterleave"
        { source One }
        {}
        regions 0 infers true segments false false
        [0 source One] [0 res1 One 1 res2 One] [] []
        []
    Expandload expandload "vector.expandload"
        { result_type OneType base One indices Variadic mask One pass_thru One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 indices Variadic 2 mask One 3 pass_thru One] [0 result One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    Extract extract "vector.extract"
        { source One dynamic_position Variadic static_position ("static_position" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 source One 1 dynamic_position Variadic] [0 result One] [] []
        [static_position "static_position" I64ArrayAttr<'ctx>,]
    ExtractStridedSlice extract_strided_slice "vector.extract_strided_slice"
        { result0_type OneType source One offsets ("offsets" ArrayAttr<'ctx>) sizes ("sizes" ArrayAttr<'ctx>) strides ("strides" ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 result0 One] [] []
        [offsets "offsets" ArrayAttr<'ctx>, sizes "sizes" ArrayAttr<'ctx>, strides "strides" ArrayAttr<'ctx>,]
    Fma fma "vector.fma"
        { lhs One rhs One acc One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One 2 acc One] [0 result One] [] []
        []
    FromElements from_elements "vector.from_elements"
        { dest_type OneType elements Variadic }
        {}
        regions 0 infers false segments false false
        [0 elements Variadic] [0 dest One] [] []
        []
    Gather gather "vector.gather"
        { result_type OneType base One offsets Variadic indices One mask One pass_thru One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 offsets Variadic 2 indices One 3 mask One 4 pass_thru One] [0 result One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    Insert insert "vector.insert"
        { value_to_store One dest One dynamic_position Variadic static_position ("static_position" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 value_to_store One 1 dest One 2 dynamic_position Variadic] [0 result One] [] []
        [static_position "static_position" I64ArrayAttr<'ctx>,]
    InsertStridedSlice insert_strided_slice "vector.insert_strided_slice"
        { value_to_store One dest One offsets ("offsets" ArrayAttr<'ctx>) strides ("strides" ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 value_to_store One 1 dest One] [0 result One] [] []
        [offsets "offsets" ArrayAttr<'ctx>, strides "strides" ArrayAttr<'ctx>,]
    Interleave interleave "vector.interleave"
        { lhs One rhs One }
        {}
        regions 0 infers true segments false false
        [0 lhs One 1 rhs One] [0 result One] [] []
        []
    Load load "vector.load"
        { result_type OneType base One indices Variadic }
        { nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 indices Variadic] [0 result One] [] []
        [nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>,]
    Mask mask "vector.mask"
        { results_type VariadicType mask One passthru Optional }
        {}
        regions 1 infers false segments false false
        [0 mask One 1 passthru Optional] [0 results Variadic] [0 mask_region One] []
        []
    Maskedload maskedload "vector.maskedload"
        { result_type OneType base One indices Variadic mask One pass_thru One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 indices Variadic 2 mask One 3 pass_thru One] [0 result One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    Maskedstore maskedstore "vector.maskedstore"
        { base One indices Variadic mask One value_to_store One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 indices Variadic 2 mask One 3 value_to_store One] [] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    MultiReduction multi_reduction "vector.multi_reduction"
        { kind ("kind" CombiningKind) source One acc One reduction_dims ("reduction_dims" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 source One 1 acc One] [0 dest One] [] []
        [kind "kind" CombiningKind, reduction_dims "reduction_dims" I64ArrayAttr<'ctx>,]
    Outerproduct outerproduct "vector.outerproduct"
        { result0_type OneType lhs One rhs One acc Optional }
        { kind "kind" CombiningKind, }
        regions 0 infers false segments false false
        [0 lhs One 1 rhs One 2 acc Optional] [0 result0 One] [] []
        [kind "kind" CombiningKind,]
    Print print "vector.print"
        { source Optional }
        { punctuation "punctuation" PrintPunctuation, string_literal "stringLiteral" StringAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 source Optional] [] [] []
        [punctuation "punctuation" PrintPunctuation, string_literal "stringLiteral" StringAttr<'ctx>,]
    Reduction reduction "vector.reduction"
        { dest_type OneType kind ("kind" CombiningKind) vector One acc Optional }
        { fastmath "fastmath" crate::ops::arith::FastMathFlags, }
        regions 0 infers false segments false false
        [0 vector One 1 acc Optional] [0 dest One] [] []
        [kind "kind" CombiningKind, fastmath "fastmath" crate::ops::arith::FastMathFlags,]
    ScalableExtract scalable_extract "vector.scalable.extract"
        { result_type OneType source One pos ("pos" IntegerAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 result One] [] []
        [pos "pos" IntegerAttr<'ctx>,]
    ScalableInsert scalable_insert "vector.scalable.insert"
        { value_to_store One dest One pos ("pos" IntegerAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 value_to_store One 1 dest One] [0 result One] [] []
        [pos "pos" IntegerAttr<'ctx>,]
    Scan scan "vector.scan"
        { kind ("kind" CombiningKind) source One initial_value One reduction_dim ("reduction_dim" IntegerAttr<'ctx>) inclusive ("inclusive" BoolAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 source One 1 initial_value One] [0 dest One 1 accumulated_value One] [] []
        [kind "kind" CombiningKind, reduction_dim "reduction_dim" IntegerAttr<'ctx>, inclusive "inclusive" BoolAttr<'ctx>,]
    Scatter scatter "vector.scatter"
        { result_type OptionalType base One offsets Variadic indices One mask One value_to_store One }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 base One 1 offsets Variadic 2 indices One 3 mask One 4 value_to_store One] [0 result Optional] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    ShapeCast shape_cast "vector.shape_cast"
        { result_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 result One] [] []
        []
    Shuffle shuffle "vector.shuffle"
        { v1 One v2 One mask ("mask" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 v1 One 1 v2 One] [0 vector One] [] []
        [mask "mask" I64ArrayAttr<'ctx>,]
    Step step "vector.step"
        { result_type OneType }
        {}
        regions 0 infers false segments false false
        [] [0 result One] [] []
        []
    Store store "vector.store"
        { value_to_store One base One indices Variadic }
        { nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 value_to_store One 1 base One 2 indices Variadic] [] [] []
        [nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>,]
    ToElements to_elements "vector.to_elements"
        { source One }
        {}
        regions 0 infers true segments false false
        [0 source One] [0 elements Variadic] [] []
        []
    TransferRead transfer_read "vector.transfer_read"
        { vector_type OneType base One indices Variadic permutation_map ("permutation_map" any) padding One mask Optional in_bounds ("in_bounds" ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 base One 1 indices Variadic 2 padding One 3 mask Optional] [0 vector One] [] []
        [permutation_map "permutation_map" Attribute<'ctx>, in_bounds "in_bounds" ArrayAttr<'ctx>,]
    TransferWrite transfer_write "vector.transfer_write"
        { result_type OptionalType value_to_store One base One indices Variadic permutation_map ("permutation_map" any) mask Optional in_bounds ("in_bounds" ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 value_to_store One 1 base One 2 indices Variadic 3 mask Optional] [0 result Optional] [] []
        [permutation_map "permutation_map" Attribute<'ctx>, in_bounds "in_bounds" ArrayAttr<'ctx>,]
    Transpose transpose "vector.transpose"
        { result_type OneType vector One permutation ("permutation" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 vector One] [0 result One] [] []
        [permutation "permutation" I64ArrayAttr<'ctx>,]
    TypeCast type_cast "vector.type_cast"
        { result_type OneType memref One }
        {}
        regions 0 infers false segments false false
        [0 memref One] [0 result One] [] []
        []
    Vscale vscale "vector.vscale"
        {}
        {}
        regions 0 infers true segments false false
        [] [0 res One] [] []
        []
    Yield yield_ "vector.yield"
        { operands Variadic }
        {}
        regions 0 infers false segments false false
        [0 operands Variadic] [] [] []
        []
}
