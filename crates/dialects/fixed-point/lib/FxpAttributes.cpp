//===-- FxpAttributes.cpp - Constants and modes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Literal.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace fxp;
using llvm::APFloat;
using llvm::APInt;

#include "fxp/FxpEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fxp/FxpAttributes.cpp.inc"

void FxpDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fxp/FxpAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ValueAttr
//===----------------------------------------------------------------------===//

LogicalResult ValueAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type type,
                                APInt raw) {
  NumType num = ::fxp::getNumType(type);
  if (!num || !isa<NumType, VectorType, RankedTensorType>(type))
    return emitError() << "a fixed-point constant has a type '!fxp.num' or a vector or tensor of "
                          "it, not "
                       << type;
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
    return emitError() << "a fixed-point constant has a static shape, which " << type
                       << " does not have";
  if (raw.getBitWidth() != num.getWidth())
    return emitError() << "the raw integer of a constant of " << num << " has " << num.getWidth()
                       << " bits, not " << raw.getBitWidth();
  return success();
}

NumType ValueAttr::getNumType() { return ::fxp::getNumType(getType()); }

// The type after the colon is not read or written here: MLIR does that for every
// attribute that has a type.

Attribute ValueAttr::parse(AsmParser &parser, Type type) {
  SMLoc loc = parser.getCurrentLocation();
  if (!type) {
    parser.emitError(loc, "expected the constant's type, as in '#fxp.value<1.5> : !fxp.num<…>'");
    return {};
  }
  ValueAttr value;
  if (parser.parseLess() || parseLiteral(parser, [&] { return type; }, value) ||
      parser.parseGreater())
    return {};
  return value;
}

void ValueAttr::print(AsmPrinter &printer) const {
  printer << '<' << decimal(*this) << '>';
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

namespace {
/// A number as it was written, before its type is known.
struct Written {
  bool isRaw = false;
  /// Set for numbers with a point or an exponent.
  std::optional<APFloat> real;
  APInt integer;
};
} // namespace

/// A number with a point at the start of a text, as MLIR's lexer finds its end.
static StringRef spelling(const char *text) {
  const char *end = text;
  auto skipDigits = [&] {
    while (llvm::isDigit(*end))
      ++end;
  };
  skipDigits();
  if (*end == '.')
    ++end;
  skipDigits();
  const char *sign = end + 1;
  if ((*end == 'e' || *end == 'E') &&
      (llvm::isDigit(*sign) || ((*sign == '+' || *sign == '-') && llvm::isDigit(sign[1])))) {
    end = sign + 1;
    skipDigits();
  }
  return StringRef(text, end - text);
}

static ParseResult parseWritten(AsmParser &parser, Written &written) {
  written.isRaw = succeeded(parser.parseOptionalKeyword("raw"));
  SMLoc loc = parser.getCurrentLocation();
  bool isNegative = succeeded(parser.parseOptionalMinus());
  // Integers to MLIR's parser.
  if (succeeded(parser.parseOptionalKeyword("true")) ||
      succeeded(parser.parseOptionalKeyword("false")))
    return parser.emitError(loc, "expected a number");
  OptionalParseResult integer = parser.parseOptionalInteger(written.integer);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    if (isNegative && written.integer.isNegative())
      return parser.emitError(loc, "expected one minus sign");
    if (isNegative)
      written.integer.negate();
    return success();
  }
  if (written.isRaw)
    return parser.emitError(loc, "expected the raw integer");
  // The parser reads numbers as doubles, whose 53 bits are too few for numbers of
  // 64: it checks the syntax only, and the number is read again from its text.
  const char *text = parser.getCurrentLocation().getPointer();
  double checked;
  if (parser.parseFloat(checked))
    return failure();
  APFloat real(APFloat::IEEEquad());
  llvm::consumeError(
      real.convertFromString(spelling(text), APFloat::rmNearestTiesToEven).takeError());
  if (isNegative)
    real.changeSign();
  written.real = real;
  return success();
}

/// Refuses a number that the type does not have, and says which are near.
static LogicalResult refuse(AsmParser &parser, SMLoc loc, NumType type, const APInt &nearest,
                            bool isOutOfRange) {
  if (isOutOfRange)
    return parser.emitError(loc, "the constant is out of the range of ")
           << type << ", from " << toDecimal(Exact::of(type.getMin(), type)) << " to "
           << toDecimal(Exact::of(type.getMax(), type));
  return parser.emitError(loc, "the constant is not a number of ")
         << type << ", which has " << type.getFrac() << " bits behind the point; the nearest is "
         << toDecimal(Exact::of(nearest, type));
}

ParseResult fxp::parseLiteral(AsmParser &parser, function_ref<Type()> parseType,
                              ValueAttr &value) {
  SMLoc loc = parser.getCurrentLocation();
  Written written;
  if (parseWritten(parser, written))
    return failure();
  Type type = parseType();
  if (!type)
    return failure();
  NumType num = getNumType(type);
  if (!num)
    return parser.emitError(loc, "a fixed-point constant has a type '!fxp.num' or a vector or "
                                 "tensor of it, not ")
           << type;

  APInt raw;
  if (written.real) {
    raw = fitFloat(*written.real, num, Rounding::NearestEven, Overflow::Saturate);
    APFloat back = toFloat(Exact::of(raw, num), APFloat::IEEEquad());
    if (back.compare(*written.real) != APFloat::cmpEqual) {
      bool isOutOfRange = raw == num.getMin()   ? *written.real < back
                          : raw == num.getMax() ? *written.real > back
                                                : false;
      return refuse(parser, loc, num, raw, isOutOfRange);
    }
  } else {
    Exact exact = {written.integer, written.isRaw ? num.getFrac() : 0};
    if (!has(num, exact))
      return refuse(parser, loc, num, raw, /*isOutOfRange=*/true);
    raw = fit(exact, num, Rounding::Floor, Overflow::Wrap);
  }
  value = parser.getChecked<ValueAttr>(loc, type, raw);
  return success(value != nullptr);
}

llvm::SmallString<32> fxp::decimal(ValueAttr value) {
  return toDecimal(Exact::of(value.getRaw(), value.getNumType()));
}
