//===-- properties.h - The properties of operations, by LLVM --------------===//
//
// LLVM 23 refers to an operation's properties with their type, older versions without. The shim is written with the
// newer name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PROPERTIES_H
#define MONDO_PROPERTIES_H

#include "llvm/Config/llvm-config.h"
#include "mlir/IR/OperationSupport.h"

namespace mondo {

#if LLVM_VERSION_MAJOR < 23
using PropertyRef = mlir::OpaqueProperties;
/// Refers to no properties.
inline PropertyRef noProperties() { return PropertyRef(nullptr); }
#else
using PropertyRef = mlir::PropertyRef;
/// Refers to no properties.
inline PropertyRef noProperties() { return PropertyRef(); }
#endif

} // namespace mondo

#endif // MONDO_PROPERTIES_H
