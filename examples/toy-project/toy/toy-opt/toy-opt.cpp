#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "tick/Tick.h"
#include "toy/Passes.h"
#include "toy/Toy.h"

int main(int argc, char **argv) {
  toy::registerToyPasses();
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, mlir::memref::MemRefDialect, tick::TickDialect,
                  toy::ToyDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "toy-opt\n", registry));
}
