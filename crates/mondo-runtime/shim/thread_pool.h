//===-- thread_pool.h - Tasks for the shared thread pool --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_THREAD_POOL_H
#define MONDO_SHIM_THREAD_POOL_H

namespace mondo {

/// Runs `task(argument)` in the library's thread pool, at some time after this call began.
void startAsyncTask(void (*task)(void *), void *argument);

/// Waits until all tasks have ended that `startAsyncTask` was given, and runs those that nobody has begun.
/// Within such a task it does nothing, as that would wait for itself.
void waitForAsyncTasks();

/// Wakes the threads that wait for tasks, so that they see an interrupt.
void wakeWaitingThreads();

/// The most threads that the pool has.
unsigned threadPoolSize();

} // namespace mondo

#endif // MONDO_SHIM_THREAD_POOL_H
