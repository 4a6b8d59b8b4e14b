//===-- premises_lists.cpp - Lists that have to agree with operands -------===//
//
// The places of groups of operands are those of LLVM 22. Other versions have other ones, and
// nothing is asked there.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises_lists.h"
#include "premises_symbols.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace mlir;
using llvm::LogicalResult;

namespace {

constexpr bool Known = LLVM_VERSION_MAJOR == 22;

/// The number of operands in a group.
size_t group(Operation *op, size_t number) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes || number >= static_cast<size_t>(sizes.size()) || sizes[number] < 0)
    return 0;
  return static_cast<size_t>(sizes[number]);
}

//===----------------------------------------------------------------------===//
// Dynamic entries
//===----------------------------------------------------------------------===//

/// A list of numbers, and the operands that its dynamic entries are taken from.
struct Mixed {
  llvm::StringLiteral op;
  llvm::StringLiteral list;
  /// Either a group, or all operands behind the first `number`.
  enum { Group, Behind } where;
  size_t number;
};

constexpr Mixed Lists[] = {
    {"amdgpu.make_dma_descriptor", "global_static_sizes", Mixed::Group, 1},
    {"amdgpu.make_dma_descriptor", "global_static_strides", Mixed::Group, 2},
    {"amdgpu.make_dma_descriptor", "shared_static_sizes", Mixed::Group, 3},
    {"amdgpu.make_gather_dma_descriptor", "global_static_sizes", Mixed::Group, 2},
    {"amdgpu.make_gather_dma_descriptor", "global_static_strides", Mixed::Group, 3},
    {"amdgpu.make_gather_dma_descriptor", "shared_static_sizes", Mixed::Group, 4},
    {"linalg.pack", "static_inner_tiles", Mixed::Group, 3},
    {"linalg.unpack", "static_inner_tiles", Mixed::Behind, 2},
    {"shard.broadcast", "root", Mixed::Behind, 1},
    {"shard.gather", "root", Mixed::Behind, 1},
    {"shard.recv", "source", Mixed::Behind, 1},
    {"shard.reduce", "root", Mixed::Behind, 1},
    {"shard.scatter", "root", Mixed::Behind, 1},
    {"shard.send", "destination", Mixed::Behind, 1},
    {"shard.shard_shape", "device", Mixed::Group, 2},
    {"shard.shard_shape", "dims", Mixed::Group, 0},
    {"shard.sharding", "static_halo_sizes", Mixed::Group, 1},
    {"shard.sharding", "static_sharded_dims_offsets", Mixed::Group, 0},
    {"shard.update_halo", "static_halo_sizes", Mixed::Behind, 1},
    {"tensor.pad", "static_high", Mixed::Group, 2},
    {"tensor.pad", "static_low", Mixed::Group, 1},
    {"transform.structured.fuse", "static_tile_interchange", Mixed::Group, 2},
    {"transform.structured.fuse", "static_tile_sizes", Mixed::Group, 1},
    {"transform.structured.pack", "static_packed_sizes", Mixed::Behind, 1},
    {"transform.structured.pad", "static_pad_to_multiple_of", Mixed::Behind, 1},
    {"transform.structured.pad_tiling_interface", "static_padding_sizes", Mixed::Behind, 1},
    {"transform.structured.tile_using_for", "static_sizes", Mixed::Behind, 1},
    {"transform.structured.tile_using_forall", "static_num_threads", Mixed::Group, 1},
    {"transform.structured.tile_using_forall", "static_tile_sizes", Mixed::Group, 2},
    {"transform.structured.vectorize", "static_vector_sizes", Mixed::Behind, 1},
    {"transform.xegpu.convert_layout", "static_input_inst_data", Mixed::Group, 3},
    {"transform.xegpu.convert_layout", "static_input_sg_data", Mixed::Group, 2},
    {"transform.xegpu.convert_layout", "static_input_sg_layout", Mixed::Group, 1},
    {"transform.xegpu.convert_layout", "static_target_inst_data", Mixed::Group, 6},
    {"transform.xegpu.convert_layout", "static_target_sg_data", Mixed::Group, 5},
    {"transform.xegpu.convert_layout", "static_target_sg_layout", Mixed::Group, 4},
    {"transform.xegpu.set_desc_layout", "static_inst_data", Mixed::Group, 3},
    {"transform.xegpu.set_desc_layout", "static_sg_data", Mixed::Group, 2},
    {"transform.xegpu.set_desc_layout", "static_sg_layout", Mixed::Group, 1},
    {"transform.xegpu.set_gpu_launch_threads", "static_threads", Mixed::Behind, 1},
    {"transform.xegpu.set_op_layout_attr", "static_inst_data", Mixed::Group, 3},
    {"transform.xegpu.set_op_layout_attr", "static_sg_data", Mixed::Group, 2},
    {"transform.xegpu.set_op_layout_attr", "static_sg_layout", Mixed::Group, 1},
    {"vector.extract", "static_position", Mixed::Behind, 1},
    {"vector.insert", "static_position", Mixed::Behind, 2},
    {"xegpu.create_nd_tdesc", "const_offsets", Mixed::Group, 1},
    {"xegpu.load_nd", "const_offsets", Mixed::Behind, 1},
    {"xegpu.prefetch_nd", "const_offsets", Mixed::Behind, 1},
    {"xegpu.store_nd", "const_offsets", Mixed::Behind, 2},
    {"xegpu.update_nd_offset", "const_offsets", Mixed::Behind, 1},
};

size_t operandsOf(Operation *op, const Mixed &mixed) {
  if (mixed.where == Mixed::Group)
    return group(op, mixed.number);
  const size_t all = op->getNumOperands();
  return all < mixed.number ? 0 : all - mixed.number;
}

/// The number of entries that stand for an operand each.
size_t dynamics(llvm::ArrayRef<int64_t> entries) {
  return static_cast<size_t>(llvm::count(entries, ShapedType::kDynamic));
}

LogicalResult covered(Operation *op, llvm::StringRef list, size_t entries, size_t operands) {
  if (entries <= operands)
    return success();
  return op->emitOpError() << "has " << operands << " operands for the " << entries
                           << " dynamic entries of '" << list << "'";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The lengths of the lists of operands for successors. In an operation whose operands are in groups, the first
/// successor is another one's.
constexpr Mixed Branching[] = {
    {"cf.switch", "case_operand_segments", Mixed::Group, 2},
    {"llvm.indirectbr", "indbr_operand_segments", Mixed::Behind, 1},
    {"llvm.switch", "case_operand_segments", Mixed::Group, 2},
    {"spirv.Switch", "case_operand_segments", Mixed::Group, 2},
};

//===----------------------------------------------------------------------===//
// OpenACC
//===----------------------------------------------------------------------===//

/// A group of operands of which each is for a device of a list.
struct ForDevices {
  llvm::StringLiteral op;
  size_t group;
  llvm::StringLiteral devices;
  /// Its name in MLIR's errors.
  llvm::StringLiteral clause;
};

constexpr ForDevices Devices[] = {
    {"acc.kernels", 0, "asyncOperandsDeviceType", "async"},
    {"acc.kernels", 3, "numWorkersDeviceType", "num_workers"},
    {"acc.kernels", 4, "vectorLengthDeviceType", "vector_length"},
    {"acc.loop", 4, "workerNumOperandsDeviceType", "worker"},
    {"acc.loop", 5, "vectorOperandsDeviceType", "vector"},
    {"acc.parallel", 0, "asyncOperandsDeviceType", "async"},
    {"acc.parallel", 3, "numWorkersDeviceType", "num_workers"},
    {"acc.parallel", 4, "vectorLengthDeviceType", "vector_length"},
    {"acc.serial", 0, "asyncOperandsDeviceType", "async"},
    {"acc.update", 1, "asyncOperandsDeviceType", "async"},
};

/// The operations whose verifiers do not compare the operands of `wait` with their lengths.
constexpr ForDevices Waiting[] = {
    {"acc.data", 2, "waitOperandsSegments", "wait"},
    {"acc.kernel_environment", 2, "waitOperandsSegments", "wait"},
};

/// True if there are as many operands as the lengths of all devices' lists ask for.
bool hasWaitOperands(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  return llvm::all_of(Waiting, [&](const ForDevices &waiting) {
    const auto lengths = Known && waiting.op == name
                             ? op->getAttrOfType<DenseI32ArrayAttr>(waiting.devices)
                             : DenseI32ArrayAttr();
    int64_t sum = 0;
    for (int32_t one : lengths ? lengths.asArrayRef() : llvm::ArrayRef<int32_t>())
      sum += one < 0 ? int64_t{INT32_MAX} : int64_t{one};
    return sum <= static_cast<int64_t>(group(op, waiting.group));
  });
}

size_t length(Operation *op, llvm::StringRef list) {
  const auto array = op->getAttrOfType<ArrayAttr>(list);
  return array ? array.size() : 0;
}

/// True for the last kind of device, which the verifier of `acc.routine` does not come to.
bool isLastDevice(Attribute device) {
  std::string text;
  llvm::raw_string_ostream(text) << device;
  return llvm::StringRef(text).ends_with("<radeon>");
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// An attribute with the number of a dimension, which the operand and the result must have.
struct Axis {
  llvm::StringLiteral op;
  llvm::StringLiteral number;
};

constexpr Axis Axes[] = {
    {"shard.all_slice", "slice_axis"},         {"shard.all_to_all", "concat_axis"},
    {"shard.all_to_all", "split_axis"},        {"shard.reduce_scatter", "scatter_axis"},
    {"shard.scatter", "scatter_axis"},
};

bool hasDimension(Value value, const llvm::APInt &number) {
  const auto type = llvm::dyn_cast<ShapedType>(value.getType());
  // MLIR says what is wrong with other types.
  return !type || !type.hasRank() || number.ult(static_cast<uint64_t>(type.getRank()));
}

//===----------------------------------------------------------------------===//
// OpenMP
//===----------------------------------------------------------------------===//

/// A group of operands and a list that has an entry for each of them, or is missing.
struct Clause {
  llvm::StringLiteral op;
  size_t group;
  llvm::StringLiteral list;
};

constexpr Clause Symbols[] = {
    {"omp.distribute", 3, "private_syms"},
    {"omp.loop", 0, "private_syms"},
    {"omp.loop", 1, "reduction_syms"},
    {"omp.parallel", 4, "private_syms"},
    {"omp.parallel", 5, "reduction_syms"},
    {"omp.sections", 2, "private_syms"},
    {"omp.sections", 3, "reduction_syms"},
    {"omp.simd", 5, "private_syms"},
    {"omp.simd", 6, "reduction_syms"},
    {"omp.single", 3, "private_syms"},
    {"omp.target", 7, "in_reduction_syms"},
    {"omp.target", 10, "private_syms"},
    {"omp.task", 5, "in_reduction_syms"},
    {"omp.task", 7, "private_syms"},
    {"omp.taskgroup", 2, "task_reduction_syms"},
    {"omp.taskloop", 5, "in_reduction_syms"},
    {"omp.taskloop", 8, "private_syms"},
    {"omp.taskloop", 9, "reduction_syms"},
    {"omp.teams", 5, "private_syms"},
    {"omp.teams", 6, "reduction_syms"},
    {"omp.wsloop", 4, "private_syms"},
    {"omp.wsloop", 5, "reduction_syms"},
};

/// The flags of reductions, which have an entry for each operand of the group or are missing.
constexpr Clause References[] = {
    {"omp.loop", 1, "reduction_byref"},      {"omp.parallel", 5, "reduction_byref"},
    {"omp.sections", 3, "reduction_byref"},  {"omp.simd", 6, "reduction_byref"},
    {"omp.target", 7, "in_reduction_byref"}, {"omp.task", 5, "in_reduction_byref"},
    {"omp.taskgroup", 2, "task_reduction_byref"}, {"omp.taskloop", 5, "in_reduction_byref"},
    {"omp.taskloop", 9, "reduction_byref"},  {"omp.teams", 6, "reduction_byref"},
    {"omp.wsloop", 5, "reduction_byref"},
};

/// The operations whose first two groups are allocated variables and their allocators.
constexpr llvm::StringLiteral Allocating[] = {
    "omp.distribute", "omp.parallel",  "omp.sections", "omp.single", "omp.target",
    "omp.task",       "omp.taskgroup", "omp.taskloop", "omp.teams",  "omp.wsloop",
};

/// The operations with dependences, which have a kind each.
constexpr Clause Dependences[] = {
    {"omp.target", 2, "depend_kinds"},
    {"omp.target_enter_data", 0, "depend_kinds"},
    {"omp.target_exit_data", 0, "depend_kinds"},
    {"omp.target_update", 0, "depend_kinds"},
    {"omp.task", 2, "depend_kinds"},
};

bool canPrintSymbols(Operation *op, llvm::StringRef name) {
  return llvm::all_of(Symbols, [&](const Clause &clause) {
    const auto symbols =
        clause.op == name ? op->getAttrOfType<ArrayAttr>(clause.list) : ArrayAttr();
    return !symbols || symbols.size() >= group(op, clause.group);
  });
}

bool canPrintReferences(Operation *op, llvm::StringRef name) {
  return llvm::all_of(References, [&](const Clause &clause) {
    const auto flags = clause.op == name ? op->getAttrOfType<DenseBoolArrayAttr>(clause.list)
                                         : DenseBoolArrayAttr();
    return !flags || static_cast<size_t>(flags.size()) >= group(op, clause.group);
  });
}

/// The printer reads an operand for each entry of the list, and the list wherever there are operands: the list must not be
/// the longer one, nor missing beside operands.
bool canPrintKinds(Operation *op, llvm::StringRef list, size_t operands) {
  const auto kinds = op->getAttrOfType<ArrayAttr>(list);
  return kinds ? kinds.size() <= operands : operands == 0;
}

bool canPrintDependences(Operation *op, llvm::StringRef name) {
  if (name == "omp.taskwait")
    return canPrintKinds(op, "depend_kinds", op->getNumOperands());
  return llvm::all_of(Dependences, [&](const Clause &clause) {
    return clause.op != name || canPrintKinds(op, clause.list, group(op, clause.group));
  });
}

/// The kind of a schedule comes before whatever else is said of it.
bool canPrintSchedule(Operation *op, llvm::StringRef name) {
  return name != "omp.wsloop" || op->getAttr("schedule_kind") ||
         (group(op, 6) == 0 && !op->getAttr("schedule_mod") && !op->getAttr("schedule_simd"));
}

} // namespace

/// A list of operands for each kind of device has its length, and says if a number is its first.
bool mondo::lists::canPrintDevices(Operation *op) {
  const auto devices = op->getAttrOfType<ArrayAttr>("waitOperandsDeviceType");
  if (!devices || devices.empty())
    return true;
  const auto numbers = op->getAttrOfType<ArrayAttr>("hasWaitDevnum");
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>("waitOperandsSegments");
  return numbers && lengths && numbers.size() >= devices.size() &&
         static_cast<size_t>(lengths.size()) >= devices.size() && hasWaitOperands(op);
}

LogicalResult mondo::lists::verifyDevices(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  for (const ForDevices &devices : Devices)
    if (Known && devices.op == name && group(op, devices.group) != 0 &&
        !op->getAttr(devices.devices))
      return op->emitOpError() << devices.clause << " operands count must match "
                               << devices.clause << " device_type count";
  return success();
}

LogicalResult mondo::lists::verifyBranches(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  for (const Mixed &branches : Branching) {
    const auto lengths = Known && branches.op == name
                             ? op->getAttrOfType<DenseI32ArrayAttr>(branches.list)
                             : DenseI32ArrayAttr();
    if (!lengths)
      continue;
    const size_t others = branches.where == Mixed::Group ? 1 : 0;
    size_t sum = 0;
    for (int32_t length : lengths.asArrayRef())
      sum += length < 0 ? size_t{INT32_MAX} : static_cast<size_t>(length);
    if (static_cast<size_t>(lengths.size()) + others < op->getNumSuccessors() ||
        sum > operandsOf(op, branches))
      return op->emitOpError() << "requires attribute '" << branches.list
                               << "' to have the number of operands of each successor";
  }
  return success();
}

bool mondo::lists::hasMatrices(Operation *op) {
  return !Known || (group(op, 0) != 0 && group(op, 1) != 0 && group(op, 2) != 0);
}

/// A dimension is looked up by the first place of its device.
LogicalResult mondo::lists::verifyRoutine(Operation *op) {
  const auto devices = op->getAttrOfType<ArrayAttr>("gangDimDeviceType");
  const size_t known = length(op, "gangDim");
  if (!Known || !devices || devices.size() <= known)
    return success();
  for (const auto &[place, device] : llvm::enumerate(devices))
    if (place >= known && !isLastDevice(device) &&
        !llvm::is_contained(devices.getValue().take_front(place), device))
      return op->emitOpError("requires attribute 'gangDim' to have an entry for each device type");
  return success();
}

bool mondo::lists::canPrintRoutine(Operation *op) {
  const auto agree = [op](llvm::StringRef devices, llvm::StringRef list) {
    return length(op, devices) == 0 || op->getAttr(list);
  };
  return !Known || (agree("bindIdNameDeviceType", "bindIdName") &&
                    agree("bindStrNameDeviceType", "bindStrName") &&
                    agree("gangDimDeviceType", "gangDim"));
}

LogicalResult mondo::lists::verifyMixed(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  for (const Mixed &mixed : Lists) {
    const auto entries = Known && mixed.op == name
                             ? op->getAttrOfType<DenseI64ArrayAttr>(mixed.list)
                             : DenseI64ArrayAttr();
    if (entries && failed(covered(op, mixed.list, dynamics(entries.asArrayRef()),
                                  operandsOf(op, mixed))))
      return failure();
  }
  return success();
}

bool mondo::lists::canPrintCreation(Operation *op) {
  return !Known || length(op, "inputAttributeNames") <= group(op, 1);
}

LogicalResult mondo::lists::verifyAxes(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  for (const Axis &axis : Axes) {
    const auto number =
        axis.op == name ? op->getAttrOfType<IntegerAttr>(axis.number) : IntegerAttr();
    if (!number)
      continue;
    const auto isIn = [&](Value value) { return hasDimension(value, number.getValue()); };
    if (!llvm::all_of(op->getOperands().take_front(1), isIn) ||
        !llvm::all_of(op->getResults().take_front(1), isIn))
      return op->emitOpError() << "requires attribute '" << axis.number
                               << "' to be the number of a dimension";
  }
  return verifyMixed(op);
}

bool mondo::lists::canPrintReceive(Operation *op) {
  return !Known || op->getNumOperands() < 2 || op->getAttr("source");
}

LogicalResult mondo::lists::verifyLinear(Operation *op) {
  if (failed(symbols::verifyReductions(op)))
    return failure();
  if (!Known || group(op, 2) == 0 || op->getAttr("linear_var_types"))
    return success();
  return op->emitError("Ill-formed type attributes for linear variables");
}

bool mondo::lists::canPrintClauses(Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  const auto isAllocated = [&] {
    return !llvm::is_contained(Allocating, name) || group(op, 1) >= group(op, 0);
  };
  return !Known || (canPrintSymbols(op, name) && canPrintReferences(op, name) &&
                    canPrintDependences(op, name) && canPrintSchedule(op, name) && isAllocated());
}

LogicalResult mondo::lists::verifySpaces(Operation *op) {
  if (Known && group(op, 0) == 0)
    return op->emitOpError("requires at least one iteration space");
  return success();
}

LogicalResult mondo::lists::verifyReplicate(Operation *op) {
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

bool mondo::lists::canPrintFuse(Operation *op) {
  return !Known || ((group(op, 1) == 0 || op->getAttr("static_tile_sizes")) &&
                    (group(op, 2) == 0 || op->getAttr("static_tile_interchange")));
}

bool mondo::lists::canPrintPad(Operation *op) {
  return !Known || op->getNumOperands() < 2 || op->getAttr("static_pad_to_multiple_of");
}

bool mondo::lists::canPrintLayout(Operation *op) {
  return op->getAttr("static_sg_layout") && op->getAttr("static_sg_data");
}

bool mondo::lists::canPrintConversion(Operation *op) {
  return llvm::all_of(llvm::ArrayRef<llvm::StringRef>{"static_input_sg_layout",
                                                      "static_input_sg_data",
                                                      "static_target_sg_layout",
                                                      "static_target_sg_data"},
                      [op](llvm::StringRef list) { return static_cast<bool>(op->getAttr(list)); });
}

bool mondo::lists::canPrintThreads(Operation *op) {
  return static_cast<bool>(op->getAttr("static_threads"));
}

bool mondo::lists::canPrintPrefetch(Operation *op) {
  return op->getNumOperands() > 1 || op->getAttr("static_nb_prefetch");
}

#if LLVM_VERSION_MAJOR == 22
/// The memref's type has a list that is missing.
LogicalResult mondo::lists::verifyDescriptor(Operation *op) {
  if (op->getNumOperands() == 0)
    return success();
  llvm::SmallVector<int64_t> shape, strides;
  if (const auto memref = llvm::dyn_cast<MemRefType>(op->getOperand(0).getType())) {
    shape.assign(memref.getShape().begin(), memref.getShape().end());
    int64_t offset = 0;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      strides.clear();
  }
  if (const auto given = op->getAttrOfType<DenseI64ArrayAttr>("const_shape"))
    shape.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  if (const auto given = op->getAttrOfType<DenseI64ArrayAttr>("const_strides"))
    strides.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  if (failed(covered(op, "const_shape", dynamics(shape), group(op, 2))) ||
      failed(covered(op, "const_strides", dynamics(strides), group(op, 3))))
    return failure();
  return verifyMixed(op);
}
#else
LogicalResult mondo::lists::verifyDescriptor(Operation *) { return success(); }
#endif

/// MLIR takes an entry of the permutation for each dimension, if all of them are dimensions.
LogicalResult mondo::lists::verifyLoad(Operation *op) {
  const auto transpose = op->getAttrOfType<DenseI64ArrayAttr>("transpose");
  const auto type = op->getNumOperands() != 0
                        ? llvm::dyn_cast<ShapedType>(op->getOperand(0).getType())
                        : ShapedType();
  if (!transpose || !type || !type.hasRank() || transpose.size() >= type.getRank())
    return verifyMixed(op);
  const auto isDimension = [&](int64_t entry) {
    return static_cast<uint64_t>(entry) < static_cast<uint64_t>(type.getRank());
  };
  if (llvm::all_of(transpose.asArrayRef(), isDimension))
    return op->emitOpError("requires attribute 'transpose' to have an entry for each dimension");
  return verifyMixed(op);
}

bool mondo::lists::canPrintDescriptor(Operation *op) {
  return !Known || ((group(op, 2) == 0 || op->getAttr("const_shape")) &&
                    (group(op, 3) == 0 || op->getAttr("const_strides")));
}
