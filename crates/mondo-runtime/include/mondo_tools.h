//===-- mondo_tools.h - MLIR's tools in the mondo library -----------------===//
//
// Part of the C API of a bundle whose manifest names tools (`contents.tools`).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_TOOLS_H
#define MONDO_TOOLS_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the tool `name` ("opt", "lsp-server") with the arguments of a `main` and returns its exit code.
/// The tool knows the dialects, passes, pipelines and translations of the bundle. It may end the process
/// (`--help` does), handles signals, and changes LLVM's command-line options, of which a process has one
/// set: so it runs once in a process. A second call, and a tool that the bundle does not have, print an
/// error and return MONDO_TOOL_NOT_RUN.
MLIR_CAPI_EXPORTED int mondoToolMain(const char *name, int argc, char **argv);

/// The answer of mondoToolMain if no tool ran: EX_SOFTWARE of sysexits.h, which no tool of MLIR's returns.
enum { MONDO_TOOL_NOT_RUN = 70 };

#ifdef __cplusplus
}
#endif

#endif // MONDO_TOOLS_H
