//===-- pass_names.cpp - Two passes of one name ---------------------------===//
//
// A bundle has the passes of MLIR and those of its projects, and MLIR ends the process that registers two different
// passes under one name. The link (`--wrap`) puts this function before the registration in a bundle with projects:
// the pass that is registered first keeps the name. The bundle registers those of projects before MLIR's.
//
// A unit of its own, since few bundles have it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/TypeID.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdlib>

using namespace mlir;

/// True while the bundle registers its own passes (`bundle_functions.rs`).
extern "C" std::atomic<bool> mondo_registers_passes;

namespace {

struct Known {
  TypeID type;
  std::string name;
};

/// The classes of the registered passes by their names. The map lives as long as the process: passes are
/// registered by the finalizers of no library.
llvm::StringMap<Known> &known() {
  static auto *map = new llvm::StringMap<Known>();
  return *map;
}

/// True if a pass that loses its name is reported. A bundle's own choice was reported as it was made, which this
/// variable asks for.
bool reports() { return !mondo_registers_passes || std::getenv("MONDO_REPORT_PASS_NAMES"); }

} // namespace

// mlir::registerPass, by the names that `--wrap` gives MLIR's own and this one.
void registerInMlir(const PassAllocatorFunction &make) __asm__(
    "__real__ZN4mlir12registerPassERKSt8functionIFSt10unique_ptrINS_4PassESt14default_deleteIS2_EEvEE");
void registerNamed(const PassAllocatorFunction &make) __asm__(
    "__wrap__ZN4mlir12registerPassERKSt8functionIFSt10unique_ptrINS_4PassESt14default_deleteIS2_EEvEE");

void registerNamed(const PassAllocatorFunction &make) {
  const std::unique_ptr<Pass> pass = make();
  const auto [at, isNew] =
      known().try_emplace(pass->getArgument(), Known{pass->getTypeID(), pass->getName().str()});
  if (isNew || at->second.type == pass->getTypeID())
    registerInMlir(make);
  else if (reports())
    llvm::errs() << "mondo: the pass `" << pass->getArgument() << "` of the class " << pass->getName()
                 << " is not registered: the class " << at->second.name
                 << " has registered a pass of this name before\n";
}
