//! The dialect `tensor`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Tensor/IR/TensorOps.td`.

use crate::uniqued_handles::{ArrayAttr, I64ArrayAttr, IntegerAttr, UnitAttr};

crate::ops::rows::operations! {
    Bitcast bitcast "tensor.bitcast"
        { dest_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 dest One] [] []
        []
    Cast cast "tensor.cast"
        { dest_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 dest One] [] []
        []
    CollapseShape collapse_shape "tensor.collapse_shape"
        { result_type OneType src One reassociation ("reassociation" ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 src One] [0 result One] [] []
        [reassociation "reassociation" ArrayAttr<'ctx>,]
    Concat concat "tensor.concat"
        { result_type OneType dim ("dim" IntegerAttr<'ctx>) inputs Variadic }
        {}
        regions 0 infers false segments false false
        [0 inputs Variadic] [0 result One] [] []
        [dim "dim" IntegerAttr<'ctx>,]
    Dim dim "tensor.dim"
        { source One index One }
        {}
        regions 0 infers true segments false false
        [0 source One 1 index One] [0 result One] [] []
        []
    Empty empty "tensor.empty"
        { result_type OneType dynamic_sizes Variadic }
        {}
        regions 0 infers false segments false false
        [0 dynamic_sizes Variadic] [0 result One] [] []
        []
    ExpandShape expand_shape "tensor.expand_shape"
        { result_type OneType src One reassociation ("reassociation" ArrayAttr<'ctx>) output_shape Variadic static_output_shape ("static_output_shape" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 src One 1 output_shape Variadic] [0 result One] [] []
        [reassociation "reassociation" ArrayAttr<'ctx>, static_output_shape "static_output_shape" I64ArrayAttr<'ctx>,]
    Extract extract "tensor.extract"
        { tensor One indices Variadic }
        {}
        regions 0 infers true segments false false
        [0 tensor One 1 indices Variadic] [0 result One] [] []
        []
    ExtractSlice extract_slice "tensor.extract_slice"
        { result_type OneType source One offsets Variadic sizes Variadic strides Variadic static_offsets ("static_offsets" I64ArrayAttr<'ctx>) static_sizes ("static_sizes" I64ArrayAttr<'ctx>) static_strides ("static_strides" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 source One 1 offsets Variadic 2 sizes Variadic 3 strides Variadic] [0 result One] [] []
        [static_offsets "static_offsets" I64ArrayAttr<'ctx>, static_sizes "static_sizes" I64ArrayAttr<'ctx>, static_strides "static_strides" I64ArrayAttr<'ctx>,]
    FromElements from_elements "tensor.from_elements"
        { result_type OneType elements Variadic }
        {}
        regions 0 infers false segments false false
        [0 elements Variadic] [0 result One] [] []
        []
    Gather gather "tensor.gather"
        { result_type OneType source One indices One gather_dims ("gather_dims" I64ArrayAttr<'ctx>) }
        { unique "unique" UnitAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 source One 1 indices One] [0 result One] [] []
        [gather_dims "gather_dims" I64ArrayAttr<'ctx>, unique "unique" UnitAttr<'ctx>,]
    Generate generate "tensor.generate"
        { result_type OneType dynamic_extents Variadic }
        {}
        regions 1 infers false segments false false
        [0 dynamic_extents Variadic] [0 result One] [0 body One] []
        []
    Insert insert "tensor.insert"
        { scalar One dest One indices Variadic }
        {}
        regions 0 infers true segments false false
        [0 scalar One 1 dest One 2 indices Variadic] [0 result One] [] []
        []
    InsertSlice insert_slice "tensor.insert_slice"
        { source One dest One offsets Variadic sizes Variadic strides Variadic static_offsets ("static_offsets" I64ArrayAttr<'ctx>) static_sizes ("static_sizes" I64ArrayAttr<'ctx>) static_strides ("static_strides" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers true segments true false
        [0 source One 1 dest One 2 offsets Variadic 3 sizes Variadic 4 strides Variadic] [0 result One] [] []
        [static_offsets "static_offsets" I64ArrayAttr<'ctx>, static_sizes "static_sizes" I64ArrayAttr<'ctx>, static_strides "static_strides" I64ArrayAttr<'ctx>,]
    Pad pad "tensor.pad"
        { result_type OneType source One low Variadic high Variadic static_low ("static_low" I64ArrayAttr<'ctx>) static_high ("static_high" I64ArrayAttr<'ctx>) }
        { nofold "nofold" UnitAttr<'ctx>, }
        regions 1 infers false segments true false
        [0 source One 1 low Variadic 2 high Variadic] [0 result One] [0 region One] []
        [static_low "static_low" I64ArrayAttr<'ctx>, static_high "static_high" I64ArrayAttr<'ctx>, nofold "nofold" UnitAttr<'ctx>,]
    ParallelInsertSlice parallel_insert_slice "tensor.parallel_insert_slice"
        { source One dest One offsets Variadic sizes Variadic strides Variadic static_offsets ("static_offsets" I64ArrayAttr<'ctx>) static_sizes ("static_sizes" I64ArrayAttr<'ctx>) static_strides ("static_strides" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 source One 1 dest One 2 offsets Variadic 3 sizes Variadic 4 strides Variadic] [] [] []
        [static_offsets "static_offsets" I64ArrayAttr<'ctx>, static_sizes "static_sizes" I64ArrayAttr<'ctx>, static_strides "static_strides" I64ArrayAttr<'ctx>,]
    Rank rank "tensor.rank"
        { tensor One }
        {}
        regions 0 infers true segments false false
        [0 tensor One] [0 result0 One] [] []
        []
    Reshape reshape "tensor.reshape"
        { result_type OneType source One shape One }
        {}
        regions 0 infers false segments false false
        [0 source One 1 shape One] [0 result One] [] []
        []
    Scatter scatter "tensor.scatter"
        { result_type OneType source One dest One indices One scatter_dims ("scatter_dims" I64ArrayAttr<'ctx>) }
        { unique "unique" UnitAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 source One 1 dest One 2 indices One] [0 result One] [] []
        [scatter_dims "scatter_dims" I64ArrayAttr<'ctx>, unique "unique" UnitAttr<'ctx>,]
    Splat splat "tensor.splat"
        { aggregate_type OneType input One dynamic_sizes Variadic }
        {}
        regions 0 infers false segments false false
        [0 input One 1 dynamic_sizes Variadic] [0 aggregate One] [] []
        []
    Yield yield_ "tensor.yield"
        { value One }
        {}
        regions 0 infers false segments false false
        [0 value One] [] [] []
        []
}
