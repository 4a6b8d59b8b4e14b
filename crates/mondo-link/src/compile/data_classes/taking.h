// Conversions between the C API and the C++ of types' and attributes' parameters. Generated code includes it.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"

#include <type_traits>

namespace mondo_data {

/// The types and attributes of a dialect can be made once it is loaded.
inline bool loaded(mlir::Location at, llvm::StringRef dialect) {
  if (at.getContext()->getOrLoadDialect(dialect))
    return true;
  mlir::emitError(at) << "the dialect `" << dialect << "` is not in the context's registry";
  return false;
}

/// A type or an attribute of the kind that C++ wants. The one that is not given is the null value.
template <typename Wanted, typename Base>
bool handle(mlir::Location at, llvm::StringRef name, Base given, Wanted &out) {
  if constexpr (std::is_base_of_v<Base, Wanted>) {
    if (!given)
      return true;
    if ((out = llvm::dyn_cast<Wanted>(given)))
      return true;
    mlir::emitError(at) << "the parameter `" << name << "` cannot be " << given;
  } else {
    mlir::emitError(at) << "the parameter `" << name << "` cannot be given";
  }
  return false;
}

template <typename Wanted>
bool take(mlir::Location at, llvm::StringRef name, MlirType given, Wanted &out) {
  return handle(at, name, unwrap(given), out);
}
template <typename Wanted>
bool take(mlir::Location at, llvm::StringRef name, MlirAttribute given, Wanted &out) {
  return handle(at, name, unwrap(given), out);
}
inline bool take(mlir::Location, llvm::StringRef, MlirStringRef given, llvm::StringRef &out) {
  out = unwrap(given);
  return true;
}
inline bool take(mlir::Location, llvm::StringRef, double given, llvm::APFloat &out) {
  out = llvm::APFloat(given);
  return true;
}
template <typename Given, typename Wanted>
std::enable_if_t<std::is_arithmetic_v<Given> && std::is_arithmetic_v<Wanted>, bool>
take(mlir::Location, llvm::StringRef, Given given, Wanted &out) {
  out = static_cast<Wanted>(given);
  return true;
}

/// A value of an enum, by the function that knows its values.
template <typename Wanted, typename Symbolize>
bool choose(mlir::Location at, llvm::StringRef name, int64_t given, Symbolize symbolize, Wanted &out) {
  auto found = symbolize(given);
  if (found && static_cast<int64_t>(*found) == given) {
    out = *found;
    return true;
  }
  mlir::emitError(at) << "the parameter `" << name << "` has no value " << given;
  return false;
}

/// The type or attribute; null for what only has such a name in C++.
template <typename Base, typename Handle, typename Value> Handle handle(Value value) {
  if constexpr (std::is_base_of_v<Base, Value>)
    return wrap(Base(value));
  else
    return Handle{nullptr};
}

inline MlirStringRef give(llvm::StringRef value) { return wrap(value); }
inline double give(llvm::APFloat value) {
  bool loses;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}
template <typename Value>
std::enable_if_t<std::is_arithmetic_v<Value> || std::is_enum_v<Value>, Value> give(Value value) {
  return value;
}

} // namespace mondo_data
