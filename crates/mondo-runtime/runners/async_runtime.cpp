//===-- async_runtime.cpp - Tokens, values and groups of `async` ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes async-to-async-runtime and convert-async-to-llvm make calls of these. Coroutines run in the
// thread pool of the library, which survives a fork and has no end that could come too early at exit.
//
//===----------------------------------------------------------------------===//

#include "runner.h"
#include "../shim/thread_pool.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <utility>
#include <vector>

namespace {

using Awaiter = std::function<void()>;

/// An object with a reference count.
class Counted {
public:
  explicit Counted(int64_t references) : references(references) {}
  virtual ~Counted() = default;

  void add(int64_t count) { references.fetch_add(count, std::memory_order_relaxed); }

  void drop(int64_t count) {
    if (references.fetch_sub(count, std::memory_order_acq_rel) == count)
      delete this;
  }

private:
  std::atomic<int64_t> references;
};

/// An object that becomes ready once.
class Awaited : public Counted {
public:
  using Counted::Counted;

  /// Blocks until it is ready.
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return ready; });
  }

  /// Calls `awaiter` when it is ready: now, or from the thread that makes it ready.
  void whenReady(Awaiter awaiter) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!ready) {
        awaiters.push_back(std::move(awaiter));
        return;
      }
    }
    awaiter();
  }

protected:
  /// The caller holds a reference.
  void becomeReady() {
    std::vector<Awaiter> waiting;
    {
      std::lock_guard<std::mutex> lock(mutex);
      ready = true;
      waiting.swap(awaiters);
      changed.notify_all();
    }
    for (Awaiter &awaiter : waiting)
      awaiter();
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Awaiter> awaiters;
  bool ready = false;
};

/// `!async.token`, and what a value has of it. It begins with two references: the caller's, and that of the
/// task which makes it ready.
class Token : public Awaited {
public:
  Token() : Awaited(2) {}

  void finish(bool isError) {
    failed.store(isError, std::memory_order_release);
    becomeReady();
    drop(1);
  }

  bool isError() const { return failed.load(std::memory_order_acquire); }

private:
  std::atomic<bool> failed{false};
};

/// `!async.value`.
class Value : public Token {
public:
  explicit Value(int64_t size) {
    // The widest vectors that a value is made of are aligned to this.
    constexpr size_t ALIGNMENT = 64;
    if (posix_memalign(&memory, ALIGNMENT, size_t(size)) != 0) {
      fputs("there is no memory for an async.value\n", stderr);
      abort();
    }
  }
  ~Value() override { free(memory); }

  void *storage() const { return memory; }

private:
  void *memory = nullptr;
};

/// `!async.group`: ready when all of its tokens are, the number of which is known at the start.
class Group : public Awaited {
public:
  explicit Group(int64_t size) : Awaited(1), pending(size) {
    if (size == 0)
      becomeReady();
  }

  /// Returns the index of the token in the group.
  int64_t addToken(Token *token) {
    const int64_t index = added.fetch_add(1, std::memory_order_relaxed);
    add(1);
    token->whenReady([this, token] {
      if (token->isError())
        errors.store(true, std::memory_order_release);
      if (pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
        becomeReady();
      drop(1);
    });
    return index;
  }

  bool isError() const { return errors.load(std::memory_order_acquire); }

private:
  std::atomic<int64_t> pending;
  std::atomic<int64_t> added{0};
  std::atomic<bool> errors{false};
};

/// Continues the coroutine of that handle.
using Resume = void (*)(void *handle);

Counted *counted(void *object) { return static_cast<Counted *>(object); }

} // namespace

extern "C" {

// Modules pass the address of a token, value or group to these two functions. The address of the base
// class Counted is the same, as each class has a single base and Counted has the virtual functions.
void RUNNER(mlirAsyncRuntimeAddRef)(void *object, int64_t count) { counted(object)->add(count); }
void RUNNER(mlirAsyncRuntimeDropRef)(void *object, int64_t count) { counted(object)->drop(count); }

Token *RUNNER(mlirAsyncRuntimeCreateToken)() { return new Token; }
Value *RUNNER(mlirAsyncRuntimeCreateValue)(int64_t size) { return new Value(size); }
Group *RUNNER(mlirAsyncRuntimeCreateGroup)(int64_t size) { return new Group(size); }

int64_t RUNNER(mlirAsyncRuntimeAddTokenToGroup)(Token *token, Group *group) {
  return group->addToken(token);
}

void RUNNER(mlirAsyncRuntimeEmplaceToken)(Token *token) { token->finish(false); }
void RUNNER(mlirAsyncRuntimeEmplaceValue)(Value *value) { value->finish(false); }
void RUNNER(mlirAsyncRuntimeSetTokenError)(Token *token) { token->finish(true); }
void RUNNER(mlirAsyncRuntimeSetValueError)(Value *value) { value->finish(true); }

bool RUNNER(mlirAsyncRuntimeIsTokenError)(Token *token) { return token->isError(); }
bool RUNNER(mlirAsyncRuntimeIsValueError)(Value *value) { return value->isError(); }
bool RUNNER(mlirAsyncRuntimeIsGroupError)(Group *group) { return group->isError(); }

void RUNNER(mlirAsyncRuntimeAwaitToken)(Token *token) { token->wait(); }
void RUNNER(mlirAsyncRuntimeAwaitValue)(Value *value) { value->wait(); }
void RUNNER(mlirAsyncRuntimeAwaitAllInGroup)(Group *group) { group->wait(); }

void *RUNNER(mlirAsyncRuntimeGetValueStorage)(Value *value) { return value->storage(); }

void RUNNER(mlirAsyncRuntimeExecute)(void *handle, Resume resume) {
  mondo::startAsyncTask(resume, handle);
}

void RUNNER(mlirAsyncRuntimeAwaitTokenAndExecute)(Token *token, void *handle, Resume resume) {
  token->whenReady([=] { resume(handle); });
}
void RUNNER(mlirAsyncRuntimeAwaitValueAndExecute)(Value *value, void *handle, Resume resume) {
  value->whenReady([=] { resume(handle); });
}
void RUNNER(mlirAsyncRuntimeAwaitAllInGroupAndExecute)(Group *group, void *handle, Resume resume) {
  group->whenReady([=] { resume(handle); });
}

// MLIR's own name of it lacks the last letter of "Runtime".
int64_t RUNNER(mlirAsyncRuntimGetNumWorkerThreads)() { return mondo::threadPoolSize(); }

void RUNNER(mlirAsyncRuntimePrintCurrentThreadId)() {
  printf("Current thread id: %lu\n", static_cast<unsigned long>(pthread_self()));
  fflush(stdout);
}

/// Waits for the tasks that were started: their code goes with the engine.
void mondo_runner_finish_async() { mondo::waitForAsyncTasks(); }

} // extern "C"
