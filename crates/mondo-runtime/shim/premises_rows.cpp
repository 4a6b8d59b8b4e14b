//===-- premises_rows.cpp - Premises that are a row of a table ------------===//
//
// Verifiers and printers take an operand for each entry of a list, an entry for each operand of a group, or an
// optional attribute, without a look. The places of groups are those of LLVM 22: rows that count operands say nothing
// about other versions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Region.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

using namespace mlir;
using llvm::LogicalResult;
using mondo::Row;

namespace {

/// The place of all operands behind the first `number`, beside the places 0, 1, … of groups.
constexpr int behind(int number) { return -1 - number; }

/// The number of operands at the row's place.
size_t operands(Operation *op, const Row &row) {
  if (row.place < 0) {
    const size_t first = static_cast<size_t>(-1 - row.place);
    return op->getNumOperands() - std::min<size_t>(first, op->getNumOperands());
  }
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes || row.place >= sizes.size() || sizes[row.place] < 0)
    return 0;
  return static_cast<size_t>(sizes[row.place]);
}

/// The length of a list of attributes or of flags; nothing where the attribute is none.
std::optional<size_t> length(Attribute list) {
  if (const auto array = llvm::dyn_cast_or_null<ArrayAttr>(list))
    return array.size();
  if (const auto array = llvm::dyn_cast_or_null<DenseArrayAttr>(list))
    return static_cast<size_t>(array.size());
  return std::nullopt;
}

/// The sum of lengths; one below 0 is more than any operation has.
size_t sum(DenseI32ArrayAttr lengths) {
  size_t all = 0;
  for (int32_t length : lengths.asArrayRef())
    all += length < 0 ? size_t{INT32_MAX} : static_cast<size_t>(length);
  return all;
}

//===----------------------------------------------------------------------===//
// Shapes: what holds for a sound operation
//===----------------------------------------------------------------------===//

bool hasGroups(Operation *op, const Row &row) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  // MLIR says what is wrong with a list of another length, and with more than one operand for `?`.
  if (!sizes || static_cast<size_t>(sizes.size()) != row.attribute.size())
    return true;
  return llvm::all_of(llvm::zip_equal(row.attribute, sizes.asArrayRef()), [](const auto &group) {
    const auto [sign, size] = group;
    return sign == '1' ? size == 1 : sign != '+' || size > 0;
  });
}

/// The number of entries that stand for an operand each.
size_t dynamics(llvm::ArrayRef<int64_t> entries) {
  return static_cast<size_t>(llvm::count(entries, ShapedType::kDynamic));
}

bool hasDynamic(Operation *op, const Row &row) {
  const auto list = op->getAttrOfType<DenseI64ArrayAttr>(row.attribute);
  return !list || dynamics(list.asArrayRef()) <= operands(op, row);
}

#if LLVM_VERSION_MAJOR == 22
/// Where the list is missing, that of the memref's type is taken.
bool hasDynamicOfMemref(Operation *op, const Row &row) {
  const auto memref = op->getNumOperands() != 0
                          ? llvm::dyn_cast<MemRefType>(op->getOperand(0).getType())
                          : MemRefType();
  if (!memref || op->getAttr(row.attribute))
    return hasDynamic(op, row);
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  const bool isShape = row.attribute == "const_shape";
  if (!isShape && failed(memref.getStridesAndOffset(strides, offset)))
    return true;
  const auto list = isShape ? memref.getShape() : llvm::ArrayRef<int64_t>(strides);
  return dynamics(list) <= operands(op, row);
}
#else
constexpr auto hasDynamicOfMemref = hasDynamic;
#endif

bool hasLengths(Operation *op, const Row &row) {
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>(row.attribute);
  return !lengths || sum(lengths) <= operands(op, row);
}

/// In an operation whose operands are in groups, the first successor has a group of its own.
bool hasBranches(Operation *op, const Row &row) {
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>(row.attribute);
  const size_t others = row.place < 0 ? 0 : 1;
  return !lengths ||
         (static_cast<size_t>(lengths.size()) + others >= op->getNumSuccessors() &&
          sum(lengths) <= operands(op, row));
}

bool hasAttribute(Operation *op, const Row &row) {
  return static_cast<bool>(op->getAttr(row.attribute));
}

bool isListed(Operation *op, const Row &row) {
  return operands(op, row) == 0 || hasAttribute(op, row);
}

bool isListedOrGiven(Operation *op, const Row &row) {
  return operands(op, row) != 0 || hasAttribute(op, row);
}

/// The first successor is the default's.
bool hasCases(Operation *op, const Row &row) {
  return op->getNumSuccessors() <= 1 || hasAttribute(op, row);
}

/// The list of devices has the attribute's name and an ending.
bool hasValues(Operation *op, const Row &row) {
  const Attribute devices = op->getAttr((row.attribute + "DeviceType").str());
  return length(devices).value_or(0) == 0 || hasAttribute(op, row);
}

bool isWithin(Operation *op, const Row &row) {
  return length(op->getAttr(row.attribute)).value_or(0) <= operands(op, row);
}

/// The printer reads an operand for each kind, and the list wherever there are operands.
bool hasKinds(Operation *op, const Row &row) { return isWithin(op, row) && isListed(op, row); }

/// A clause has a list of symbols and one of flags, with an entry for each operand, or lacks them.
bool hasClause(Operation *op, const Row &row) {
  const auto covers = [&](llvm::StringRef ending) {
    const auto entries = length(op->getAttr((row.attribute + ending).str()));
    return !entries || *entries >= operands(op, row);
  };
  return covers("_syms") && covers("_byref");
}

/// The first two groups are variables and their allocators.
bool hasAllocators(Operation *op, const Row &) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  return !sizes || sizes.size() < 2 || sizes[0] <= std::max(sizes[1], 0);
}

/// The number is one of the operand's and of the result's dimensions. MLIR says what is wrong with other types.
bool isDimension(Operation *op, const Row &row) {
  const auto number = op->getAttrOfType<IntegerAttr>(row.attribute);
  const auto has = [&](Value value) {
    const auto type = llvm::dyn_cast<ShapedType>(value.getType());
    return !type || !type.hasRank() ||
           number.getValue().ult(static_cast<uint64_t>(type.getRank()));
  };
  return !number || (llvm::all_of(op->getOperands().take_front(1), has) &&
                     llvm::all_of(op->getResults().take_front(1), has));
}

bool hasBody(Operation *op, const Row &) {
  return op->getNumRegions() == 0 || !op->getRegion(0).empty();
}

bool hasArgument(Operation *op, const Row &) {
  return op->getNumRegions() != 0 && op->getRegion(0).getNumArguments() != 0;
}

/// A vector for a vector, and something with a shape for something with a shape. MLIR says what is wrong with the rest.
bool hasResultAlike(Operation *op, const Row &) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return true;
  const Type operand = op->getOperand(0).getType(), result = op->getResult(0).getType();
  if (llvm::isa<VectorType>(operand))
    return llvm::isa<VectorType>(result);
  return !llvm::isa<ShapedType>(operand) || llvm::isa<ShapedType>(result);
}

bool hasVectors(Operation *op, const Row &) {
  const auto isSound = [](Type type) {
    return !llvm::isa<ShapedType>(type) || llvm::isa<VectorType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), isSound) &&
         llvm::all_of(op->getResultTypes(), isSound);
}

bool hasMemorySpace(Operation *op, const Row &) {
  const auto memref = op->getNumOperands() != 0
                          ? llvm::dyn_cast<MemRefType>(op->getOperand(0).getType())
                          : MemRefType();
  return !memref || memref.getMemorySpace();
}

bool hasTensor(Operation *op, const Row &row) {
  const auto elements = llvm::dyn_cast_or_null<ElementsAttr>(op->getAttr(row.attribute));
  return !elements || llvm::isa<TensorType>(elements.getType());
}

/// Each element has a size in bits, by which MLIR compares vectors with memory.
bool hasSizes(Operation *op, const Row &) {
  const auto isSized = [](Type type) {
    while (const auto shaped = llvm::dyn_cast<ShapedType>(type))
      type = shaped.getElementType();
    return llvm::isa<ComplexType, DataLayoutTypeInterface>(type) || type.isIntOrIndexOrFloat();
  };
  return llvm::all_of(op->getOperandTypes(), isSized) && llvm::all_of(op->getResultTypes(), isSized);
}

bool hasText(Operation *op, const Row &row) {
  const auto text = op->getAttrOfType<StringAttr>(row.attribute);
  return !text || !text.getValue().empty();
}

/// No list in the list is empty.
bool hasNested(Operation *op, const Row &row) {
  const auto lists = op->getAttrOfType<ArrayAttr>(row.attribute);
  return !lists || llvm::none_of(lists, [](Attribute list) { return length(list) == 0; });
}

bool hasEntries(Operation *op, const Row &row) {
  const auto list = op->getAttrOfType<ArrayAttr>(row.attribute);
  return !list || list.size() >= static_cast<size_t>(row.place);
}

/// Maps with an operand for each input, besides as many others as the row's place says.
bool hasMaps(Operation *op, const Row &row) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SplitString(row.attribute, names);
  size_t needed = static_cast<size_t>(row.place);
  for (llvm::StringRef name : names) {
    const auto map = op->getAttrOfType<AffineMapAttr>(name);
    if (!map)
      return false;
    needed += map.getValue().getNumInputs();
  }
  return op->getNumOperands() >= needed;
}

/// What holds, and what is said with the attribute's name where it does not.
constexpr mondo::Shape Alike = {
    hasResultAlike, "requires a result that has a shape, as its first operand has one", false};
constexpr mondo::Shape Allocators = {hasAllocators, ""};
constexpr mondo::Shape Argument = {hasArgument, "", false};
constexpr mondo::Shape Body = {hasBody, "requires a block in its body", false};
constexpr mondo::Shape Branches = {
    hasBranches, "requires the number of operands of each successor in"};
constexpr mondo::Shape Cases = {hasCases, "has successors, which require attribute", false};
constexpr mondo::Shape Clause = {hasClause, ""};
constexpr mondo::Shape Dimension = {isDimension, "requires the number of a dimension in", false};
constexpr mondo::Shape Dynamic = {
    hasDynamic, "has fewer operands than there are dynamic entries in"};
constexpr mondo::Shape DynamicOfMemref = {
    hasDynamicOfMemref, "has fewer operands than there are dynamic entries in"};
constexpr mondo::Shape Entries = {hasEntries, "requires more entries in", false};
constexpr mondo::Shape Groups = {
    hasGroups, "operand groups require the sizes (1: one, ?: at most one, +: some, *: any)"};
constexpr mondo::Shape Kinds = {hasKinds, ""};
constexpr mondo::Shape Lengths = {hasLengths, ""};
constexpr mondo::Shape Listed = {isListed, "has operands, which require attribute"};
constexpr mondo::Shape ListedOrGiven = {isListedOrGiven, "", false};
constexpr mondo::Shape Maps = {
    hasMaps, "requires affine maps with an operand for each input:", false};
constexpr mondo::Shape MemorySpace = {hasMemorySpace, "requires a memory space", false};
constexpr mondo::Shape Needed = {hasAttribute, "requires attribute", false};
constexpr mondo::Shape Nested = {hasNested, "requires no empty list in", false};
constexpr mondo::Shape Sized = {hasSizes, "requires elements of types that have a size", false};
constexpr mondo::Shape Tensor = {hasTensor, "requires elements of a tensor in", false};
constexpr mondo::Shape Text = {hasText, "requires a text in", false};
constexpr mondo::Shape Values = {hasValues, ""};
constexpr mondo::Shape Vectors = {hasVectors, "requires vectors rather than tensors", false};
constexpr mondo::Shape Within = {isWithin, ""};

constexpr auto Verifier = mondo::Asks::Verifier;
constexpr auto Printer = mondo::Asks::Printer;
constexpr auto Both = mondo::Asks::Both;

// In the order of the operations' names, so that those of one operation are found at once.
constexpr Row Rows[] = {
    {"acc.attach", Verifier, Groups, "1?**"},
    {"acc.cache", Verifier, Groups, "1?**"},
    {"acc.copyin", Verifier, Groups, "1?**"},
    {"acc.copyout", Verifier, Groups, "11**"},
    {"acc.create", Verifier, Groups, "1?**"},
    {"acc.data", Printer, Lengths, "waitOperandsSegments", 2},
    {"acc.declare_device_resident", Verifier, Groups, "1?**"},
    {"acc.declare_link", Verifier, Groups, "1?**"},
    {"acc.delete", Verifier, Groups, "1**"},
    {"acc.detach", Verifier, Groups, "1**"},
    {"acc.deviceptr", Verifier, Groups, "1?**"},
    {"acc.firstprivate", Verifier, Groups, "1?**"},
    {"acc.firstprivate_map", Verifier, Groups, "1?**"},
    {"acc.getdeviceptr", Verifier, Groups, "1?**"},
    {"acc.kernel_environment", Printer, Lengths, "waitOperandsSegments", 2},
    {"acc.kernels", Verifier, Listed, "asyncOperandsDeviceType", 0},
    {"acc.kernels", Verifier, Listed, "numWorkersDeviceType", 3},
    {"acc.kernels", Verifier, Listed, "vectorLengthDeviceType", 4},
    {"acc.loop", Verifier, Listed, "workerNumOperandsDeviceType", 4},
    {"acc.loop", Verifier, Listed, "vectorOperandsDeviceType", 5},
    {"acc.nocreate", Verifier, Groups, "1?**"},
    {"acc.parallel", Verifier, Listed, "asyncOperandsDeviceType", 0},
    {"acc.parallel", Verifier, Listed, "numWorkersDeviceType", 3},
    {"acc.parallel", Verifier, Listed, "vectorLengthDeviceType", 4},
    {"acc.present", Verifier, Groups, "1?**"},
    {"acc.private", Verifier, Groups, "1?**"},
    {"acc.reduction", Verifier, Groups, "1?**"},
    {"acc.routine", Printer, Values, "bindIdName"},
    {"acc.routine", Printer, Values, "bindStrName"},
    {"acc.routine", Printer, Values, "gangDim"},
    {"acc.serial", Verifier, Listed, "asyncOperandsDeviceType", 0},
    {"acc.update", Verifier, Listed, "asyncOperandsDeviceType", 1},
    {"acc.update_device", Verifier, Groups, "1?**"},
    {"acc.update_host", Verifier, Groups, "11**"},
    {"acc.use_device", Verifier, Groups, "1?**"},
    {"affine.dma_start", Verifier, Maps, "src_map dst_map tag_map", 4},
    {"affine.dma_wait", Verifier, Maps, "tag_map", 1},
    {"affine.dma_wait", Printer, Maps, "tag_map", 2},
    {"affine.parallel", Verifier, Maps, "lowerBoundsMap upperBoundsMap", 0},
    {"amdgpu.fat_raw_buffer_cast", Verifier, Groups, "1??"},
    {"amdgpu.gather_to_lds", Verifier, Groups, "1*1*"},
    {"amdgpu.make_dma_base", Verifier, Groups, "1*1*"},
    {"amdgpu.make_dma_descriptor", Verifier, Groups, "1***?????*???"},
    {"amdgpu.make_dma_descriptor", Verifier, Dynamic, "global_static_sizes", 1},
    {"amdgpu.make_dma_descriptor", Verifier, Dynamic, "global_static_strides", 2},
    {"amdgpu.make_dma_descriptor", Verifier, Dynamic, "shared_static_sizes", 3},
    {"amdgpu.make_gather_dma_base", Verifier, Groups, "1*1*"},
    {"amdgpu.make_gather_dma_descriptor", Verifier, Groups, "11***?????*???"},
    {"amdgpu.make_gather_dma_descriptor", Verifier, Dynamic, "global_static_sizes", 2},
    {"amdgpu.make_gather_dma_descriptor", Verifier, Dynamic, "global_static_strides", 3},
    {"amdgpu.make_gather_dma_descriptor", Verifier, Dynamic, "shared_static_sizes", 4},
    {"amdgpu.packed_trunc_2xfp8", Verifier, Groups, "1??"},
    {"amdgpu.raw_buffer_atomic_cmpswap", Verifier, Groups, "111*?"},
    {"amdgpu.raw_buffer_atomic_fadd", Verifier, Groups, "11*?"},
    {"amdgpu.raw_buffer_atomic_fmax", Verifier, Groups, "11*?"},
    {"amdgpu.raw_buffer_atomic_smax", Verifier, Groups, "11*?"},
    {"amdgpu.raw_buffer_atomic_umin", Verifier, Groups, "11*?"},
    {"amdgpu.raw_buffer_load", Verifier, Groups, "1*?"},
    {"amdgpu.raw_buffer_store", Verifier, Groups, "11*?"},
    {"amx.tile_load", Verifier, Groups, "1*?"},
    {"amx.tile_store", Verifier, Groups, "1*1?"},
    {"arith.select", Verifier, Alike},
    {"arm_sme.fmopa_2way", Verifier, Groups, "11???"},
    {"arm_sme.fmops_2way", Verifier, Groups, "11???"},
    {"arm_sme.intr.read.horiz", Verifier, Alike},
    {"arm_sme.intr.read.vert", Verifier, Alike},
    {"arm_sme.outerproduct", Verifier, Groups, "11???"},
    {"arm_sme.smopa_2way", Verifier, Groups, "11???"},
    {"arm_sme.smopa_4way", Verifier, Groups, "11???"},
    {"arm_sme.smops_2way", Verifier, Groups, "11???"},
    {"arm_sme.smops_4way", Verifier, Groups, "11???"},
    {"arm_sme.sumopa_4way", Verifier, Groups, "11???"},
    {"arm_sme.sumops_4way", Verifier, Groups, "11???"},
    {"arm_sme.tile_load", Verifier, Groups, "1*??"},
    {"arm_sme.tile_store", Verifier, Groups, "11*?"},
    {"arm_sme.umopa_2way", Verifier, Groups, "11???"},
    {"arm_sme.umopa_4way", Verifier, Groups, "11???"},
    {"arm_sme.umops_2way", Verifier, Groups, "11???"},
    {"arm_sme.umops_4way", Verifier, Groups, "11???"},
    {"arm_sme.usmopa_4way", Verifier, Groups, "11???"},
    {"arm_sme.usmops_4way", Verifier, Groups, "11???"},
    {"cf.cond_br", Verifier, Groups, "1**"},
    {"cf.switch", Verifier, Groups, "1**"},
    {"cf.switch", Verifier, Branches, "case_operand_segments", 2},
    {"cf.switch", Verifier, Cases, "case_values"},
    {"gpu.binary", Printer, Needed, "offloadingHandler"},
    {"gpu.create_dn_tensor", Verifier, Groups, "*1*"},
    {"gpu.launch", Verifier, Groups, "*111111????"},
    {"gpu.launch", Verifier, Body},
    {"gpu.launch_func", Verifier, Groups, "*111111????*?"},
    {"gpu.spmm", Verifier, Groups, "*111*"},
    {"irdl.attribute", Verifier, Text, "sym_name"},
    {"irdl.type", Verifier, Text, "sym_name"},
    {"linalg.pack", Verifier, Groups, "11?*"},
    {"linalg.pack", Verifier, Dynamic, "static_inner_tiles", 3},
    {"linalg.unpack", Verifier, Dynamic, "static_inner_tiles", behind(2)},
    {"llvm.atomicrmw", Verifier, Vectors},
    {"llvm.cond_br", Verifier, Groups, "1**"},
    {"llvm.indirectbr", Verifier, Branches, "indbr_operand_segments", behind(1)},
    {"llvm.intr.vector.interleave2", Verifier, Alike},
    {"llvm.switch", Verifier, Groups, "1**"},
    {"llvm.switch", Verifier, Branches, "case_operand_segments", 2},
    {"memref.collapse_shape", Verifier, Nested, "reassociation"},
    {"memref.expand_shape", Verifier, Nested, "reassociation"},
    {"memref.global", Verifier, Tensor, "initial_value"},
    {"memref.reinterpret_cast", Verifier, Groups, "1***"},
    {"memref.subview", Verifier, Groups, "1***"},
    {"nvgpu.device_async_copy", Verifier, Groups, "1*1*?"},
    {"nvgpu.mma.sp.sync", Verifier, Entries, "mmaShape", 3},
    {"nvgpu.mma.sync", Verifier, Entries, "mmaShape", 3},
    {"nvgpu.tma.async.load", Verifier, Groups, "111*1??"},
    {"nvgpu.tma.async.store", Verifier, Groups, "11*?"},
    {"nvvm.cp.async.bulk.global.shared.cta", Verifier, Groups, "111??"},
    {"nvvm.cp.async.bulk.shared.cluster.global", Verifier, Groups, "1111??"},
    {"nvvm.cp.async.bulk.tensor.global.shared.cta", Verifier, Groups, "11*??"},
    {"nvvm.cp.async.bulk.tensor.prefetch", Verifier, Groups, "1**?"},
    {"nvvm.cp.async.bulk.tensor.reduce", Verifier, Groups, "11*?"},
    {"nvvm.cp.async.bulk.tensor.shared.cluster.global", Verifier, Groups, "11*1*???"},
    {"nvvm.mma.block_scale", Verifier, Groups, "***111111"},
    {"nvvm.mma.block_scale", Printer, Groups, "+++111111"},
    {"nvvm.mma.sp.block_scale", Verifier, Groups, "***11111111"},
    {"nvvm.mma.sp.block_scale", Printer, Groups, "+++11111111"},
    {"nvvm.mma.sp.sync", Both, Groups, "+++11"},
    {"nvvm.mma.sp.sync", Verifier, Needed, "multiplicandAPtxType"},
    {"nvvm.mma.sync", Both, Groups, "+++"},
    {"nvvm.mma.sync", Verifier, Needed, "multiplicandAPtxType"},
    {"nvvm.tcgen05.mma", Verifier, Groups, "11111??"},
    {"nvvm.tcgen05.mma.sp", Verifier, Groups, "111111??"},
    {"omp.canonical_loop", Printer, Argument},
    {"omp.declare_mapper", Verifier, Body},
    {"omp.distribute", Printer, Clause, "private", 3},
    {"omp.distribute", Printer, Allocators},
    {"omp.loop", Printer, Clause, "private", 0},
    {"omp.loop", Printer, Clause, "reduction", 1},
    {"omp.map.info", Verifier, Groups, "1?**"},
    {"omp.parallel", Printer, Clause, "private", 4},
    {"omp.parallel", Printer, Clause, "reduction", 5},
    {"omp.parallel", Printer, Allocators},
    {"omp.sections", Printer, Clause, "private", 2},
    {"omp.sections", Printer, Clause, "reduction", 3},
    {"omp.sections", Printer, Allocators},
    {"omp.simd", Printer, Clause, "private", 5},
    {"omp.simd", Printer, Clause, "reduction", 6},
    {"omp.simd", Verifier, Listed, "linear_var_types", 2},
    {"omp.single", Printer, Clause, "private", 3},
    {"omp.single", Printer, Allocators},
    {"omp.target", Printer, Clause, "in_reduction", 7},
    {"omp.target", Printer, Clause, "private", 10},
    {"omp.target", Printer, Kinds, "depend_kinds", 2},
    {"omp.target", Printer, Allocators},
    {"omp.target_allocmem", Verifier, Groups, "1**"},
    {"omp.target_enter_data", Printer, Kinds, "depend_kinds", 0},
    {"omp.target_exit_data", Printer, Kinds, "depend_kinds", 0},
    {"omp.target_update", Printer, Kinds, "depend_kinds", 0},
    {"omp.task", Printer, Clause, "in_reduction", 5},
    {"omp.task", Printer, Clause, "private", 7},
    {"omp.task", Printer, Kinds, "depend_kinds", 2},
    {"omp.task", Printer, Allocators},
    {"omp.taskgroup", Printer, Clause, "task_reduction", 2},
    {"omp.taskgroup", Printer, Allocators},
    {"omp.taskloop", Printer, Clause, "in_reduction", 5},
    {"omp.taskloop", Printer, Clause, "private", 8},
    {"omp.taskloop", Printer, Clause, "reduction", 9},
    {"omp.taskloop", Printer, Allocators},
    {"omp.taskwait", Printer, Kinds, "depend_kinds", behind(0)},
    {"omp.teams", Printer, Clause, "private", 5},
    {"omp.teams", Printer, Clause, "reduction", 6},
    {"omp.teams", Printer, Allocators},
    {"omp.wsloop", Printer, Clause, "private", 4},
    {"omp.wsloop", Printer, Clause, "reduction", 5},
    {"omp.wsloop", Printer, Allocators},
    {"omp.wsloop", Verifier, Listed, "linear_var_types", 2},
    {"pdl.replace", Verifier, Groups, "1?*"},
    {"pdl_interp.create_operation", Printer, Within, "inputAttributeNames", 1},
    {"shard.all_slice", Verifier, Dimension, "slice_axis"},
    {"shard.all_to_all", Verifier, Dimension, "concat_axis"},
    {"shard.all_to_all", Verifier, Dimension, "split_axis"},
    {"shard.broadcast", Verifier, Dynamic, "root", behind(1)},
    {"shard.gather", Verifier, Dynamic, "root", behind(1)},
    {"shard.recv", Verifier, Dynamic, "source", behind(1)},
    {"shard.recv", Printer, Listed, "source", behind(1)},
    {"shard.reduce", Verifier, Dynamic, "root", behind(1)},
    {"shard.reduce_scatter", Verifier, Dimension, "scatter_axis"},
    {"shard.scatter", Verifier, Dynamic, "root", behind(1)},
    {"shard.scatter", Verifier, Dimension, "scatter_axis"},
    {"shard.send", Verifier, Dynamic, "destination", behind(1)},
    {"shard.shard_shape", Verifier, Groups, "*1*"},
    {"shard.shard_shape", Verifier, Dynamic, "device", 2},
    {"shard.shard_shape", Verifier, Dynamic, "dims", 0},
    {"shard.sharding", Verifier, Dynamic, "static_halo_sizes", 1},
    {"shard.sharding", Verifier, Dynamic, "static_sharded_dims_offsets", 0},
    {"shard.update_halo", Verifier, Dynamic, "static_halo_sizes", behind(1)},
    {"sparse_tensor.coiterate", Verifier, Groups, "+*"},
    {"spirv.BranchConditional", Verifier, Groups, "1**"},
    {"spirv.Switch", Verifier, Groups, "1**"},
    {"spirv.Switch", Verifier, Branches, "case_operand_segments", 2},
    {"spirv.Switch", Verifier, Cases, "literals"},
    {"tensor.collapse_shape", Verifier, Nested, "reassociation"},
    {"tensor.concat", Verifier, Dimension, "dim"},
    {"tensor.expand_shape", Verifier, Nested, "reassociation"},
    {"tensor.extract_slice", Verifier, Groups, "1***"},
    {"tensor.insert_slice", Verifier, Groups, "11***"},
    {"tensor.pad", Verifier, Groups, "1**"},
    {"tensor.pad", Verifier, Dynamic, "static_high", 2},
    {"tensor.pad", Verifier, Dynamic, "static_low", 1},
    {"tensor.parallel_insert_slice", Verifier, Groups, "11***"},
    {"transform.structured.fuse", Verifier, Groups, "1**"},
    {"transform.structured.fuse", Verifier, Dynamic, "static_tile_interchange", 2},
    {"transform.structured.fuse", Verifier, Dynamic, "static_tile_sizes", 1},
    {"transform.structured.fuse", Printer, Listed, "static_tile_sizes", 1},
    {"transform.structured.fuse", Printer, Listed, "static_tile_interchange", 2},
    {"transform.structured.pack", Verifier, Dynamic, "static_packed_sizes", behind(1)},
    {"transform.structured.pad", Verifier, Dynamic, "static_pad_to_multiple_of", behind(1)},
    {"transform.structured.pad", Printer, Listed, "static_pad_to_multiple_of", behind(1)},
    {"transform.structured.pad_tiling_interface", Verifier, Dynamic, "static_padding_sizes", behind(1)},
    {"transform.structured.pad_tiling_interface", Printer, Listed, "static_padding_sizes", behind(1)},
    {"transform.structured.tile_using_for", Verifier, Dynamic, "static_sizes", behind(1)},
    {"transform.structured.tile_using_for", Printer, Needed, "static_sizes"},
    {"transform.structured.tile_using_for", Printer, Needed, "scalable_sizes"},
    {"transform.structured.tile_using_forall", Verifier, Groups, "1**??"},
    {"transform.structured.tile_using_forall", Verifier, Dynamic, "static_num_threads", 1},
    {"transform.structured.tile_using_forall", Verifier, Dynamic, "static_tile_sizes", 2},
    {"transform.structured.vectorize", Verifier, Dynamic, "static_vector_sizes", behind(1)},
    {"transform.structured.vectorize", Printer, Listed, "static_vector_sizes", behind(1)},
    {"transform.structured.vectorize", Printer, Listed, "scalable_sizes", behind(1)},
    {"transform.xegpu.convert_layout", Verifier, Groups, "1******"},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_input_inst_data", 3},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_input_sg_data", 2},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_input_sg_layout", 1},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_target_inst_data", 6},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_target_sg_data", 5},
    {"transform.xegpu.convert_layout", Verifier, Dynamic, "static_target_sg_layout", 4},
    {"transform.xegpu.convert_layout", Printer, Needed, "static_input_sg_layout"},
    {"transform.xegpu.convert_layout", Printer, Needed, "static_input_sg_data"},
    {"transform.xegpu.convert_layout", Printer, Needed, "static_target_sg_layout"},
    {"transform.xegpu.convert_layout", Printer, Needed, "static_target_sg_data"},
    {"transform.xegpu.insert_prefetch", Printer, ListedOrGiven, "static_nb_prefetch", behind(1)},
    {"transform.xegpu.set_desc_layout", Verifier, Groups, "1***"},
    {"transform.xegpu.set_desc_layout", Verifier, Dynamic, "static_inst_data", 3},
    {"transform.xegpu.set_desc_layout", Verifier, Dynamic, "static_sg_data", 2},
    {"transform.xegpu.set_desc_layout", Verifier, Dynamic, "static_sg_layout", 1},
    {"transform.xegpu.set_desc_layout", Printer, Needed, "static_sg_layout"},
    {"transform.xegpu.set_desc_layout", Printer, Needed, "static_sg_data"},
    {"transform.xegpu.set_gpu_launch_threads", Verifier, Dynamic, "static_threads", behind(1)},
    {"transform.xegpu.set_gpu_launch_threads", Printer, Needed, "static_threads"},
    {"transform.xegpu.set_op_layout_attr", Verifier, Groups, "1***"},
    {"transform.xegpu.set_op_layout_attr", Verifier, Dynamic, "static_inst_data", 3},
    {"transform.xegpu.set_op_layout_attr", Verifier, Dynamic, "static_sg_data", 2},
    {"transform.xegpu.set_op_layout_attr", Verifier, Dynamic, "static_sg_layout", 1},
    {"transform.xegpu.set_op_layout_attr", Printer, Needed, "static_sg_layout"},
    {"transform.xegpu.set_op_layout_attr", Printer, Needed, "static_sg_data"},
    {"vector.extract", Verifier, Dynamic, "static_position", behind(1)},
    {"vector.insert", Verifier, Dynamic, "static_position", behind(2)},
    {"vector.transfer_read", Verifier, Groups, "1*1?"},
    {"vector.transfer_read", Verifier, Sized},
    {"vector.transfer_write", Verifier, Groups, "11*?"},
    {"vector.transfer_write", Verifier, Sized},
    {"xegpu.create_mem_desc", Verifier, MemorySpace},
    {"xegpu.create_nd_tdesc", Verifier, Groups, "1***"},
    {"xegpu.create_nd_tdesc", Verifier, DynamicOfMemref, "const_shape", 2},
    {"xegpu.create_nd_tdesc", Verifier, DynamicOfMemref, "const_strides", 3},
    {"xegpu.create_nd_tdesc", Verifier, Dynamic, "const_offsets", 1},
    {"xegpu.create_nd_tdesc", Printer, Listed, "const_shape", 2},
    {"xegpu.create_nd_tdesc", Printer, Listed, "const_strides", 3},
    {"xegpu.load_nd", Verifier, Dynamic, "const_offsets", behind(1)},
    {"xegpu.prefetch_nd", Verifier, Dynamic, "const_offsets", behind(1)},
    {"xegpu.store_nd", Verifier, Dynamic, "const_offsets", behind(2)},
    {"xegpu.update_nd_offset", Verifier, Dynamic, "const_offsets", behind(1)},
};

} // namespace

llvm::ArrayRef<Row> mondo::rowsOf(llvm::StringRef name) {
  const auto isBefore = [](const Row &row, llvm::StringRef other) { return row.op < other; };
  const Row *first = llvm::lower_bound(Rows, name, isBefore);
  const Row *end = first;
  while (end != std::end(Rows) && end->op == name)
    ++end;
  return {first, end};
}

static bool holds(Operation *op, const Row &row, mondo::Asks asks) {
  const bool isAsked = row.asks == asks || row.asks == mondo::Asks::Both;
  const bool isKnown = LLVM_VERSION_MAJOR == 22 || !row.shape.counts;
  return !isAsked || !isKnown || row.shape.holds(op, row);
}

LogicalResult mondo::verifyRows(Operation *op, llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    if (holds(op, row, Asks::Verifier))
      continue;
    InFlightDiagnostic error = op->emitOpError(row.shape.error);
    return row.attribute.empty() ? error : error << " '" << row.attribute << "'";
  }
  return success();
}

bool mondo::canPrintRows(Operation *op, llvm::ArrayRef<Row> rows) {
  return llvm::all_of(rows, [op](const Row &row) { return holds(op, row, Asks::Printer); });
}
