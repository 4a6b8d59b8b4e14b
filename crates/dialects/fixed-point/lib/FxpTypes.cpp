//===-- FxpTypes.cpp - The type of fixed-point numbers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp/Fxp.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fxp;

#define GET_TYPEDEF_CLASSES
#include "fxp/FxpTypes.cpp.inc"

void FxpDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fxp/FxpTypes.cpp.inc"
      >();
}

NumType fxp::getNumType(Type type) { return dyn_cast<NumType>(getElementTypeOrSelf(type)); }

LogicalResult NumType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned width,
                              unsigned frac, bool) {
  if (width < 1 || width > kMaxWidth)
    return emitError() << "a fixed-point number has 1 to " << kMaxWidth << " bits, not " << width;
  if (frac > width)
    return emitError() << "a fixed-point number of " << width << " bits cannot have " << frac
                       << " of them behind the point";
  return success();
}

llvm::APInt NumType::getMin() {
  return getIsSigned() ? llvm::APInt::getSignedMinValue(getWidth())
                       : llvm::APInt::getMinValue(getWidth());
}

llvm::APInt NumType::getMax() {
  return getIsSigned() ? llvm::APInt::getSignedMaxValue(getWidth())
                       : llvm::APInt::getMaxValue(getWidth());
}

Type NumType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned width, frac;
  if (parser.parseLess() || parser.parseInteger(width) || parser.parseComma() ||
      parser.parseInteger(frac) || parser.parseComma())
    return {};
  bool isSigned = succeeded(parser.parseOptionalKeyword("signed"));
  if (!isSigned && failed(parser.parseOptionalKeyword("unsigned"))) {
    parser.emitError(parser.getCurrentLocation(), "expected 'signed' or 'unsigned'");
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<NumType>(loc, parser.getContext(), width, frac, isSigned);
}

void NumType::print(AsmPrinter &printer) const {
  printer << '<' << getWidth() << ", " << getFrac() << ", "
          << (getIsSigned() ? "signed" : "unsigned") << '>';
}
