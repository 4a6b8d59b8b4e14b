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
#include "premises_lists.h"
#include "premises_symbols.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Visitors.h"

#include <cstddef>
#include <cstdint>

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

LogicalResult has(Operation *op, llvm::StringRef attribute) {
  if (op->getAttr(attribute))
    return success();
  return op->emitOpError() << "requires attribute '" << attribute << "'";
}

/// The inputs of an operation's affine map. Fails where the attribute is none.
FailureOr<size_t> inputsOf(Operation *op, llvm::StringRef attribute) {
  if (auto map = op->getAttrOfType<AffineMapAttr>(attribute))
    return size_t{map.getValue().getNumInputs()};
  return op->emitOpError() << "requires attribute '" << attribute << "' to be an affine map";
}

/// Says that an operation has less operands than `needed`, if so.
LogicalResult hasOperands(Operation *op, size_t needed) {
  if (op->getNumOperands() >= needed)
    return success();
  return op->emitOpError() << "has " << op->getNumOperands() << " operands, but its maps need "
                           << needed;
}

LogicalResult verifyDmaStart(Operation *op) {
  // A memref before the operands of each map, and the number of elements.
  size_t needed = 4;
  for (llvm::StringRef map : {"src_map", "dst_map", "tag_map"}) {
    const FailureOr<size_t> inputs = inputsOf(op, map);
    if (failed(inputs))
      return failure();
    needed += *inputs;
  }
  return hasOperands(op, needed);
}

LogicalResult verifyDmaWait(Operation *op) {
  const FailureOr<size_t> inputs = inputsOf(op, "tag_map");
  // After the memref.
  return failed(inputs) ? failure() : hasOperands(op, *inputs + 1);
}

LogicalResult verifyAffineParallel(Operation *op) {
  size_t needed = 0;
  for (llvm::StringRef map : {"lowerBoundsMap", "upperBoundsMap"}) {
    // MLIR reports a missing map before it looks into it.
    if (!op->getAttrOfType<AffineMapAttr>(map))
      return success();
    needed += *inputsOf(op, map);
  }
  return hasOperands(op, needed);
}

LogicalResult verifyAwait(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 0)
    return success();
  const Type type = op->getOperand(0).getType();
  if (type.getAbstractType().getName() != "async.value")
    return success();
  return op->emitOpError() << "requires one result, as it awaits " << type;
}

LogicalResult verifySwitch(Operation *op) {
  // The first successor is the default's.
  if (op->getNumSuccessors() > 1 && failed(has(op, "case_values")))
    return failure();
  return mondo::lists::verifyBranches(op);
}

LogicalResult verifySpirvSwitch(Operation *op) {
  if (op->getNumSuccessors() > 1 && failed(has(op, "literals")))
    return failure();
  return mondo::lists::verifyBranches(op);
}

/// MLIR adds the number of buffers to others, in 32 bits, before it compares it.
LogicalResult verifyAttributions(Operation *op) {
  const auto count = op->getAttrOfType<IntegerAttr>("workgroup_attributions");
  if (!count || static_cast<uint32_t>(count.getValue().getSExtValue()) <= INT32_MAX)
    return success();
  return op->emitOpError("unexpected number of region arguments");
}

LogicalResult verifyLaunch(Operation *op) {
  if (op->getNumRegions() != 0 && op->getRegion(0).empty())
    return op->emitOpError("requires a block in its body");
  return verifyAttributions(op);
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

LogicalResult verifyMmaShape(Operation *op) {
  const auto shape = op->getAttrOfType<ArrayAttr>("mmaShape");
  if (!shape || shape.size() >= 3)
    return success();
  return op->emitOpError("requires attribute 'mmaShape' to have 3 entries");
}

LogicalResult verifyReduce(Operation *op) {
  return op->getNumOperands() != 0 ? success() : op->emitOpError("requires an input");
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

LogicalResult mapForEachOperand(Operation *op, ArrayAttr maps) {
  if (maps.size() == op->getNumOperands() &&
      llvm::all_of(maps, [](Attribute map) { return llvm::isa_and_nonnull<AffineMapAttr>(map); }))
    return success();
  return op->emitOpError() << "expected the number of indexing_map (" << maps.size()
                           << ") to be equal to the number of input/output operands ("
                           << op->getNumOperands() << ")";
}

LogicalResult verifyMatmul(Operation *op) {
  const std::optional<Attribute> maps = op->getInherentAttr("indexing_maps");
  const auto array = maps ? llvm::dyn_cast_or_null<ArrayAttr>(*maps) : ArrayAttr();
  return array ? mapForEachOperand(op, array) : success();
}

/// A convolution takes its maps from an attribute that nobody verifies, once they were asked for.
LogicalResult verifyConvolution(Operation *op) {
  const auto maps = op->getAttrOfType<ArrayAttr>("linalg.memoized_indexing_maps");
  return maps ? mapForEachOperand(op, maps) : success();
}

LogicalResult verifyMma(Operation *op) {
  if (!mondo::lists::hasMatrices(op))
    return op->emitOpError("requires operands for each of the matrices A, B and C");
  return has(op, "multiplicandAPtxType");
}

LogicalResult verifyMapper(Operation *op) {
  if (op->getNumRegions() != 0 && op->getRegion(0).empty())
    return op->emitOpError("expected terminator to be a DeclareMapperInfoOp");
  return success();
}

LogicalResult verifyConcat(Operation *op) {
  const auto dim = op->getAttrOfType<IntegerAttr>("dim");
  if (!dim || !dim.getValue().isNegative())
    return success();
  return op->emitOpError("concatenation dim must be less than the tensor rank");
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

//===----------------------------------------------------------------------===//
// Printers
//===----------------------------------------------------------------------===//

/// After the map's operands comes the number of elements.
bool canPrintDmaWait(Operation *op) {
  const auto map = op->getAttrOfType<AffineMapAttr>("tag_map");
  return map && op->getNumOperands() >= map.getValue().getNumInputs() + 2;
}

bool canPrintBinary(Operation *op) { return static_cast<bool>(op->getAttr("offloadingHandler")); }

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

bool canPrintLoop(Operation *op) {
  return op->getNumRegions() != 0 && op->getRegion(0).getNumArguments() != 0;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using namespace mondo::lists;
using namespace mondo::symbols;

constexpr mondo::Time Inside = mondo::Time::After;

constexpr mondo::Premises All[] = {
    // Each comment says what the verifiers or printers of the operations below it access
    // without a check. These take names and dimensions by the number of a device.
    {"acc.routine", verifyRoutine, canPrintRoutine},
    // They take operands, numbers and lengths by the number of a device.
    {"acc.", verifyDevices, canPrintDevices},
    // They take operands from behind those of another map.
    {"affine.dma_start", verifyDmaStart, nullptr},
    {"affine.dma_wait", verifyDmaWait, canPrintDmaWait},
    {"affine.parallel", verifyAffineParallel, nullptr},
    // They take an operand for each dynamic entry.
    {"amdgpu.make_dma_descriptor", verifyMixed, nullptr},
    {"amdgpu.make_gather_dma_descriptor", verifyMixed, nullptr},
    // It compares the type of a result that a token has not.
    {"async.await", verifyAwait, nullptr},
    // It asks the optional values for their type.
    {"cf.switch", verifySwitch, nullptr},
    // It asks those in it for their effects, which follow from the types of operands.
    {"emitc.expression", nullptr, nullptr, Inside},
    // The printer asks an optional attribute for its context.
    {"gpu.binary", nullptr, canPrintBinary},
    // They ask the first block for its arguments.
    {"gpu.func", verifyAttributions, nullptr},
    {"gpu.launch", verifyLaunch, nullptr},
    // A symbol is looked for in the dialect's parent.
    {"irdl.base", verifyBase, nullptr},
    {"irdl.parametric", verifyParametric, nullptr},
    // It takes the first input and the first output.
    {"linalg.reduce", verifyReduce, nullptr},
    // They take maps by the number of an operand.
    {"linalg.matmul", verifyMatmul, nullptr},
    {"linalg.conv_", verifyConvolution, nullptr},
    {"linalg.depthwise_conv_", verifyConvolution, nullptr},
    {"linalg.pooling_", verifyConvolution, nullptr},
    // They take an operand for each dynamic tile.
    {"linalg.pack", verifyMixed, nullptr},
    {"linalg.unpack", verifyMixed, nullptr},
    // The printers take attributes by the number of an argument.
    {"llvm.call", nullptr, canPrintCall},
    {"llvm.call_intrinsic", nullptr, canPrintCall},
    {"llvm.invoke", nullptr, canPrintInvoke},
    {"llvm.extractvalue", verifyPosition, nullptr},
    {"llvm.insertvalue", verifyPosition, nullptr},
    // They take operands for each successor.
    {"llvm.indirectbr", verifyBranches, nullptr},
    {"llvm.switch", verifyBranches, nullptr},
    // It asks each llvm.landingpad and llvm.resume for its type.
    {"llvm.func", verifyParts, nullptr},
    // The resolver that is looked up may be missing.
    {"llvm.mlir.ifunc", verifyIFunc, nullptr},
    // They take three sizes.
    {"nvgpu.mma.sp.sync", verifyMmaShape, nullptr},
    {"nvgpu.mma.sync", verifyMmaShape, nullptr},
    // An optional attribute says what the shapes may be, and verifiers and printers take an operand for each matrix.
    {"nvvm.mma.sp.sync", verifyMma, hasMatrices},
    {"nvvm.mma.sync", verifyMma, hasMatrices},
    {"nvvm.mma.", nullptr, hasMatrices},
    // The printer asks the first block for its argument.
    {"omp.canonical_loop", nullptr, canPrintLoop},
    // It takes the last operation of the first block.
    {"omp.declare_mapper", verifyMapper, nullptr},
    // They ask the operations that take a loop which operand it is, and for its variable.
    {"omp.new_cli", verifyLoopInfo, nullptr},
    {"omp.tile", verifyTile, nullptr},
    // They ask an optional list for its length.
    {"omp.simd", verifyLinear, canPrintClauses},
    {"omp.wsloop", verifyLinear, canPrintClauses},
    // The printers take symbols, kinds and allocators by the number of a variable.
    {"omp.", verifyReductions, canPrintClauses},
    // The printer takes an operand for each name.
    {"pdl_interp.create_operation", nullptr, canPrintCreation},
    // It asks those in it for the destinations among their operands.
    {"scf.forall.in_parallel", nullptr, nullptr, Inside},
    // They take an operand for each dynamic entry, and dimensions by their number.
    {"shard.recv", verifyMixed, canPrintReceive},
    {"shard.", verifyAxes, nullptr},
    // They take the last operation of a block.
    {"sparse_tensor.binary", nullptr, nullptr, Inside},
    {"sparse_tensor.reduce", nullptr, nullptr, Inside},
    {"sparse_tensor.select", nullptr, nullptr, Inside},
    {"sparse_tensor.unary", nullptr, nullptr, Inside},
    // It takes the first of the spaces.
    {"sparse_tensor.coiterate", verifySpaces, nullptr},
    // It takes the first element of a value.
    {"spirv.EXT.ConstantCompositeReplicate", verifyReplicate, nullptr},
    // The parser takes whatever comes after a comma for an integer.
    {"spirv.ExecutionMode", nullptr, nullptr, mondo::Time::Before, true},
    // The constituents that are looked up may be missing.
    {"spirv.SpecConstantComposite", verifyConstituents, nullptr},
    {"spirv.Switch", verifySpirvSwitch, nullptr},
    // It asks each spirv.ReturnValue for the type of its operand, and arguments for their attributes.
    {"spirv.func", verifySpirvFunc, nullptr},
    // It takes a dimension by its number.
    {"tensor.concat", verifyConcat, nullptr},
    // They take an operand for each dynamic entry.
    {"tensor.pad", verifyMixed, nullptr},
    {"transform.structured.fuse", verifyMixed, canPrintFuse},
    {"transform.structured.pack", verifyMixed, nullptr},
    {"transform.structured.pad", verifyMixed, canPrintPad},
    {"transform.structured.pad_tiling_interface", verifyMixed, nullptr},
    {"transform.structured.tile_using_for", verifyMixed, nullptr},
    {"transform.structured.tile_using_forall", verifyMixed, nullptr},
    {"transform.structured.vectorize", verifyMixed, nullptr},
    // The printers have no form without these lists.
    {"transform.xegpu.convert_layout", verifyMixed, canPrintConversion},
    {"transform.xegpu.insert_prefetch", nullptr, canPrintPrefetch},
    {"transform.xegpu.set_desc_layout", verifyMixed, canPrintLayout},
    {"transform.xegpu.set_gpu_launch_threads", verifyMixed, canPrintThreads},
    {"transform.xegpu.set_op_layout_attr", verifyMixed, canPrintLayout},
    // They ask those in them for their effects.
    {"transform.foreach", verifyForeach, nullptr, Inside},
    {"transform.named_sequence", nullptr, nullptr, Inside},
    {"transform.sequence", nullptr, nullptr, Inside},
    {"transform.with_pdl_patterns", nullptr, nullptr, Inside},
    // It asks the dialect of each operation in it what it is.
    {"transform.smt.constrain_params", verifyConstrain, nullptr},
    // It asks the sequence for the attributes of an argument for each operand.
    {"transform.include", verifyInclude, nullptr},
    // They take an operand for each dynamic entry.
    {"vector.extract", verifyMixed, nullptr},
    {"vector.insert", verifyMixed, nullptr},
    // It asks the operation in it for the type of its mask.
    {"vector.mask", nullptr, nullptr, Inside},
    // It takes an operand for each dynamic entry, and the printer has no form without these lists.
    {"xegpu.create_nd_tdesc", verifyDescriptor, canPrintDescriptor},
    // It divides by a number that may be 0.
    {"xegpu.dpas", verifyDpas, nullptr},
    // They take an operand for each dynamic entry.
    {"xegpu.load_nd", verifyLoad, nullptr},
    {"xegpu.prefetch_nd", verifyMixed, nullptr},
    {"xegpu.store_nd", verifyMixed, nullptr},
    {"xegpu.update_nd_offset", verifyMixed, nullptr},
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
