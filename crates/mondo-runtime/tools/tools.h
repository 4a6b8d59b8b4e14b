//===-- tools.h - MLIR's tools over a bundle's contents -------------------===//
//
// One function a tool, each in a file of its own, which is compiled for bundles that have the tool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_TOOLS_TOOLS_H
#define MONDO_TOOLS_TOOLS_H

#include "llvm/Support/LogicalResult.h"

#include "mlir-c/Support.h"

#include <cstddef>

namespace mlir {
class DialectRegistry;
} // namespace mlir

/// The `main` of a tool. `mondo_tool_lsp_server` is that of `lsp-server`.
using ToolMain = int (*)(int argc, char **argv);

/// A global constructor, as the loader calls it.
using Constructor = void (*)(int argc, char **argv, char **environment);

extern "C" {
int mondo_tool_lsp_server(int argc, char **argv);
int mondo_tool_opt(int argc, char **argv);
int mondo_tool_pdll_lsp_server(int argc, char **argv);
int mondo_tool_reduce(int argc, char **argv);
int mondo_tool_tblgen_lsp_server(int argc, char **argv);
int mondo_tool_translate(int argc, char **argv);
}

namespace mondo {

/// An array in the table.
template <typename T> struct List {
  const T *first;
  size_t length;
};

/// The tools of a bundle, in the layout of mondo-link/src/compile/tools.rs.
struct Tools {
  List<MlirStringRef> names;
  List<ToolMain> mains;
  /// For each tool, the global constructors of a program, which are called before its `main`: the first, and the end.
  List<const Constructor *> constructors, constructorsEnd;
  /// Functions that register the translations of the tool `translate`.
  List<void (*)()> translations;
};

/// The exit code of a program's `main`.
inline int exitCode(llvm::LogicalResult result) { return result.failed() ? 1 : 0; }

/// Adds the dialects of the bundle with their interfaces, those for translations among them.
void fill(mlir::DialectRegistry &registry);

} // namespace mondo

extern "C" const mondo::Tools mondo_tools;

#endif // MONDO_TOOLS_TOOLS_H
