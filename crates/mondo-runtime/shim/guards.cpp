//===-- guards.cpp - No fork in the midst of a static's initialisation ----===//
//
// Guards of functions' static variables, across a fork. Of the threads that come to such a variable, the
// first initialises it and the others wait. A child of fork has one thread: a variable that another
// thread was about to initialise would never be finished, and the child would wait for it. So a fork
// waits until no other thread is initialising, and a thread that is about to initialise waits for the
// fork. Neither waits longer than a second, as an initialisation may itself wait for what the forking
// thread holds.
//
// The link (`--wrap`) puts these functions before the C++ runtime's, which code calls only for variables
// that are not yet initialised.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <time.h>

namespace {

/// The number of threads that are initialising, and of those that are about to fork. Each thread
/// increments its own counter before it reads the other, so that at least one of two sees the
/// other.
std::atomic<int> initialising{0};
std::atomic<int> forking{0};

/// The number of variables that this thread is initialising: one may need another.
thread_local int depth = 0;

int initialisingHere() { return depth != 0 ? 1 : 0; }

/// Ten thousand of these are a second.
constexpr int patience = 10000;

void pause() {
  const timespec time{0, 100000};
  nanosleep(&time, nullptr);
}

void enter() {
  if (depth++ != 0)
    return;
  ++initialising;
  for (int tries = 0; forking != 0 && tries < patience; ++tries) {
    --initialising;
    pause();
    ++initialising;
  }
}

void leave() {
  if (--depth == 0)
    --initialising;
}

void beforeFork() {
  ++forking;
  for (int tries = 0; initialising > initialisingHere() && tries < patience; ++tries)
    pause();
}

void inParent() { --forking; }

void inChild() {
  forking = 0;
  initialising = initialisingHere();
}

[[maybe_unused]] const int registered = pthread_atfork(beforeFork, inParent, inChild);

} // namespace

extern "C" {

int __real___cxa_guard_acquire(std::uint64_t *guard);
void __real___cxa_guard_release(std::uint64_t *guard);
void __real___cxa_guard_abort(std::uint64_t *guard);

/// True for the thread that is to initialise the variable, once it is its turn.
int __wrap___cxa_guard_acquire(std::uint64_t *guard) {
  enter();
  const int ours = __real___cxa_guard_acquire(guard);
  if (!ours)
    leave();
  return ours;
}

void __wrap___cxa_guard_release(std::uint64_t *guard) {
  __real___cxa_guard_release(guard);
  leave();
}

void __wrap___cxa_guard_abort(std::uint64_t *guard) {
  __real___cxa_guard_abort(guard);
  leave();
}

} // extern "C"
