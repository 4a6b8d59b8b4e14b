//! The dialect `cf`. `tests/typed_operations.rs` writes this table from `mlir/Dialect/ControlFlow/IR/ControlFlowOps.td`.

use crate::uniqued_handles::{DenseIntElementsAttr, I32ArrayAttr, StringAttr};

crate::ops::rows::operations! {
    Assert assert "cf.assert"
        { arg One msg ("msg" StringAttr<'ctx>) }
        {}
        regions 0 infers false segments false false
        [0 arg One] [] [] []
        [msg "msg" StringAttr<'ctx>,]
    Br br "cf.br"
        { dest_operands Variadic dest OneSuccessor }
        {}
        regions 0 infers false segments false false
        [0 dest_operands Variadic] [] [] [0 dest One]
        []
    CondBr cond_br "cf.cond_br"
        { condition One true_dest_operands Variadic false_dest_operands Variadic true_dest OneSuccessor false_dest OneSuccessor }
        { branch_weights "branch_weights" I32ArrayAttr<'ctx>, }
        regions 0 infers false segments true false
        [0 condition One 1 true_dest_operands Variadic 2 false_dest_operands Variadic] [] [] [0 true_dest One 1 false_dest One]
        [branch_weights "branch_weights" I32ArrayAttr<'ctx>,]
    Switch switch "cf.switch"
        { flag One default_operands Variadic case_operands Variadic case_operand_segments ("case_operand_segments" I32ArrayAttr<'ctx>) default_destination OneSuccessor case_destinations VariadicSuccessor }
        { case_values "case_values" DenseIntElementsAttr<'ctx>, }
        regions 0 infers false segments true false
        [0 flag One 1 default_operands Variadic 2 case_operands Variadic] [] [] [0 default_destination One 1 case_destinations Variadic]
        [case_values "case_values" DenseIntElementsAttr<'ctx>, case_operand_segments "case_operand_segments" I32ArrayAttr<'ctx>,]
}
