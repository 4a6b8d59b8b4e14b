//===-- opt.cpp - mlir-opt ------------------------------------------------===//
//
// The tool `opt`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/IR/DialectRegistry.h"
#include "mondo.h"
#include "tools.h"

int mondo_tool_opt(int argc, char **argv) {
  mondoRegisterBundlePasses();
  mlir::DialectRegistry registry;
  mondo::fill(registry);
  return mondo::exitCode(
      mlir::MlirOptMain(argc, argv, "MLIR modular optimizer driver\n", registry));
}
