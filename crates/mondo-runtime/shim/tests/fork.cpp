//===-- fork.cpp - Forks while another thread initialises a static --------===//
//
// A program linked with guards.cpp. It ends with 0 if the children of its forks can use the variable, if
// an initialisation that throws holds up no later fork, and if one that does not end holds up a fork for
// no longer than it has patience.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <chrono>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static std::atomic<bool> inside{false};
static std::atomic<bool> stay{true};

static int inner() {
  usleep(50000);
  return 1;
}

static int outer() {
  inside = true;
  static int first = inner();
  usleep(50000);
  return first + 1;
}

static int slow() {
  static int value = outer();
  return value;
}

static int thrown() { throw 1; }

static void throws() {
  try {
    static int value = thrown();
    (void)value;
  } catch (int) {
  }
}

static int waits() {
  inside = true;
  while (stay)
    usleep(1000);
  return 1;
}

static void stuck() {
  static int value = waits();
  (void)value;
}

/// Forks; true if the child ends well. A child that waits for ever is ended by its alarm.
template <typename Use> static bool forked(Use use) {
  pid_t child = fork();
  if (child == 0) {
    alarm(5);
    _exit(use() ? 7 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

static int failed(const char *what) {
  std::puts(what);
  return 1;
}

int main() {
  std::thread first(slow);
  while (!inside)
    usleep(100);
  const bool used = forked([] { return slow() == 2; });
  first.join();
  if (!used)
    return failed("a child waits for a variable that nobody initialises");

  throws();
  const auto start = Clock::now();
  if (!forked([] { return true; }) || Clock::now() - start > std::chrono::milliseconds(500))
    return failed("a fork waits for an initialisation that has thrown");

  inside = false;
  std::thread second(stuck);
  while (!inside)
    usleep(100);
  const bool ended = forked([] { return slow() == 2; });
  stay = false;
  second.join();
  return ended ? 0 : failed("a fork waits for an initialisation that does not end");
}
