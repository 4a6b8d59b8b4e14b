//===-- tblgen-lsp-server.cpp - tblgen-lsp-server -------------------------===//
//
// The tool `tblgen-lsp-server`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/tblgen-lsp-server/TableGenLspServerMain.h"
#include "tools.h"

int mondo_tool_tblgen_lsp_server(int argc, char **argv) {
  return mondo::exitCode(mlir::TableGenLspServerMain(argc, argv));
}
