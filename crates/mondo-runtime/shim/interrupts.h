//===-- interrupts.h - Signals while a thread waits for tasks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_INTERRUPTS_H
#define MONDO_SHIM_INTERRUPTS_H

namespace mondo {

/// True if a signal has arrived since this thread began its work, and the question whether that
/// work is to end has not been asked yet.
bool interruptWaits();

/// Asks whether the work is to end after the signal. The caller holds no locks.
void answerInterrupt();

} // namespace mondo

#endif // MONDO_SHIM_INTERRUPTS_H
