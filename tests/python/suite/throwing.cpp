// An exception that a callback throws reaches who called MLIR's C API, where the frames between have
// unwind tables: `throwing <scenario>` prints what it caught.

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>

static void thrower() { throw std::runtime_error("out of a callback"); }

static MlirModule parse(MlirContext context, const char *text) {
  return mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
}

static void walk(MlirContext context) {
  MlirModule module = parse(context, "module {}");
  auto callback = [](MlirOperation, void *) -> MlirWalkResult {
    thrower();
    return MlirWalkResultAdvance;
  };
  mlirOperationWalk(mlirModuleGetOperation(module), callback, nullptr, MlirWalkPreOrder);
}

static void print(MlirContext context) {
  MlirModule module = parse(context, "module {}");
  auto callback = [](MlirStringRef, void *) { thrower(); };
  mlirOperationPrint(mlirModuleGetOperation(module), callback, nullptr);
}

static void diagnostic(MlirContext context) {
  auto callback = [](MlirDiagnostic, void *) -> MlirLogicalResult {
    thrower();
    return mlirLogicalResultSuccess();
  };
  mlirContextAttachDiagnosticHandler(context, callback, nullptr, nullptr);
  parse(context, "module {");
}

static void pass(MlirContext context) {
  mlirContextEnableMultithreading(context, false);
  MlirModule module = parse(context, "module {}");
  MlirExternalPassCallbacks callbacks = {};
  callbacks.construct = callbacks.destruct = [](void *) {};
  callbacks.clone = [](void *data) { return data; };
  callbacks.run = [](MlirOperation, MlirExternalPass, void *) { thrower(); };
  MlirStringRef name = mlirStringRefCreateFromCString("throwing");
  MlirTypeID id = mlirTypeIDAllocatorAllocateTypeID(mlirTypeIDAllocatorCreate());
  MlirPass external =
      mlirCreateExternalPass(id, name, name, name, mlirStringRefCreate(nullptr, 0), 0, nullptr, callbacks, nullptr);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(manager, external);
  mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(MlirContext);
  } scenarios[] = {{"walk", walk}, {"print", print}, {"diagnostic", diagnostic}, {"pass", pass}};
  for (const auto &scenario : scenarios)
    if (argc == 2 && !std::strcmp(argv[1], scenario.name)) {
      try {
        scenario.run(mlirContextCreate());
      } catch (const std::exception &error) {
        // The exception has skipped destructors, so that no cleanup is possible: the process ends
        // at once.
        std::printf("caught: %s\n", error.what());
        std::fflush(stdout);
        std::_Exit(0);
      }
    }
  return 1;
}
