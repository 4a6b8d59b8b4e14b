//===-- Main.cpp - The project's own backend of TableGen ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"

using namespace llvm;

/// Writes the names of the operations as string literals of C.
static bool names(raw_ostream &os, const RecordKeeper &records) {
  for (const Record *op : records.getAllDerivedDefinitions("Tally_Op"))
    os << "\"" << op->getValueAsString("opName") << " \"\n";
  return false;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  return TableGenMain(argv[0], names);
}
