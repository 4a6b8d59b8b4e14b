//===-- units/dialect_sdk.cpp - Dialects in Rust, as one unit -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unity build, as units/ir.cpp is one, of what implements `dialect_sdk.h`. It is a unit of its own, since
// only bundles with a dialect in Rust link it.
//
//===----------------------------------------------------------------------===//

#include "shim/dialect.cpp"
#include "shim/dialect_asm.cpp"
#include "shim/dialect_calls.cpp"
#include "shim/dialect_control_flow.cpp"
#include "shim/dialect_groups.cpp"
#include "shim/dialect_infer.cpp"
#include "shim/dialect_interfaces.cpp"
#include "shim/dialect_models.cpp"
#include "shim/dialect_op.cpp"
#include "shim/dialect_passes.cpp"
#include "shim/dialect_patterns.cpp"
#include "shim/dialect_regions.cpp"
#include "shim/dialect_storage.cpp"
#include "shim/dialect_traits.cpp"
