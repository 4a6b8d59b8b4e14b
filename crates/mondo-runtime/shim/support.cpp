//===-- support.cpp - Versions and fatal errors ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <ios>
#include <mutex>

namespace {

/// LLVM has one handler per process (and asserts on a second): its callback and whether there is
/// one.
struct FatalErrorHandler {
  std::mutex mutex;
  bool installed = false;
  MondoFatalErrorCallback callback = nullptr;
  void *userData = nullptr;
};

FatalErrorHandler &fatalErrorHandler() {
  static FatalErrorHandler handler;
  return handler;
}

/// The handler that LLVM calls. LLVM aborts the process when this returns.
void onFatalError(void *, const char *reason, bool) {
  FatalErrorHandler &handler = fatalErrorHandler();
  MondoFatalErrorCallback callback;
  void *userData;
  {
    std::lock_guard<std::mutex> lock(handler.mutex);
    callback = handler.callback;
    userData = handler.userData;
  }
  if (callback)
    callback(mlirStringRefCreate(reason, std::strlen(reason)), userData);
}

} // namespace

extern "C" MlirStringRef mondoLlvmVersion(void) {
  return mlirStringRefCreateFromCString(LLVM_VERSION_STRING);
}

/// The stub for excluded functions that nothing in the bundle can reach (`unreachable_functions` of
/// the plan).
extern "C" [[noreturn]] void mondoExcluded() {
  llvm::report_fatal_error("a function of MLIR or LLVM was called that this bundle leaves out, as it "
                           "is of use only with what it does not have; where that is a dialect, add it "
                           "(`pdl` for patterns in PDL) to `contents.dialects` of its manifest");
}

extern "C" bool mondoInstallFatalErrorHandler(MondoFatalErrorCallback callback, void *userData) {
  FatalErrorHandler &handler = fatalErrorHandler();
  std::lock_guard<std::mutex> lock(handler.mutex);
  if (handler.installed)
    return false;
  handler.installed = true;
  handler.callback = callback;
  handler.userData = userData;
  llvm::install_fatal_error_handler(onFatalError);
  return true;
}

extern "C" void mondoRemoveFatalErrorHandler(void) {
  FatalErrorHandler &handler = fatalErrorHandler();
  std::lock_guard<std::mutex> lock(handler.mutex);
  if (!handler.installed)
    return;
  llvm::remove_fatal_error_handler();
  handler.installed = false;
  handler.callback = nullptr;
  handler.userData = nullptr;
}

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13
/// Objects of GCC 13 and later that include <iostream> refer to this function, `std::ios_base_library_init`, so that they
/// are linked with a library that initialises the standard streams itself. Older libraries lack it. MLIR's objects
/// include the header and use none of the streams.
extern "C" __attribute__((weak)) void mondoStreamsAreInitialised(void) __asm__("_ZSt21ios_base_library_initv");
extern "C" void mondoStreamsAreInitialised(void) {}
#endif
