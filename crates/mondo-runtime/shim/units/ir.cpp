//===-- units/ir.cpp - The parts over MLIR's IR, as one unit --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unity build: reading MLIR's headers takes most of the time that one of these files needs, and
// happens once here. Their names without linkage share one scope.
//
//===----------------------------------------------------------------------===//

#include "shim/attributes.cpp"
#include "shim/bytecode.cpp"
#include "shim/conversion.cpp"
#include "shim/conversion_patterns.cpp"
#include "shim/create.cpp"
#include "shim/extensible.cpp"
#include "shim/hooks.cpp"
#include "shim/hooks_check.cpp"
#include "shim/inference.cpp"
#include "shim/interrupts.cpp"
#include "shim/models.cpp"
#include "shim/nesting.cpp"
#include "shim/parts.cpp"
#include "shim/premises.cpp"
#include "shim/premises_rows.cpp"
#include "shim/premises_loops.cpp"
#include "shim/premises_symbols.cpp"
#include "shim/refusals.cpp"
#include "shim/rewrites.cpp"
#include "shim/structure.cpp"
#include "shim/thread_pool.cpp"
