//===-- mondo.h - C API of the mondo runtime ------------------------------===//
//
// What the mondo library has beside the C API of MLIR. The conventions are those of mlir-c.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_H
#define MONDO_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the mondo runtime, e.g. "0.1.0". The string is static.
MLIR_CAPI_EXPORTED MlirStringRef mondoRuntimeVersion(void);

/// The version of the LLVM that the library was made from, e.g. "22.1.8". The string is static.
MLIR_CAPI_EXPORTED MlirStringRef mondoLlvmVersion(void);

/// Adds every dialect of the bundle, and the extensions that come with them, to the registry.
MLIR_CAPI_EXPORTED void mondoRegisterBundle(MlirDialectRegistry registry);

/// Registers every pass of the bundle with the global pass registry. Only the first call in a
/// process does anything; a call that finds another one under way waits for it.
MLIR_CAPI_EXPORTED void mondoRegisterBundlePasses(void);

/// Registers the bundle's translations (to LLVM IR) with the context.
MLIR_CAPI_EXPORTED void mondoRegisterBundleTranslations(MlirContext context);

/// The number of dialects that the bundle was made with.
MLIR_CAPI_EXPORTED intptr_t mondoBundleDialectCount(void);

/// The name of a dialect of the bundle; they are sorted. The string is static. Empty if `index` is
/// out of range.
MLIR_CAPI_EXPORTED MlirStringRef mondoBundleDialectName(intptr_t index);

/// Receives the reason of a fatal error of LLVM, before the process aborts.
typedef void (*MondoFatalErrorCallback)(MlirStringRef reason, void *userData);

/// Installs the handler that LLVM calls when it meets a state it cannot go on from (it aborts the
/// process after the call). Returns false, and changes nothing, if one is installed already.
MLIR_CAPI_EXPORTED bool
mondoInstallFatalErrorHandler(MondoFatalErrorCallback callback, void *userData);

/// Removes the handler; does nothing if there is none.
MLIR_CAPI_EXPORTED void mondoRemoveFatalErrorHandler(void);

#ifdef __cplusplus
}
#endif

#endif // MONDO_H
