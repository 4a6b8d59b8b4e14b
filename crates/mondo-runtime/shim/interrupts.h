//===-- interrupts.h - Signals while a thread waits for tasks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_INTERRUPTS_H
#define MONDO_SHIM_INTERRUPTS_H

namespace mondo {

/// True if a signal arrived that the work which this thread began has not been asked about.
bool interruptWaits();

/// Asks about it. To be called without locks.
void answerInterrupt();

} // namespace mondo

#endif // MONDO_SHIM_INTERRUPTS_H
