//===-- registry.cpp - the dialects that tools know -----------------------===//
//
// Fills a registry from the bundle's registration table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mondo.h"

void mondo::fill(mlir::DialectRegistry &registry) {
  mondoRegisterBundle(wrap(&registry));
  // Functions that prepare a context for translations are given one, whose registry is taken over.
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mondoRegisterBundleTranslations(wrap(&context));
  context.getDialectRegistry().appendTo(registry);
}
