//===-- translate.cpp - mlir-translate ------------------------------------===//
//
// The tool `translate`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "tools.h"

int mondo_tool_translate(int argc, char **argv) {
  for (size_t i = 0; i < mondo_tools.translations.length; ++i)
    mondo_tools.translations.first[i]();
  return mondo::exitCode(mlir::mlirTranslateMain(argc, argv, "MLIR Translation Testing Tool"));
}
