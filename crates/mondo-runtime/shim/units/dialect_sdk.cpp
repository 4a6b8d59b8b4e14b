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
#include "shim/dialect_infer.cpp"
#include "shim/dialect_op.cpp"
