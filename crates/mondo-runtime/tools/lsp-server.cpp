//===-- lsp-server.cpp - mlir-lsp-server ----------------------------------===//
//
// The tool `lsp-server`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/IR/DialectRegistry.h"
#include "tools.h"

int mondo_tool_lsp_server(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mondo::fill(registry);
  return mondo::exitCode(mlir::MlirLspServerMain(argc, argv, registry));
}
