//===-- interrupts.cpp - Ending pass pipelines and rewrites early ---------===//
//
// MLIR runs each pass and each pattern as an action of the context, whose handler may leave one out.
// A pass that is left out has changed nothing, so that the IR stays as the pass before it left it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "interrupts.h"

#include "mondo.h"
#include "thread_pool.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

using namespace mlir;

namespace {

//===----------------------------------------------------------------------===//
// The signal
//===----------------------------------------------------------------------===//

/// The number of signals that arrived while one was waited for. The handler below changes nothing else.
std::atomic<uint32_t> arrivals{0};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "signal handlers take no locks");

/// The handler that was there before. Only the interpreter's main thread, which alone may set handlers,
/// writes it, and only while the handler below is not installed.
struct sigaction previous;

/// The number of calls that wait, all of them in the main thread.
unsigned waiting = 0;

void onSignal(int number, siginfo_t *info, void *context) {
  arrivals.fetch_add(1, std::memory_order_release);
  if (previous.sa_flags & SA_SIGINFO)
    previous.sa_sigaction(number, info, context);
  else
    previous.sa_handler(number);
}

bool isHandler(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// Installs the handler in front of the present one. False if that is none: then a signal ends the
/// process, or is ignored, as somebody asked.
bool install() {
  if (waiting != 0) {
    ++waiting;
    return true;
  }
  if (sigaction(SIGINT, nullptr, &previous) != 0 || !isHandler(previous))
    return false;
  struct sigaction ours = previous;
  ours.sa_sigaction = onSignal;
  ours.sa_flags |= SA_SIGINFO;
  if (sigaction(SIGINT, &ours, nullptr) != 0)
    return false;
  waiting = 1;
  return true;
}

void uninstall() {
  if (--waiting != 0)
    return;
  struct sigaction present;
  if (sigaction(SIGINT, &previous, &present) != 0)
    return;
  // A handler that other code has installed meanwhile stays.
  if (!(present.sa_flags & SA_SIGINFO) || present.sa_sigaction != onSignal)
    sigaction(SIGINT, &present, nullptr);
}

//===----------------------------------------------------------------------===//
// The actions
//===----------------------------------------------------------------------===//

/// True where the patterns that this thread applies may be left out. A pass that lowers may rely on its
/// patterns, canonicalization does not.
thread_local bool patternsMayEnd = false;

class PatternsMayEnd {
public:
  explicit PatternsMayEnd(bool may) : outer(patternsMayEnd) { patternsMayEnd = may; }
  ~PatternsMayEnd() { patternsMayEnd = outer; }
  PatternsMayEnd(const PatternsMayEnd &) = delete;
  PatternsMayEnd &operator=(const PatternsMayEnd &) = delete;

private:
  bool outer;
};

/// Gives access to what only passes may do to themselves. There is no object of it.
struct PassAccess : Pass {
  using Pass::markAllAnalysesPreserved;
};

/// A pipeline or rewrite that may be ended, of one context.
class Work {
public:
  Work(MondoInterruptQuestion question, void *userData)
      : question(question), userData(userData), starter(std::this_thread::get_id()),
        seen(arrivals.load(std::memory_order_acquire)) {}

  void handle(llvm::function_ref<void()> run, const tracing::Action &action) {
    if (const auto *execution = llvm::dyn_cast<PassExecutionAction>(&action)) {
      // Nothing else uses the pass while it is about to run, and MLIR's own reference to the pass is
      // not const, so that the cast is allowed.
      auto &pass = const_cast<Pass &>(execution->getPass());
      if (LLVM_UNLIKELY(hasArrival()) && mustEnd()) {
        // Without this the verifier would run after each pass that is left out.
        return (pass.*&PassAccess::markAllAnalysesPreserved)();
      }
      PatternsMayEnd scope(pass.getArgument() == "canonicalize");
      return run();
    }
    if (LLVM_UNLIKELY(hasArrival()) && patternsMayEnd && action.getTag() == "apply-pattern" && mustEnd())
      return;
    run();
  }

  /// True where the starter has not decided yet.
  bool isOpen() const { return hasArrival() && !isEnding(); }

  bool isEnding() const { return ending.load(std::memory_order_acquire); }

  /// The calls that began with this one and have not ended. The context's one user changes it.
  unsigned users = 1;

  /// Decides, where a signal has arrived, whether the rest is left out.
  bool mustEnd() {
    if (isEnding())
      return true;
    uint32_t now = arrivals.load(std::memory_order_acquire);
    bool isStarter = std::this_thread::get_id() == starter;
    // A signal that another thread could not decide about waits for the starter.
    if (!isStarter && undecided.load(std::memory_order_acquire) == now)
      return false;
    if (question(isStarter, userData)) {
      ending.store(true, std::memory_order_release);
      return true;
    }
    (isStarter ? seen : undecided).store(now, std::memory_order_release);
    if (!isStarter)
      mondo::wakeWaitingThreads();
    return false;
  }

private:
  bool hasArrival() const {
    return arrivals.load(std::memory_order_relaxed) != seen.load(std::memory_order_relaxed);
  }

  MondoInterruptQuestion question;
  void *userData;
  std::thread::id starter;
  std::atomic<uint32_t> seen;
  std::atomic<uint32_t> undecided{seen.load()};
  std::atomic<bool> ending{false};
};

/// The innermost work that this thread began.
thread_local Work *begun = nullptr;

/// The work of each context whose action handler is ours.
struct Works {
  std::mutex mutex;
  llvm::DenseMap<MLIRContext *, Work *> works;
};

Works &works() {
  // Never destroyed: threads may run as long as the process.
  static Works *const instance = new Works;
  return *instance;
}

} // namespace

bool mondo::interruptWaits() { return begun && begun->isOpen(); }
void mondo::answerInterrupt() { (void)begun->mustEnd(); }

/// The state that one call of mondoInterruptsBegin changed.
struct MondoInterrupts {
  MLIRContext *context;
  Work *work;
  PatternsMayEnd scope;
  Work *outer;
};

extern "C" MondoInterrupts *mondoInterruptsBegin(MlirContext context, bool isMainThread, bool patterns,
                                                 MondoInterruptQuestion question, void *userData) {
  MLIRContext *cpp = unwrap(context);
  if (cpp->hasActionHandler()) {
    // Part of work that is under way; or somebody else's handler, which stays.
    std::lock_guard<std::mutex> lock(works().mutex);
    Work *outer = works().works.lookup(cpp);
    if (!outer)
      return nullptr;
    ++outer->users;
    return new MondoInterrupts{cpp, outer, PatternsMayEnd(patterns), begun};
  }
  if (!isMainThread || !install())
    return nullptr;
  auto *work = new Work(question, userData);
  {
    std::lock_guard<std::mutex> lock(works().mutex);
    works().works[cpp] = work;
  }
  cpp->registerActionHandler([work](llvm::function_ref<void()> run, const tracing::Action &action) {
    work->handle(run, action);
  });
  return new MondoInterrupts{cpp, work, PatternsMayEnd(patterns), std::exchange(begun, work)};
}

extern "C" bool mondoInterruptsEnd(MondoInterrupts *interrupts) {
  std::unique_ptr<MondoInterrupts> handle(interrupts);
  Work *work = handle->work;
  bool ended = work->isEnding();
  begun = handle->outer;
  bool isLast;
  {
    std::lock_guard<std::mutex> lock(works().mutex);
    isLast = --work->users == 0;
    if (isLast)
      works().works.erase(handle->context);
  }
  if (isLast) {
    handle->context->registerActionHandler(nullptr);
    delete work;
    uninstall();
  }
  return ended;
}
