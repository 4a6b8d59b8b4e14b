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
#include <unistd.h>

/// The name of a tool as a function of Python can have it: `lsp_server`.
static char plain(char c) { return c == '-' || c == '.' ? '_' : c; }

/// True for the name of a tool, as its command or as a function of Python.
static bool isCalled(const char *name, const MlirStringRef &tool) {
  if (std::strlen(name) != tool.length)
    return false;
  for (size_t i = 0; i < tool.length; ++i)
    if (plain(name[i]) != plain(tool.data[i]))
      return false;
  return true;
}

/// The place of a tool in the table, or the length of the table.
static size_t find(const char *name) {
  const mondo::List<MlirStringRef> &names = mondo_tools.names;
  size_t at = 0;
  while (at < names.length && !isCalled(name, names.first[at]))
    ++at;
  return at;
}

int mondoToolMain(const char *name, int argc, char **argv) {
  size_t tool = find(name);
  if (tool == mondo_tools.names.length) {
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
  const Constructor *end = mondo_tools.constructorsEnd.first[tool];
  for (const Constructor *one = mondo_tools.constructors.first[tool]; one != end; ++one)
    (*one)(argc, argv, environ);
  int code = mondo_tools.mains.first[tool](argc, argv);
  // The caller may leave the process without the destructors that would do this.
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  return code;
}
