//===-- unwind.cpp - A library that throws, linked for an old glibc -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <thread>

namespace {

struct Counted {
  static int Alive;
  Counted() { ++Alive; }
  ~Counted() { --Alive; }
};
int Counted::Alive;

/// Throws through frames that have something to destroy.
[[gnu::noinline]] void down(int depth, const std::string &text) {
  Counted one;
  if (depth == 0)
    throw std::runtime_error(text);
  down(depth - 1, text + "!");
}

bool unwinds() {
  try {
    down(20, "thrown");
  } catch (const std::exception &error) {
    return std::string(error.what()).size() == 26 && Counted::Alive == 0;
  }
  return false;
}

thread_local std::unique_ptr<Counted> OfThread;

} // namespace

/// 0, or the number of what went wrong.
extern "C" int probe() {
  if (!unwinds())
    return 1;
  bool inThread = false;
  std::thread([&] {
    inThread = unwinds();
    OfThread = std::make_unique<Counted>();
  }).join();
  if (!inThread)
    return 2;
  if (Counted::Alive != 0)
    return 3;
  std::random_device device("default");
  if (device() == device() && device() == device())
    return 4;
  struct stat status;
  if (stat("/", &status) != 0 || !S_ISDIR(status.st_mode))
    return 5;
  auto shared = std::make_shared<Counted>();
  auto other = shared;
  if (shared.use_count() != 2)
    return 6;
  return 0;
}
