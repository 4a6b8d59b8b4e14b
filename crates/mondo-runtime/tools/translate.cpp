//===-- translate.cpp - mlir-translate ------------------------------------===//
//
// The tool `translate`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tools.h"

#include <functional>

using Translate = mlir::TranslateFromMLIRFunction;
using Register = std::function<void(mlir::DialectRegistry &)>;

// MLIR's translations from MLIR name the dialects that they know, and can know none of a crate or a project. The link
// (`--wrap`, in mondo-link's command.rs) puts these functions before the constructor that registers one. It has two
// names, for objects and for parts of objects, and one body.
#define MONDO_CONSTRUCTOR(before, kind)                                                            \
  __asm__(before "_ZN4mlir29TranslateFromMLIRRegistration" kind                                    \
                 "EN4llvm9StringRefES2_RKSt8functionIFNS1_13LogicalResultEPNS_9OperationE"         \
                 "RNS1_11raw_ostreamEEERKS3_IFvRNS_15DialectRegistryEEE")

extern "C" {
void mondo_registers(void *self, llvm::StringRef name, llvm::StringRef description,
                     const Translate &translate, const Register &dialects)
    MONDO_CONSTRUCTOR("__real_", "C1");
void mondo_object(void *self, llvm::StringRef name, llvm::StringRef description,
                  const Translate &translate, const Register &dialects)
    MONDO_CONSTRUCTOR("__wrap_", "C1");
void mondo_part(void *self, llvm::StringRef name, llvm::StringRef description,
                const Translate &translate, const Register &dialects)
    MONDO_CONSTRUCTOR("__wrap_", "C2");
}

void mondo_object(void *self, llvm::StringRef name, llvm::StringRef description,
                  const Translate &translate, const Register &dialects) {
  mondo_registers(self, name, description, translate, [dialects](mlir::DialectRegistry &registry) {
    dialects(registry);
    mondo::fill(registry);
  });
}

void mondo_part(void *self, llvm::StringRef name, llvm::StringRef description,
                const Translate &translate, const Register &dialects) {
  mondo_object(self, name, description, translate, dialects);
}

int mondo_tool_translate(int argc, char **argv) {
  for (size_t i = 0; i < mondo_tools.translations.length; ++i)
    mondo_tools.translations.first[i]();
  return mondo::exitCode(mlir::mlirTranslateMain(argc, argv, "MLIR Translation Testing Tool"));
}
