//===-- thread_pool.cpp - One thread pool for every context ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thread_pool.h"

#include "interrupts.h"

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <pthread.h>
#include <utility>

namespace {

using Group = llvm::ThreadPoolTaskGroup;

/// The task type of llvm::ThreadPoolInterface.
#if LLVM_VERSION_MAJOR >= 20
using TaskFunction = llvm::unique_function<void()>;
#else
using TaskFunction = std::function<void()>;
#endif

/// A task that this thread is running. Tasks nest, because waiting for a group runs its tasks.
struct Running {
  Group *group;
  Running *outer;
};

thread_local Running *running = nullptr;

struct Task {
  TaskFunction run;
  Group *group;
  /// The thread that queued it: after a fork, only what the surviving thread queued is still wanted.
  pthread_t owner;
};

/// The data that the mutex guards, in one struct so that a child of fork can begin with a new one.
struct State {
  std::mutex mutex;
  /// Waited on by idle workers.
  std::condition_variable work;
  /// Waited on by those who wait for tasks to finish, or for tasks of their group to run.
  std::condition_variable progress;
  std::deque<Task> queue;
  /// The number of a group's tasks that are queued or running; groups without any are not here.
  llvm::DenseMap<Group *, unsigned> unfinished;
  /// The number of all tasks that are queued or running, whatever their group.
  unsigned unfinishedTasks = 0;
  unsigned threads = 0;
  unsigned idleThreads = 0;
};

/// Threads start when there is more work than idle threads, up to one for each processor that the
/// process may use. Whoever waits for a group runs the group's tasks that nobody has begun, and no
/// others: so a wait ends even if no thread could be started, and a task never finds itself
/// interrupted by one that it has nothing to do with.
///
/// A fork leaves the child with one thread. What the others had begun or queued is abandoned, as
/// the stacks that it refers to are; what the surviving thread had queued is still done.
class SharedThreadPool final : public llvm::ThreadPoolInterface {
public:
  static SharedThreadPool &get();

  void wait() override {
    std::unique_lock<std::mutex> lock(state->mutex);
    while (state->unfinishedTasks != 0)
      if (!runOne(lock, [](const Task &) { return true; }))
        waitForProgress(lock);
  }

  void wait(Group &group) override {
    std::unique_lock<std::mutex> lock(state->mutex);
    while (state->unfinished.contains(&group))
      if (!runOne(lock, [&](const Task &task) { return task.group == &group; }))
        waitForProgress(lock);
  }

  unsigned getMaxConcurrency() const override { return maxThreads; }

  /// Lets the threads that wait look for an interrupt.
  void wake() {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->progress.notify_all();
  }

  /// Runs a task of a group without a result.
  void start(TaskFunction run, Group &group) { asyncEnqueue(std::move(run), &group); }

private:
  SharedThreadPool()
      : state(new State), maxThreads(std::max(1u, llvm::hardware_concurrency().compute_thread_count())) {}

  /// Waits for tasks to finish or to be queued, or answers a signal, in whose handler anything may happen.
  void waitForProgress(std::unique_lock<std::mutex> &lock) {
    if (!mondo::interruptWaits())
      return state->progress.wait(lock);
    lock.unlock();
    mondo::answerInterrupt();
    relock(lock);
  }

  void asyncEnqueue(TaskFunction run, Group *group) override {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->queue.push_back({std::move(run), group, pthread_self()});
    ++state->unfinishedTasks;
    if (group)
      ++state->unfinished[group];
    if (state->idleThreads >= state->queue.size())
      state->work.notify_one();
    else if (state->threads < maxThreads)
      startThread();
    else
      state->work.notify_one();
    // A thread that waits for this group may be the only one free to run the task.
    if (group)
      state->progress.notify_all();
  }

  /// Starts a worker; the lock is held. If the system refuses, those who wait do the work.
  void startThread() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, &SharedThreadPool::worker, this) == 0)
      ++state->threads;
    pthread_attr_destroy(&attributes);
  }

  static void *worker(void *self) {
    static_cast<SharedThreadPool *>(self)->work();
    return nullptr;
  }

  void work() {
    llvm::set_thread_name("mondo-worker");
    std::unique_lock<std::mutex> lock(state->mutex);
    while (true) {
      if (runOne(lock, [](const Task &) { return true; }))
        continue;
      ++state->idleThreads;
      state->work.wait(lock);
      --state->idleThreads;
    }
  }

  /// Runs the first queued task that `wanted` accepts, without the lock; false if there is none.
  template <typename Wanted> bool runOne(std::unique_lock<std::mutex> &lock, Wanted wanted) {
    auto found = std::find_if(state->queue.begin(), state->queue.end(), wanted);
    if (found == state->queue.end())
      return false;
    Group *group = found->group;
    {
      TaskFunction run = std::move(found->run);
      state->queue.erase(found);
      lock.unlock();
      Running frame{group, running};
      running = &frame;
      run();
      running = frame.outer;
      // The task's captures are destroyed before its end is announced.
    }
    relock(lock);
    finished(group);
    return true;
  }

  /// The task may have forked: then the child has another mutex than the one the lock was made for.
  void relock(std::unique_lock<std::mutex> &lock) {
    if (lock.mutex() == &state->mutex)
      lock.lock();
    else
      lock = std::unique_lock<std::mutex>(state->mutex);
  }

  void finished(Group *group) {
    --state->unfinishedTasks;
    if (group) {
      auto left = state->unfinished.find(group);
      if (left != state->unfinished.end() && --left->second == 0)
        state->unfinished.erase(left);
    }
    state->progress.notify_all();
  }

  //===--------------------------------------------------------------------===//
  // Fork
  //===--------------------------------------------------------------------===//

  static void beforeFork() { get().state->mutex.lock(); }
  static void inParent() { get().state->mutex.unlock(); }
  static void inChild() { get().startAnew(); }

  /// The old state stays where it is: its condition variables still count threads that are gone, so
  /// they can be neither used nor destroyed, and so do the tasks that those threads queued.
  void startAnew() {
    State *old = state;
    state = new State;
    for (Task &task : old->queue) {
      if (!pthread_equal(task.owner, pthread_self()))
        continue;
      count(task.group);
      state->queue.push_back(std::move(task));
    }
    for (Running *frame = running; frame; frame = frame->outer)
      count(frame->group);
  }

  void count(Group *group) {
    ++state->unfinishedTasks;
    if (group)
      ++state->unfinished[group];
  }

  State *state;
  const unsigned maxThreads;
};

SharedThreadPool &SharedThreadPool::get() {
  // Never destroyed: its threads run until the process ends, and contexts may outlive statics.
  static SharedThreadPool *const pool = [] {
    auto *made = new SharedThreadPool;
    pthread_atfork(beforeFork, inParent, inChild);
    return made;
  }();
  return *pool;
}

/// The group of the tasks of `startAsyncTask`. Never destroyed, as that would wait for them.
Group &asyncTasks() {
  static Group *const group = new Group(SharedThreadPool::get());
  return *group;
}

/// True once there was such a task, so that nobody makes a pool in order to wait for nothing.
std::atomic<bool> hasAsyncTasks{false};

} // namespace

void mondo::startAsyncTask(void (*task)(void *), void *argument) {
  hasAsyncTasks.store(true, std::memory_order_release);
  SharedThreadPool::get().start([=] { task(argument); }, asyncTasks());
}

void mondo::waitForAsyncTasks() {
  if (!hasAsyncTasks.load(std::memory_order_acquire))
    return;
  for (Running *frame = running; frame; frame = frame->outer)
    if (frame->group == &asyncTasks())
      return;
  SharedThreadPool::get().wait(asyncTasks());
}

void mondo::wakeWaitingThreads() { SharedThreadPool::get().wake(); }

unsigned mondo::threadPoolSize() { return SharedThreadPool::get().getMaxConcurrency(); }

extern "C" void mondoContextUseSharedThreadPool(MlirContext context) {
  mlir::MLIRContext *cppContext = unwrap(context);
  // A context with threads of its own would lose the pool from under them.
  cppContext->disableMultithreading();
  cppContext->setThreadPool(SharedThreadPool::get());
}
