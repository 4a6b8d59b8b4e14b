//===-- premises_groups.cpp - Groups of exactly one operand ---------------===//
//
// An operation whose operands are in groups says in `operandSegmentSizes` how many each of them
// has. What MLIR generates from ODS verifies that an optional group has at most one, and nothing
// of a group that has exactly one. Verifiers and printers take the operand of such a group without
// a look.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

#include <cstddef>
#include <cstdint>

using namespace mlir;
using llvm::LogicalResult;

namespace {

struct Groups {
  llvm::StringLiteral op;
  /// A sign for each group: `1` for exactly one operand, `?` for at most one, `*` for any number.
  llvm::StringLiteral sizes;
};

// The operations of LLVM 22 with a group of exactly one operand, in the order of their names. A
// test of the Python suite compares the rows with the classes that are generated from ODS.
constexpr Groups Grouped[] = {
    {"acc.attach", "1?**"},
    {"acc.cache", "1?**"},
    {"acc.copyin", "1?**"},
    {"acc.copyout", "11**"},
    {"acc.create", "1?**"},
    {"acc.declare_device_resident", "1?**"},
    {"acc.declare_link", "1?**"},
    {"acc.delete", "1**"},
    {"acc.detach", "1**"},
    {"acc.deviceptr", "1?**"},
    {"acc.firstprivate", "1?**"},
    {"acc.firstprivate_map", "1?**"},
    {"acc.getdeviceptr", "1?**"},
    {"acc.nocreate", "1?**"},
    {"acc.present", "1?**"},
    {"acc.private", "1?**"},
    {"acc.reduction", "1?**"},
    {"acc.update_device", "1?**"},
    {"acc.update_host", "11**"},
    {"acc.use_device", "1?**"},
    {"amdgpu.fat_raw_buffer_cast", "1??"},
    {"amdgpu.gather_to_lds", "1*1*"},
    {"amdgpu.make_dma_base", "1*1*"},
    {"amdgpu.make_dma_descriptor", "1***?????*???"},
    {"amdgpu.make_gather_dma_base", "1*1*"},
    {"amdgpu.make_gather_dma_descriptor", "11***?????*???"},
    {"amdgpu.packed_trunc_2xfp8", "1??"},
    {"amdgpu.raw_buffer_atomic_cmpswap", "111*?"},
    {"amdgpu.raw_buffer_atomic_fadd", "11*?"},
    {"amdgpu.raw_buffer_atomic_fmax", "11*?"},
    {"amdgpu.raw_buffer_atomic_smax", "11*?"},
    {"amdgpu.raw_buffer_atomic_umin", "11*?"},
    {"amdgpu.raw_buffer_load", "1*?"},
    {"amdgpu.raw_buffer_store", "11*?"},
    {"amx.tile_load", "1*?"},
    {"amx.tile_store", "1*1?"},
    {"arm_sme.fmopa_2way", "11???"},
    {"arm_sme.fmops_2way", "11???"},
    {"arm_sme.outerproduct", "11???"},
    {"arm_sme.smopa_2way", "11???"},
    {"arm_sme.smopa_4way", "11???"},
    {"arm_sme.smops_2way", "11???"},
    {"arm_sme.smops_4way", "11???"},
    {"arm_sme.sumopa_4way", "11???"},
    {"arm_sme.sumops_4way", "11???"},
    {"arm_sme.tile_load", "1*??"},
    {"arm_sme.tile_store", "11*?"},
    {"arm_sme.umopa_2way", "11???"},
    {"arm_sme.umopa_4way", "11???"},
    {"arm_sme.umops_2way", "11???"},
    {"arm_sme.umops_4way", "11???"},
    {"arm_sme.usmopa_4way", "11???"},
    {"arm_sme.usmops_4way", "11???"},
    {"cf.cond_br", "1**"},
    {"cf.switch", "1**"},
    {"gpu.create_dn_tensor", "*1*"},
    {"gpu.launch", "*111111????"},
    {"gpu.launch_func", "*111111????*?"},
    {"gpu.spmm", "*111*"},
    {"linalg.pack", "11?*"},
    {"llvm.cond_br", "1**"},
    {"llvm.switch", "1**"},
    {"memref.reinterpret_cast", "1***"},
    {"memref.subview", "1***"},
    {"nvgpu.device_async_copy", "1*1*?"},
    {"nvgpu.tma.async.load", "111*1??"},
    {"nvgpu.tma.async.store", "11*?"},
    {"nvvm.cp.async.bulk.global.shared.cta", "111??"},
    {"nvvm.cp.async.bulk.shared.cluster.global", "1111??"},
    {"nvvm.cp.async.bulk.tensor.global.shared.cta", "11*??"},
    {"nvvm.cp.async.bulk.tensor.prefetch", "1**?"},
    {"nvvm.cp.async.bulk.tensor.reduce", "11*?"},
    {"nvvm.cp.async.bulk.tensor.shared.cluster.global", "11*1*???"},
    {"nvvm.mma.block_scale", "***111111"},
    {"nvvm.mma.sp.block_scale", "***11111111"},
    {"nvvm.mma.sp.sync", "***11"},
    {"nvvm.tcgen05.mma", "11111??"},
    {"nvvm.tcgen05.mma.sp", "111111??"},
    {"omp.map.info", "1?**"},
    {"omp.target_allocmem", "1**"},
    {"pdl.replace", "1?*"},
    {"shard.shard_shape", "*1*"},
    {"spirv.BranchConditional", "1**"},
    {"spirv.Switch", "1**"},
    {"tensor.extract_slice", "1***"},
    {"tensor.insert_slice", "11***"},
    {"tensor.pad", "1**"},
    {"tensor.parallel_insert_slice", "11***"},
    {"transform.structured.fuse", "1**"},
    {"transform.structured.tile_using_forall", "1**??"},
    {"transform.xegpu.convert_layout", "1******"},
    {"transform.xegpu.set_desc_layout", "1***"},
    {"transform.xegpu.set_op_layout_attr", "1***"},
    {"vector.transfer_read", "1*1?"},
    {"vector.transfer_write", "11*?"},
    {"xegpu.create_nd_tdesc", "1***"},
};

} // namespace

const llvm::StringLiteral *mondo::groupsOf(llvm::StringRef name) {
  const auto isBefore = [](const Groups &groups, llvm::StringRef other) {
    return groups.op < other;
  };
  const Groups *found = llvm::lower_bound(Grouped, name, isBefore);
  const bool isKnown = LLVM_VERSION_MAJOR == 22 && found != std::end(Grouped) && found->op == name;
  return isKnown ? &found->sizes : nullptr;
}

LogicalResult mondo::verifyGroups(Operation *op, llvm::StringRef groups) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  // MLIR says what is wrong with a list of another length.
  if (!sizes || static_cast<size_t>(sizes.size()) != groups.size())
    return success();
  size_t first = 0;
  for (const auto &[sign, size] : llvm::zip_equal(groups, sizes.asArrayRef())) {
    if (sign == '1' && size != 1)
      return op->emitOpError() << "operand group starting at #" << first
                               << " requires 1 element, but found " << size;
    first += static_cast<size_t>(size);
  }
  return success();
}
