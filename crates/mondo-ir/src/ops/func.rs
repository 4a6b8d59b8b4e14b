//! The dialect `func`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/Func/IR/FuncOps.td`.

use crate::uniqued_handles::{ArrayAttr, FlatSymbolRefAttr, StringAttr, TypeAttr, UnitAttr};

crate::ops::rows::operations! {
    Call call "func.call"
        { result0_type VariadicType callee ("callee" FlatSymbolRefAttr<'ctx>) operands Variadic }
        { arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>, no_inline "no_inline" UnitAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 operands Variadic] [0 result0 Variadic] [] []
        [callee "callee" FlatSymbolRefAttr<'ctx>, arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>, no_inline "no_inline" UnitAttr<'ctx>,]
    CallIndirect call_indirect "func.call_indirect"
        { results_type VariadicType callee One callee_operands Variadic }
        { arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>, }
        regions 0 infers false segments false false
        [0 callee One 1 callee_operands Variadic] [0 results Variadic] [] []
        [arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>,]
    Constant constant "func.constant"
        { result0_type OneType value ("value" FlatSymbolRefAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [] [0 result0 One] [] []
        [value "value" FlatSymbolRefAttr<'ctx>,]
    Func func "func.func"
        { sym_name ("sym_name" StringAttr<'ctx>) function_type ("function_type" TypeAttr<'ctx>) }
        { sym_visibility "sym_visibility" StringAttr<'ctx>, arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>, no_inline "no_inline" UnitAttr<'ctx>, }
        regions 1 infers false segments false false
        [] [] [0 body One] []
        [sym_name "sym_name" StringAttr<'ctx>, function_type "function_type" TypeAttr<'ctx>, sym_visibility "sym_visibility" StringAttr<'ctx>, arg_attrs "arg_attrs" ArrayAttr<'ctx>, res_attrs "res_attrs" ArrayAttr<'ctx>, no_inline "no_inline" UnitAttr<'ctx>,]
    Return return_ "func.return"
        { operands Variadic }
        {}
        regions 0 infers false segments false false
        [0 operands Variadic] [] [] []
        []
}
