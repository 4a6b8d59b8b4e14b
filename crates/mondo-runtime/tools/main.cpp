//===-- main.cpp - runs one of a bundle's tools ---------------------------===//
//
// Implements mondo_tools.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo_tools.h"
#include "tools.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstring>

/// The `main` of a tool, or null.
static ToolMain find(const char *name) {
  const mondo::List<MlirStringRef> &names = mondo_tools.names;
  for (size_t i = 0; i < names.length; ++i) {
    const MlirStringRef &one = names.first[i];
    if (std::strlen(name) == one.length && std::memcmp(one.data, name, one.length) == 0)
      return mondo_tools.mains.first[i];
  }
  return nullptr;
}

int mondoToolMain(const char *name, int argc, char **argv) {
  ToolMain main = find(name);
  if (!main) {
    std::fprintf(stderr, "error: mondoToolMain(\"%s\"): this bundle has no such tool; it has", name);
    const mondo::List<MlirStringRef> &names = mondo_tools.names;
    for (size_t i = 0; i < names.length; ++i)
      std::fprintf(stderr, " %.*s", int(names.first[i].length), names.first[i].data);
    std::fprintf(stderr, "; name it in contents.tools of the manifest\n");
    return MONDO_TOOL_NOT_RUN;
  }
  // A tool instantiates LLVM's options and shuts LLVM's global objects down when it returns. A second one
  // would register options twice, for which LLVM ends the process.
  static bool ran = false;
  if (__atomic_exchange_n(&ran, true, __ATOMIC_RELAXED)) {
    std::fprintf(stderr,
                 "error: mondoToolMain(\"%s\"): a tool already ran in this process, and LLVM has one set of "
                 "command-line options for each; start another process\n",
                 name);
    return MONDO_TOOL_NOT_RUN;
  }
  int code = main(argc, argv);
  // The caller may leave the process without the destructors that would do this.
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  return code;
}
