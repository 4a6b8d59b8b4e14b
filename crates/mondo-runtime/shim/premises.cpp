//===-- premises.cpp - What verifiers and printers take for granted -------===//
//
// MLIR verifies an operation before those in it. A verifier that looks into these, or into others, sees
// operations without the attributes, operands and types that their own verifiers ask for. Some verifiers
// and printers do not look at optional parts of their own operation either. Such operations come from text in the
// generic form, from bytecode, and from clients that build operations without a builder.
//
// Each function here is exact: it refuses no operation that MLIR would accept. And each is safe on any operation: it
// reads names, counts, types and attributes, and calls no verifier, interface or accessor of a dialect, which may take for
// granted what nobody has verified yet. A verifier that looks into its operation is called after MLIR has verified what is in
// there (`Inside`).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"
#include "premises_symbols.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Visitors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

using namespace mlir;
using llvm::LogicalResult;

namespace {

//===----------------------------------------------------------------------===//
// Operations that another's verifier looks into
//===----------------------------------------------------------------------===//

/// Operations anywhere in another, of which its verifier takes an operand or a result. It cannot wait for them:
/// their own verifiers take it for verified.
struct Part {
  llvm::StringLiteral outer;
  llvm::StringLiteral inner;
  unsigned operands;
  unsigned results;
};

constexpr Part Parts[] = {
    {"llvm.func", "llvm.landingpad", 0, 1},
    {"llvm.func", "llvm.resume", 1, 0},
    {"spirv.func", "spirv.ReturnValue", 1, 0},
};

LogicalResult verifyParts(Operation *op) {
  const auto check = [op](Operation *inner) {
    for (const Part &part : Parts) {
      if (op->getName().getStringRef() != part.outer ||
          inner->getName().getStringRef() != part.inner)
        continue;
      if (inner->getNumOperands() < part.operands)
        return WalkResult(inner->emitOpError("requires a single operand"));
      if (inner->getNumResults() < part.results)
        return WalkResult(inner->emitOpError("requires one result"));
    }
    return WalkResult::advance();
  };
  return failure(op->walk(check).wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Parts of an operation
//===----------------------------------------------------------------------===//

LogicalResult verifyAwait(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 0)
    return success();
  const Type type = op->getOperand(0).getType();
  if (type.getAbstractType().getName() != "async.value")
    return success();
  return op->emitOpError() << "requires one result, as it awaits " << type;
}

/// MLIR adds the number of buffers to others, in 32 bits, before it compares it.
LogicalResult verifyAttributions(Operation *op) {
  const auto count = op->getAttrOfType<IntegerAttr>("workgroup_attributions");
  if (!count || static_cast<uint32_t>(count.getValue().getSExtValue()) <= INT32_MAX)
    return success();
  return op->emitOpError("unexpected number of region arguments");
}

/// MLIR compares the last 32 bits of an index with the number of a structure's elements, and takes the element by
/// all of them.
LogicalResult verifyPosition(Operation *op) {
  const auto position = op->getAttrOfType<DenseI64ArrayAttr>("position");
  const auto isShort = [](int64_t index) { return index <= int64_t{UINT32_MAX}; };
  if (!position || op->getNumOperands() == 0 || llvm::all_of(position.asArrayRef(), isShort))
    return success();
  Type type = op->getOperand(0).getType();
  for (int64_t index : position.asArrayRef()) {
    const bool isArray = type.getAbstractType().getName() == "llvm.array";
    if (!isArray && type.getAbstractType().getName() != "llvm.struct")
      break;
    if (!isArray && !isShort(index))
      return op->emitOpError("position out of bounds: ") << index;
    llvm::SmallVector<Type> inner;
    type.walkImmediateSubElements([](Attribute) {}, [&](Type it) { inner.push_back(it); });
    const size_t at = isArray ? 0 : static_cast<size_t>(index);
    if (at >= inner.size())
      break;
    type = inner[at];
  }
  return success();
}

/// MLIR divides by the number of elements that fit into 32 bits.
LogicalResult verifyDpas(Operation *op) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return success();
  const auto isFlat = [](Type type) {
    const auto vector = llvm::dyn_cast<VectorType>(type);
    return vector && vector.getRank() == 1;
  };
  const Type right = op->getOperand(1).getType();
  if (!isFlat(op->getOperand(0).getType()) || !isFlat(right) ||
      !isFlat(op->getResult(0).getType()))
    return success();
  const Type element = llvm::cast<VectorType>(right).getElementType();
  if (!element.isIndex() && (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() <= 32))
    return success();
  return op->emitOpError("Expecting B operand to be a multiple of 32 bits.");
}

/// The arrays of a function's attributes have an entry for each of its arguments and results.
LogicalResult verifySpirvFunc(Operation *op) {
  const auto type = op->getAttrOfType<TypeAttr>("function_type");
  const auto all = op->getAttrOfType<ArrayAttr>("arg_attrs");
  const auto function = type ? llvm::dyn_cast<FunctionType>(type.getValue()) : FunctionType();
  if (function && all && all.size() != function.getNumInputs())
    return op->emitOpError() << "expects argument attribute array to have the same number of "
                                "elements as the number of function arguments, got "
                             << all.size() << ", but expected " << function.getNumInputs();
  return verifyParts(op);
}

/// A convolution takes its maps from an attribute that nobody verifies, once they were asked for.
LogicalResult verifyMaps(Operation *op) {
  const std::optional<Attribute> own = op->getInherentAttr("indexing_maps");
  const auto maps = llvm::dyn_cast_or_null<ArrayAttr>(
      own ? *own : op->getAttr("linalg.memoized_indexing_maps"));
  if (!maps || (maps.size() == op->getNumOperands() && llvm::all_of(maps, [](Attribute map) {
                  return llvm::isa_and_nonnull<AffineMapAttr>(map);
                })))
    return success();
  return op->emitOpError() << "expected the number of indexing_map (" << maps.size()
                           << ") to be equal to the number of input/output operands ("
                           << op->getNumOperands() << ")";
}

/// MLIR infers the type of the matrix C and of the result from the first of their registers.
LogicalResult verifyMma(Operation *op) {
  const auto isKnown = [](Type type) {
    while (type && type.getAbstractType().getName() == "llvm.struct") {
      Type first;
      type.walkImmediateSubElements([](Attribute) {}, [&](Type inner) { first = first ? first : inner; });
      type = first;
    }
    const auto vector = llvm::dyn_cast_or_null<VectorType>(type);
    const bool isHalf2 = vector && vector.getElementType().isF16() && !vector.isScalable() &&
                         vector.getShape() == llvm::ArrayRef<int64_t>{2};
    return isHalf2 || (type && (llvm::isa<IntegerType>(type) || type.isF16() || type.isF32() ||
                                type.isF64()));
  };
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes || sizes.size() < 3 || op->getNumResults() == 0)
    return success();
  const int64_t first = int64_t{sizes[0]} + sizes[1];
  if (first < 0 || first >= op->getNumOperands() ||
      (isKnown(op->getOperand(static_cast<unsigned>(first)).getType()) &&
       isKnown(op->getResult(0).getType())))
    return success();
  return op->emitOpError("has a matrix C or a result of a type that no PTX type belongs to");
}

/// A named operation of `linalg` asks its first output for its rank.
LogicalResult verifyNamed(Operation *op) {
  if (op->getNumRegions() == 0 || op->getNumOperands() != 0 || mondo::isNamed(op, "linalg.generic"))
    return success();
  return op->emitOpError("requires an output");
}

/// The identifier that MLIR gives an interface by its name, so that no dialect's header is needed.
struct InterfaceId : private mlir::detail::FallbackTypeIDResolver {
  static TypeID of(llvm::StringRef name) { return registerImplicitTypeID(name); }
};

/// MLIR casts the operations of a loop, without a terminator, to the interface of transformations.
LogicalResult verifyForeach(Operation *op) {
  static const TypeID transformation = InterfaceId::of("mlir::transform::TransformOpInterface");
  // An LLVM with another kind of identifier says nothing here.
  if (!op->getName().hasInterface(transformation))
    return success();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &child : block)
        if (!(&child == &block.back() && child.hasTrait<OpTrait::IsTerminator>()) &&
            !child.getName().hasInterface(transformation))
          return op->emitOpError("expects children ops to implement TransformOpInterface");
  return success();
}

LogicalResult verifyConstrain(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &child : region.getOps())
      if (!child.getDialect())
        return op->emitOpError("ops contained in region should belong to SMT-dialect");
  return success();
}

/// MLIR asks the dialect of each operation in a pattern what it is.
LogicalResult verifyPatterns(Operation *op) {
  const auto isKnown = [](Operation *inner) {
    return inner->getDialect() ? WalkResult::advance() : WalkResult::interrupt();
  };
  for (Region &region : op->getRegions())
    if (region.getRegionNumber() != 0 && region.walk(isKnown).wasInterrupted())
      return op->emitOpError("'patterns' regions may only contain SMT dialect operations");
  return success();
}

/// MLIR asks the dialects of the operations around it what they are, until one is `omp`.
LogicalResult verifyTeams(Operation *op) {
  Operation *outer = op->getParentOp();
  while (outer && outer->getDialect() && outer->getDialect()->getNamespace() != "omp")
    outer = outer->getParentOp();
  if (outer && !outer->getDialect())
    return op->emitOpError("is in an operation that is not registered");
  return mondo::symbols::verifyReductions(op);
}

/// True for the last kind of device, which the verifier of `acc.routine` does not come to.
bool isLastDevice(Attribute device) {
  std::string text;
  llvm::raw_string_ostream(text) << device;
  return llvm::StringRef(text).ends_with("<radeon>");
}

/// A dimension is looked up by the first place of its device.
LogicalResult verifyRoutine(Operation *op) {
  const auto devices = op->getAttrOfType<ArrayAttr>("gangDimDeviceType");
  const auto dims = op->getAttrOfType<ArrayAttr>("gangDim");
  const size_t known = dims ? dims.size() : 0;
  if (!devices || devices.size() <= known)
    return success();
  for (const auto &[place, device] : llvm::enumerate(devices))
    if (place >= known && !isLastDevice(device) &&
        !llvm::is_contained(devices.getValue().take_front(place), device))
      return op->emitOpError("requires attribute 'gangDim' to have an entry for each device type");
  return success();
}

LogicalResult verifyReplicate(Operation *op) {
  const auto value = op->getAttrOfType<ArrayAttr>("value");
  // MLIR refuses another value itself if it has no type.
  if (!value)
    return success();
  Attribute first = value;
  while (const auto array = llvm::dyn_cast_or_null<ArrayAttr>(first))
    first = array.empty() ? Attribute() : array[0];
  if (llvm::isa_and_nonnull<TypedAttr>(first))
    return success();
  return op->emitError("unknown value attribute type");
}

/// MLIR takes an entry of the permutation for each dimension, if all of them are dimensions.
LogicalResult verifyLoad(Operation *op) {
  const auto transpose = op->getAttrOfType<DenseI64ArrayAttr>("transpose");
  const auto type = op->getNumOperands() != 0
                        ? llvm::dyn_cast<ShapedType>(op->getOperand(0).getType())
                        : ShapedType();
  if (!transpose || !type || !type.hasRank() || transpose.size() >= type.getRank())
    return success();
  const auto isDimension = [&](int64_t entry) {
    return static_cast<uint64_t>(entry) < static_cast<uint64_t>(type.getRank());
  };
  if (llvm::all_of(transpose.asArrayRef(), isDimension))
    return op->emitOpError("requires attribute 'transpose' to have an entry for each dimension");
  return success();
}

//===----------------------------------------------------------------------===//
// Printers
//===----------------------------------------------------------------------===//

/// A list of operands for each kind of device has its length, and says if a number is its first.
bool canPrintDevices(Operation *op) {
  const auto devices = op->getAttrOfType<ArrayAttr>("waitOperandsDeviceType");
  if (!devices || devices.empty())
    return true;
  const auto numbers = op->getAttrOfType<ArrayAttr>("hasWaitDevnum");
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>("waitOperandsSegments");
  return numbers && lengths && numbers.size() >= devices.size() &&
         static_cast<size_t>(lengths.size()) >= devices.size();
}

/// The kind of a schedule comes before whatever else is said of it. The operands of chunks are the last group.
bool canPrintSchedule(Operation *op) {
  const auto groups = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  const bool hasChunk = groups && groups.size() > 6 && groups[6] > 0;
  return op->getAttr("schedule_kind") ||
         !(hasChunk || op->getAttr("schedule_mod") || op->getAttr("schedule_simd"));
}

/// True if an array of attributes has an entry for each argument or result, or is missing.
bool covers(Operation *op, llvm::StringRef name, size_t count) {
  const auto array = op->getAttrOfType<ArrayAttr>(name);
  return !array || array.size() >= count;
}

bool canPrintCall(Operation *op) {
  size_t arguments = op->getNumOperands();
  if (const auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
      segments && !segments.empty())
    arguments = static_cast<size_t>(segments[0]);
  // Without a callee, the first argument is one.
  if (arguments != 0 && !op->getAttr("callee") && !op->getAttr("intrin"))
    --arguments;
  return covers(op, "arg_attrs", arguments) && covers(op, "res_attrs", op->getNumResults());
}

/// Without a callee, the printer takes the first operand.
bool canPrintInvoke(Operation *op) {
  const auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  const bool isCalled = op->getAttr("callee") || (segments && !segments.empty() && segments[0] > 0);
  return isCalled && canPrintCall(op);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using namespace mondo::symbols;

constexpr mondo::Time Inside = mondo::Time::After;
constexpr mondo::Time Before = mondo::Time::Before;

constexpr mondo::Premises All[] = {
    // Each comment says what the verifiers or printers of the operations below it access
    // without a check. These take dimensions and operands by the number of a device.
    {"acc.routine", verifyRoutine},
    {"acc.", nullptr, canPrintDevices},
    // It compares the type of a result that a token has not.
    {"async.await", verifyAwait},
    // It asks those in it for their effects, which follow from the types of operands.
    {"emitc.expression", nullptr, nullptr, Inside},
    // They ask the first block for its arguments.
    {"gpu.func", verifyAttributions},
    {"gpu.launch", verifyAttributions},
    // A symbol is looked for in the dialect's parent.
    {"irdl.base", verifyBase},
    {"irdl.parametric", verifyParametric},
    // They take maps by the number of an operand.
    {"linalg.matmul", verifyMaps},
    {"linalg.conv_", verifyMaps},
    {"linalg.depthwise_conv_", verifyMaps},
    {"linalg.pooling_", verifyMaps},
    {"linalg.", verifyNamed},
    // The printers take attributes by the number of an argument.
    {"llvm.call", nullptr, canPrintCall},
    {"llvm.call_intrinsic", nullptr, canPrintCall},
    {"llvm.invoke", nullptr, canPrintInvoke},
    // They take an element by its number.
    {"llvm.extractvalue", verifyPosition},
    {"llvm.insertvalue", verifyPosition},
    // It asks each llvm.landingpad and llvm.resume for its type.
    {"llvm.func", verifyParts},
    // The resolver that is looked up may be missing.
    {"llvm.mlir.ifunc", verifyIFunc},
    // It asks those in it for their effects.
    {"memref.generic_atomic_rmw", nullptr, nullptr, Inside},
    // They infer the type of operands and results.
    {"nvvm.mma.sp.sync", verifyMma},
    {"nvvm.mma.sync", verifyMma},
    // They ask the operations that take a loop which operand it is, and for its variable.
    {"omp.new_cli", verifyLoopInfo},
    {"omp.tile", verifyTile},
    // They look up the declarations of reductions.
    {"omp.teams", verifyTeams},
    {"omp.wsloop", verifyReductions, canPrintSchedule},
    {"omp.", verifyReductions},
    // It asks those in it for the destinations among their operands.
    {"scf.forall.in_parallel", nullptr, nullptr, Inside},
    {"smt.exists", verifyPatterns},
    {"smt.forall", verifyPatterns},
    // They take the last operation of a block.
    {"sparse_tensor.binary", nullptr, nullptr, Inside},
    {"sparse_tensor.reduce", nullptr, nullptr, Inside},
    {"sparse_tensor.select", nullptr, nullptr, Inside},
    {"sparse_tensor.unary", nullptr, nullptr, Inside},
    // It takes the first element of a value.
    {"spirv.EXT.ConstantCompositeReplicate", verifyReplicate},
    // The parser takes whatever comes after a comma for an integer.
    {"spirv.ExecutionMode", nullptr, nullptr, Before, true},
    // The constituents that are looked up may be missing.
    {"spirv.SpecConstantComposite", verifyConstituents},
    // It asks each spirv.ReturnValue for the type of its operand, and arguments for their attributes.
    {"spirv.func", verifySpirvFunc},
    // They ask those in them for their effects.
    {"transform.foreach", verifyForeach, nullptr, Inside},
    {"transform.named_sequence", nullptr, nullptr, Inside},
    {"transform.sequence", nullptr, nullptr, Inside},
    {"transform.with_pdl_patterns", nullptr, nullptr, Inside},
    // It asks the dialect of each operation in it what it is.
    {"transform.smt.constrain_params", verifyConstrain},
    // It asks the sequence for the attributes of an argument for each operand.
    {"transform.include", verifyInclude},
    // It asks the operation in it for the type of its mask.
    {"vector.mask", nullptr, nullptr, Inside},
    // A symbol is looked for in a table that may be missing.
    {"wasmssa.global_get", verifyGlobalGet},
    // It divides by a number that may be 0.
    {"xegpu.dpas", verifyDpas},
    // It takes an entry of a permutation for each dimension.
    {"xegpu.load_nd", verifyLoad},
};

bool isBeginning(llvm::StringRef name) { return name.ends_with("_") || name.ends_with("."); }

} // namespace

const mondo::Premises *mondo::premisesOf(llvm::StringRef name) {
  for (const Premises &premises : All)
    // Most names begin with another letter.
    if (name.front() == premises.name.front() && name.starts_with(premises.name) &&
        (name.size() == premises.name.size() || isBeginning(premises.name)))
      return &premises;
  return nullptr;
}
