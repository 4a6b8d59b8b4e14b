//! The dialect `memref`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/MemRef/IR/MemRefOps.td`.

use crate::uniqued_handles::{ArrayAttr, Attribute, BoolAttr, FlatSymbolRefAttr, I64ArrayAttr, IntegerAttr, StringAttr, TypeAttr, UnitAttr};

crate::ops::attribute::integers! {
    /// `AtomicRMWKind` of ODS.
    AtomicRMWKind i64 {
        Addf = 0,
        Addi = 1,
        Andi = 2,
        Assign = 3,
        Maximumf = 4,
        Maxnumf = 5,
        Maxs = 6,
        Maxu = 7,
        Minimumf = 8,
        Minnumf = 9,
        Mins = 10,
        Minu = 11,
        Mulf = 12,
        Muli = 13,
        Ori = 14,
        Xori = 15,
    }
}

crate::ops::rows::operations! {
    Alloc alloc "memref.alloc"
        { memref_type OneType dynamic_sizes Variadic symbol_operands Variadic }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments true false
        [0 dynamic_sizes Variadic 1 symbol_operands Variadic] [0 memref One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    Alloca alloca "memref.alloca"
        { memref_type OneType dynamic_sizes Variadic symbol_operands Variadic }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments true false
        [0 dynamic_sizes Variadic 1 symbol_operands Variadic] [0 memref One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    AllocaScope alloca_scope "memref.alloca_scope"
        { results_type VariadicType }
        {}
        regions 1 infers false segments false false
        [] [0 results Variadic] [0 body_region One] []
        []
    AllocaScopeReturn alloca_scope_return "memref.alloca_scope.return"
        { results Variadic }
        {}
        regions 0 infers false segments false false
        [0 results Variadic] [] [] []
        []
    AssumeAlignment assume_alignment "memref.assume_alignment"
        { memref One alignment ("alignment" IntegerAttr<'ctx>) }
        {}
        regions 0 infers true segments false false
        [0 memref One] [0 result One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    AtomicRmw atomic_rmw "memref.atomic_rmw"
        { kind ("kind" AtomicRMWKind) value One memref One indices Variadic }
        {}
        regions 0 infers true segments false false
        [0 value One 1 memref One 2 indices Variadic] [0 result One] [] []
        [kind "kind" AtomicRMWKind,]
    AtomicYield atomic_yield "memref.atomic_yield"
        { result One }
        {}
        regions 0 infers false segments false false
        [0 result One] [] [] []
        []
    Cast cast "memref.cast"
        { dest_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 dest One] [] []
        []
    CollapseShape collapse_shape "memref.collapse_shape"
        { result_type OneType src One reassociation ("reassociation" ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 src One] [0 result One] [] []
        [reassociation "reassociation" ArrayAttr<'ctx>,]
    Copy copy "memref.copy"
        { source One target One }
        {}
        regions 0 infers false segments false false
        [0 source One 1 target One] [] [] []
        []
    Dealloc dealloc "memref.dealloc"
        { memref One }
        {}
        regions 0 infers false segments false false
        [0 memref One] [] [] []
        []
    Dim dim "memref.dim"
        { source One index One }
        {}
        regions 0 infers true segments false false
        [0 source One 1 index One] [0 result One] [] []
        []
    DistinctObjects distinct_objects "memref.distinct_objects"
        { operands Variadic }
        {}
        regions 0 infers true segments false false
        [0 operands Variadic] [0 results Variadic] [] []
        []
    DmaStart dma_start "memref.dma_start"
        { operands Variadic }
        {}
        regions 0 infers false segments false false
        [0 operands Variadic] [] [] []
        []
    DmaWait dma_wait "memref.dma_wait"
        { tag_mem_ref One tag_indices Variadic num_elements One }
        {}
        regions 0 infers false segments false false
        [0 tag_mem_ref One 1 tag_indices Variadic 2 num_elements One] [] [] []
        []
    ExpandShape expand_shape "memref.expand_shape"
        { result_type OneType src One reassociation ("reassociation" ArrayAttr<'ctx>) output_shape Variadic static_output_shape ("static_output_shape" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 src One 1 output_shape Variadic] [0 result One] [] []
        [reassociation "reassociation" ArrayAttr<'ctx>, static_output_shape "static_output_shape" I64ArrayAttr<'ctx>,]
    ExtractAlignedPointerAsIndex extract_aligned_pointer_as_index "memref.extract_aligned_pointer_as_index"
        { source One }
        {}
        regions 0 infers true segments false false
        [0 source One] [0 aligned_pointer One] [] []
        []
    ExtractStridedMetadata extract_strided_metadata "memref.extract_strided_metadata"
        { source One }
        {}
        regions 0 infers true segments false false
        [0 source One] [0 base_buffer One 1 offset One 2 sizes Variadic 3 strides Variadic] [] []
        []
    GenericAtomicRmw generic_atomic_rmw "memref.generic_atomic_rmw"
        { result_type OneType memref One indices Variadic }
        {}
        regions 1 infers false segments false false
        [0 memref One 1 indices Variadic] [0 result One] [0 atomic_body One] []
        []
    GetGlobal get_global "memref.get_global"
        { result_type OneType name ("name" FlatSymbolRefAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [] [0 result One] [] []
        [name "name" FlatSymbolRefAttr<'ctx>,]
    Global global "memref.global"
        { sym_name ("sym_name" StringAttr<'ctx>) type_ ("type" TypeAttr<'ctx>) }
        { sym_visibility "sym_visibility" StringAttr<'ctx>, initial_value "initial_value" Attribute<'ctx>, constant "constant" UnitAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [] [] [] []
        [sym_name "sym_name" StringAttr<'ctx>, sym_visibility "sym_visibility" StringAttr<'ctx>, type_ "type" TypeAttr<'ctx>, initial_value "initial_value" Attribute<'ctx>, constant "constant" UnitAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>,]
    Load load "memref.load"
        { memref One indices Variadic }
        { nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers true segments false false
        [0 memref One 1 indices Variadic] [0 result One] [] []
        [nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>,]
    MemorySpaceCast memory_space_cast "memref.memory_space_cast"
        { dest_type OneType source One }
        {}
        regions 0 infers false segments false false
        [0 source One] [0 dest One] [] []
        []
    Prefetch prefetch "memref.prefetch"
        { memref One indices Variadic is_write ("isWrite" BoolAttr<'ctx>) locality_hint ("localityHint" IntegerAttr<'ctx>) is_data_cache ("isDataCache" BoolAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 memref One 1 indices Variadic] [] [] []
        [is_write "isWrite" BoolAttr<'ctx>, locality_hint "localityHint" IntegerAttr<'ctx>, is_data_cache "isDataCache" BoolAttr<'ctx>,]
    Rank rank "memref.rank"
        { memref One }
        {}
        regions 0 infers true segments false false
        [0 memref One] [0 result0 One] [] []
        []
    Realloc realloc "memref.realloc"
        { result0_type OneType source One dynamic_result_size Optional }
        { alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 source One 1 dynamic_result_size Optional] [0 result0 One] [] []
        [alignment "alignment" IntegerAttr<'ctx>,]
    ReinterpretCast reinterpret_cast "memref.reinterpret_cast"
        { result_type OneType source One offsets Variadic sizes Variadic strides Variadic static_offsets ("static_offsets" I64ArrayAttr<'ctx>) static_sizes ("static_sizes" I64ArrayAttr<'ctx>) static_strides ("static_strides" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 source One 1 offsets Variadic 2 sizes Variadic 3 strides Variadic] [0 result One] [] []
        [static_offsets "static_offsets" I64ArrayAttr<'ctx>, static_sizes "static_sizes" I64ArrayAttr<'ctx>, static_strides "static_strides" I64ArrayAttr<'ctx>,]
    Reshape reshape "memref.reshape"
        { result_type OneType source One shape One }
        {}
        regions 0 infers false segments false false
        [0 source One 1 shape One] [0 result One] [] []
        []
    Store store "memref.store"
        { value One memref One indices Variadic }
        { nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 value One 1 memref One 2 indices Variadic] [] [] []
        [nontemporal "nontemporal" BoolAttr<'ctx>, alignment "alignment" IntegerAttr<'ctx>,]
    Subview subview "memref.subview"
        { result_type OneType source One offsets Variadic sizes Variadic strides Variadic static_offsets ("static_offsets" I64ArrayAttr<'ctx>) static_sizes ("static_sizes" I64ArrayAttr<'ctx>) static_strides ("static_strides" I64ArrayAttr<'ctx>) }
        {}
        regions 0 infers false segments true false
        [0 source One 1 offsets Variadic 2 sizes Variadic 3 strides Variadic] [0 result One] [] []
        [static_offsets "static_offsets" I64ArrayAttr<'ctx>, static_sizes "static_sizes" I64ArrayAttr<'ctx>, static_strides "static_strides" I64ArrayAttr<'ctx>,]
    Transpose transpose "memref.transpose"
        { result0_type OneType in_ One permutation ("permutation" any) }
        {}
        regions 0 infers false segments false false
        [0 in_ One] [0 result0 One] [] []
        [permutation "permutation" Attribute<'ctx>,]
    View view "memref.view"
        { result0_type OneType source One byte_shift One sizes Variadic }
        {}
        regions 0 infers false segments false false
        [0 source One 1 byte_shift One 2 sizes Variadic] [0 result0 One] [] []
        []
}
