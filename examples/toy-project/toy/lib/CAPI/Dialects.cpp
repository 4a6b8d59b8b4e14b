#include "toy-c/Dialects.h"

#include "tick/Tick.h"
#include "toy/Toy.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Toy, toy, toy::ToyDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tick, tick, tick::TickDialect)

bool mlirTypeIsAToyStruct(MlirType type) { return isa<toy::StructType>(unwrap(type)); }

MlirType mlirToyStructTypeGet(MlirContext context, intptr_t count, const MlirType *fields) {
  SmallVector<Type> types;
  return wrap(toy::StructType::get(unwrap(context), unwrapList(count, fields, types)));
}

intptr_t mlirToyStructTypeGetNumFields(MlirType type) {
  return cast<toy::StructType>(unwrap(type)).getFields().size();
}

MlirType mlirToyStructTypeGetField(MlirType type, intptr_t index) {
  return wrap(cast<toy::StructType>(unwrap(type)).getFields()[index]);
}

MlirTypeID mlirToyStructTypeGetTypeID() { return wrap(toy::StructType::getTypeID()); }

intptr_t mlirToyCountParts(MlirOperation operation) {
  auto countable = dyn_cast<toy::CountableOpInterface>(unwrap(operation));
  return countable ? countable.countParts() : -1;
}
