#ifndef TICK_OPS
#define TICK_OPS

include "mlir/IR/OpBase.td"

def Tick_Dialect : Dialect {
  let name = "tick";
  let cppNamespace = "::tick";
  let summary = "Time.";
}

def Tick_NowOp : Op<Tick_Dialect, "now"> {
  let summary = "The time now.";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif
