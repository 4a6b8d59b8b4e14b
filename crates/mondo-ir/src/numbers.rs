//! The numbers of the C API's enumerations, in the order in which Python has their members.

use mondo_sys::{
    MLIR_GREEDY_REWRITE_STRICTNESS_ANY_OP, MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_AND_NEW_OPS,
    MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_OPS, MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_AGGRESSIVE,
    MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED, MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_NORMAL,
    MLIR_PASS_DISPLAY_MODE_LIST, MLIR_PASS_DISPLAY_MODE_PIPELINE, MlirDiagnosticError,
    MlirDiagnosticNote, MlirDiagnosticRemark, MlirDiagnosticWarning, MlirWalkPostOrder,
    MlirWalkPreOrder, MlirWalkResultAdvance, MlirWalkResultInterrupt, MlirWalkResultSkip,
};

/// Errors, warnings, notes, remarks.
pub const SEVERITIES: [u32; 4] = [
    MlirDiagnosticError,
    MlirDiagnosticWarning,
    MlirDiagnosticNote,
    MlirDiagnosticRemark,
];

/// Operations before what is in them, or after it.
pub const WALK_ORDERS: [u32; 2] = [MlirWalkPreOrder, MlirWalkPostOrder];

/// A walk goes on, ends, or leaves out what is inside.
pub const WALK_RESULTS: [u32; 3] = [
    MlirWalkResultAdvance,
    MlirWalkResultInterrupt,
    MlirWalkResultSkip,
];

/// A greedy rewrite visits all operations, the old and the new ones of its scope, or the old ones.
pub const GREEDY_STRICTNESS: [u32; 3] = [
    MLIR_GREEDY_REWRITE_STRICTNESS_ANY_OP,
    MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_AND_NEW_OPS,
    MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_OPS,
];

/// A greedy rewrite simplifies no regions, simplifies them, or merges blocks as well.
pub const REGION_LEVELS: [u32; 3] = [
    MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED,
    MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_NORMAL,
    MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_AGGRESSIVE,
];

/// A conversion folds operations never, before it tries patterns, or after that: mondo's own numbers.
pub const FOLDING_MODES: [u32; 3] = [0, 1, 2];

/// Statistics as a list, or as the nested pipeline.
pub const PASS_DISPLAY_MODES: [u32; 2] =
    [MLIR_PASS_DISPLAY_MODE_LIST, MLIR_PASS_DISPLAY_MODE_PIPELINE];
