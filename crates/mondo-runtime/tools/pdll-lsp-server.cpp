//===-- pdll-lsp-server.cpp - mlir-pdll-lsp-server ------------------------===//
//
// The tool `pdll-lsp-server`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-pdll-lsp-server/MlirPdllLspServerMain.h"
#include "tools.h"

int mondo_tool_pdll_lsp_server(int argc, char **argv) {
  return mondo::exitCode(mlir::MlirPdllLspServerMain(argc, argv));
}
