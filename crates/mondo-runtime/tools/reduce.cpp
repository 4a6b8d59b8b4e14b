//===-- reduce.cpp - mlir-reduce ------------------------------------------===//
//
// The tool `reduce`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mondo.h"
#include "tools.h"

int mondo_tool_reduce(int argc, char **argv) {
  mondoRegisterBundlePasses();
  mlir::DialectRegistry registry;
  mondo::fill(registry);
  mlir::MLIRContext context(registry);
  return mondo::exitCode(mlir::mlirReduceMain(argc, argv, context));
}
