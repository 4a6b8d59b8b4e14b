#ifndef TOY_PASSES
#define TOY_PASSES

include "mlir/Pass/PassBase.td"

def ToyForwardFields : Pass<"toy-forward-fields"> {
  let summary = "Replaces a value of a struct by what the struct was made of";
}

def ToyStamp : Pass<"toy-stamp"> {
  let summary = "Gives each toy.make an attribute: the checksum of its struct type";
}

#endif
