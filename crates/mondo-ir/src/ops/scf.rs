//! The dialect `scf`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/SCF/IR/SCFOps.td`.

use crate::uniqued_handles::{ArrayAttr, I64ArrayAttr, UnitAttr};

crate::ops::rows::operations! {
    Condition condition "scf.condition"
        { condition One args Variadic }
        {}
        regions 0 infers false segments false false
        [0 condition One 1 args Variadic] [] [] []
        []
    ExecuteRegion execute_region "scf.execute_region"
        { result0_type VariadicType }
        { no_inline "no_inline" UnitAttr<'ctx>, }
        regions 1 infers false segments false false
        [] [0 result0 Variadic] [0 region One] []
        [no_inline "no_inline" UnitAttr<'ctx>,]
    For for_ "scf.for"
        { results_type VariadicType lower_bound One upper_bound One step One init_args Variadic }
        { unsigned_cmp "unsignedCmp" UnitAttr<'ctx>, }
        regions 1 infers false segments false false
        [0 lower_bound One 1 upper_bound One 2 step One 3 init_args Variadic] [0 results Variadic] [0 region One] []
        [unsigned_cmp "unsignedCmp" UnitAttr<'ctx>,]
    Forall forall "scf.forall"
        { results_type VariadicType dynamic_lower_bound Variadic dynamic_upper_bound Variadic dynamic_step Variadic static_lower_bound ("staticLowerBound" I64ArrayAttr<'ctx>) static_upper_bound ("staticUpperBound" I64ArrayAttr<'ctx>) static_step ("staticStep" I64ArrayAttr<'ctx>) outputs Variadic }
        { mapping "mapping" ArrayAttr<'ctx>, }
        regions 1 infers false segments true false
        [0 dynamic_lower_bound Variadic 1 dynamic_upper_bound Variadic 2 dynamic_step Variadic 3 outputs Variadic] [0 results Variadic] [0 region One] []
        [static_lower_bound "staticLowerBound" I64ArrayAttr<'ctx>, static_upper_bound "staticUpperBound" I64ArrayAttr<'ctx>, static_step "staticStep" I64ArrayAttr<'ctx>, mapping "mapping" ArrayAttr<'ctx>,]
    ForallInParallel forall_in_parallel "scf.forall.in_parallel"
        {}
        {}
        regions 1 infers false segments false false
        [] [] [0 region One] []
        []
    If if_ "scf.if"
        { results_type VariadicType condition One }
        {}
        regions 2 infers false segments false false
        [0 condition One] [0 results Variadic] [0 then_region One 1 else_region One] []
        []
    IndexSwitch index_switch "scf.index_switch"
        { results_type VariadicType arg One cases ("cases" I64ArrayAttr<'ctx>) case_regions_count Regions }
        {}
        regions 1 infers false segments false false
        [0 arg One] [0 results Variadic] [0 default_region One 1 case_regions Variadic] []
        [cases "cases" I64ArrayAttr<'ctx>,]
    Parallel parallel "scf.parallel"
        { results_type VariadicType lower_bound Variadic upper_bound Variadic step Variadic init_vals Variadic }
        {}
        regions 1 infers false segments true false
        [0 lower_bound Variadic 1 upper_bound Variadic 2 step Variadic 3 init_vals Variadic] [0 results Variadic] [0 region One] []
        []
    Reduce reduce "scf.reduce"
        { operands Variadic reductions_count Regions }
        {}
        regions 0 infers false segments false false
        [0 operands Variadic] [] [0 reductions Variadic] []
        []
    ReduceReturn reduce_return "scf.reduce.return"
        { result One }
        {}
        regions 0 infers false segments false false
        [0 result One] [] [] []
        []
    While while_ "scf.while"
        { results_type VariadicType inits Variadic }
        {}
        regions 2 infers false segments false false
        [0 inits Variadic] [0 results Variadic] [0 before_ One 1 after_ One] []
        []
    Yield yield_ "scf.yield"
        { results Variadic }
        {}
        regions 0 infers false segments false false
        [0 results Variadic] [] [] []
        []
}
