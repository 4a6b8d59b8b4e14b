//===-- hooks.cpp - Seeing operations, blocks and arguments die -----------===//
//
// An operation's observer is in a header before the operation's memory. Blocks and block arguments
// are allocated in more places than can be reached, so their observers are in tables keyed by
// address.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hooks.h"

#include "mondo.h"
#include "op_memory.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <pthread.h>

// MLIR's objects call Block::~Block by these two symbols, the complete and the base object
// destructor, which are the same for a class without virtual bases. Object patching renamed
// MLIR's own definition of them.
extern "C" void mondo_block_complete_destructor(mlir::Block *block) __asm__("_ZN4mlir5BlockD1Ev");
extern "C" void mondo_block_base_destructor(mlir::Block *block) __asm__("_ZN4mlir5BlockD2Ev");

namespace {

//===----------------------------------------------------------------------===//
// The callback
//===----------------------------------------------------------------------===//

std::atomic<MondoDeathCallback> deathCallback{nullptr};

thread_local mondo::DeathListener *deathListener = nullptr;

void announceDeath(void *observer) {
  if (LLVM_UNLIKELY(deathListener != nullptr))
    return deathListener->onDeath(observer);
  if (MondoDeathCallback callback = deathCallback.load(std::memory_order_acquire))
    callback(observer);
}

//===----------------------------------------------------------------------===//
// Counting deaths, for those who know things by their address
//===----------------------------------------------------------------------===//

std::atomic<uint32_t> deathsWanted{0};
std::atomic<uint64_t> deaths{0};

/// Costs a load where nobody asked: counting would make the threads of a pass pipeline share a line.
void countDeath() {
  if (LLVM_UNLIKELY(deathsWanted.load(std::memory_order_relaxed) != 0))
    deaths.fetch_add(1, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The header before each operation's memory. Its 16 bytes keep malloc's alignment.
struct OperationHeader {
  std::atomic<void *> observer;
  uint64_t magic;
};

static_assert(sizeof(OperationHeader) == 16, "an operation pays 16 bytes for being observable");
static_assert(sizeof(OperationHeader) % alignof(std::max_align_t) == 0,
              "what follows the header is aligned as malloc's memory is");

/// "mondo o", and in the last byte the kind of memory that the operation is in. It is overwritten in
/// memory that was freed.
constexpr uint64_t aliveMagic = 0x6d6f6e646f206f00;

bool isAlive(const OperationHeader *header) { return (header->magic & ~UINT64_C(0xff)) == aliveMagic; }

OperationHeader *headerOf(mlir::Operation *op) {
  // Results stand before the operation, the first few in a shorter form. This is the arithmetic of
  // Operation::create; the check at load compares the two for either form.
  unsigned results = op->getNumResults();
  unsigned maxInline = mlir::detail::OpResultImpl::getMaxInlineResults();
  unsigned inlineResults = results < maxInline ? results : maxInline;
  size_t prefix = sizeof(mlir::detail::InlineOpResult) * inlineResults +
                  sizeof(mlir::detail::OutOfLineOpResult) * (results - inlineResults);
  char *memory = reinterpret_cast<char *>(op) - llvm::alignTo(prefix, alignof(mlir::Operation));
  return reinterpret_cast<OperationHeader *>(memory) - 1;
}

//===----------------------------------------------------------------------===//
// Blocks and block arguments
//===----------------------------------------------------------------------===//

/// Observers by address. Split into shards so that threads that build and destroy seldom meet; a
/// death that finds its shard empty takes no lock.
class ObserverTable {
public:
  void *find(void *object) {
    Shard &shard = shardOf(object);
    if (shard.size.load(std::memory_order_acquire) == 0)
      return nullptr;
    std::lock_guard<std::mutex> lock(shard.mutex);
    return shard.observers.lookup(object);
  }

  void set(void *object, void *observer) {
    Shard &shard = shardOf(object);
    std::lock_guard<std::mutex> lock(shard.mutex);
    if (observer)
      shard.observers[object] = observer;
    else
      shard.observers.erase(object);
    shard.size.store(shard.observers.size(), std::memory_order_release);
  }

  /// Takes out what stands for `object`; null if nothing does.
  void *take(void *object) {
    Shard &shard = shardOf(object);
    // An observer of this object was set before its death, as this thread sees it.
    if (shard.size.load(std::memory_order_acquire) == 0)
      return nullptr;
    std::lock_guard<std::mutex> lock(shard.mutex);
    auto found = shard.observers.find(object);
    if (found == shard.observers.end())
      return nullptr;
    void *observer = found->second;
    shard.observers.erase(found);
    shard.size.store(shard.observers.size(), std::memory_order_release);
    return observer;
  }

  void lockAll() {
    for (Shard &shard : shards)
      shard.mutex.lock();
  }

  void unlockAll() {
    for (Shard &shard : shards)
      shard.mutex.unlock();
  }

private:
  static constexpr unsigned shardBits = 6;

  struct alignas(64) Shard {
    std::atomic<size_t> size{0};
    std::mutex mutex;
    llvm::DenseMap<void *, void *> observers;
  };

  Shard &shardOf(void *object) {
    // Fibonacci hashing: the high bits of the product depend on every bit of the address.
    uint64_t product = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(object)) *
                       UINT64_C(0x9e3779b97f4a7c15);
    return shards[product >> (64 - shardBits)];
  }

  Shard shards[1u << shardBits];
};

struct Tables {
  ObserverTable blocks;
  ObserverTable arguments;

  void lockAll() {
    blocks.lockAll();
    arguments.lockAll();
  }

  void unlockAll() {
    arguments.unlockAll();
    blocks.unlockAll();
  }
};

void lockTables();
void unlockTables();

/// Never destroyed: operations may die as late as the process's own end.
Tables &tables() {
  static Tables *const instance = [] {
    auto *made = new Tables;
    // A child of fork has one thread; a lock that another one held would never be let go.
    pthread_atfork(lockTables, unlockTables, unlockTables);
    return made;
  }();
  return *instance;
}

void lockTables() { tables().lockAll(); }
void unlockTables() { tables().unlockAll(); }

void destroyBlock(mlir::Block *block) {
  mondo_block_destructor(block);
  if (void *observer = tables().blocks.take(block))
    announceDeath(observer);
  countDeath();
}

} // namespace

//===----------------------------------------------------------------------===//
// Functions that MLIR's objects call
//===----------------------------------------------------------------------===//

extern "C" void *mondo_op_alloc(size_t size) {
  // MLIR does not look at what malloc returns, and neither would it survive a null.
  unsigned kind = 0;
  void *memory = mondo::newOperationMemory(size + sizeof(OperationHeader), kind);
  if (LLVM_UNLIKELY(memory == nullptr))
    llvm::report_bad_alloc_error("mondo: no memory for an operation");
  auto *header = ::new (memory) OperationHeader;
  header->observer.store(nullptr, std::memory_order_relaxed);
  header->magic = aliveMagic | kind;
  return header + 1;
}

extern "C" void mondo_op_free(void *memory) {
  auto *header = static_cast<OperationHeader *>(memory) - 1;
  if (LLVM_UNLIKELY(!isAlive(header)))
    llvm::report_fatal_error("mondo: the memory of an operation that is destroyed was freed before, "
                             "was written over, or is not of this library's making");
  // Whoever set an observer is done with that before the operation dies, so this need be no
  // exchange, which would cost a tenth of a whole destruction.
  if (void *observer = header->observer.load(std::memory_order_acquire))
    announceDeath(observer);
  countDeath();
  mondo::deleteOperationMemory(header, header->magic & 0xff);
}

extern "C" void mondo_block_argument_delete(void *memory, size_t size) {
  if (void *observer = tables().arguments.take(memory))
    announceDeath(observer);
  countDeath();
  ::operator delete(memory, size);
}

extern "C" void mondo_block_complete_destructor(mlir::Block *block) { destroyBlock(block); }
extern "C" void mondo_block_base_destructor(mlir::Block *block) { destroyBlock(block); }

//===----------------------------------------------------------------------===//
// The C API
//===----------------------------------------------------------------------===//

extern "C" void mondoCountDeaths(bool wanted) {
  // Whoever begins to watch must not take the count of an earlier time for its own.
  deaths.fetch_add(1, std::memory_order_relaxed);
  deathsWanted.fetch_add(wanted ? 1 : -1, std::memory_order_acq_rel);
}

extern "C" uint64_t mondoDeathCount(void) { return deaths.load(std::memory_order_acquire); }

bool mondo::hasHeader(mlir::Operation *op) { return isAlive(headerOf(op)); }

mondo::DeathListener::DeathListener() : previous(deathListener) { deathListener = this; }
mondo::DeathListener::~DeathListener() { deathListener = previous; }

extern "C" bool mondoSetDeathCallback(MondoDeathCallback callback) {
  MondoDeathCallback none = nullptr;
  return deathCallback.compare_exchange_strong(none, callback, std::memory_order_acq_rel);
}

extern "C" void *mondoOperationGetObserver(MlirOperation op) {
  return headerOf(unwrap(op))->observer.load(std::memory_order_acquire);
}

extern "C" void *mondoOperationGetParentObserver(MlirOperation op) {
  mlir::Operation *parent = unwrap(op)->getParentOp();
  return parent ? headerOf(parent)->observer.load(std::memory_order_acquire) : nullptr;
}

extern "C" void mondoOperationSetObserver(MlirOperation op, void *observer) {
  headerOf(unwrap(op))->observer.store(observer, std::memory_order_release);
}

extern "C" void *mondoBlockGetObserver(MlirBlock block) {
  return tables().blocks.find(unwrap(block));
}

extern "C" void mondoBlockSetObserver(MlirBlock block, void *observer) {
  tables().blocks.set(unwrap(block), observer);
}

extern "C" void *mondoBlockArgumentGetObserver(MlirValue argument) {
  return tables().arguments.find(unwrap(argument).getImpl());
}

extern "C" void mondoBlockArgumentSetObserver(MlirValue argument, void *observer) {
  tables().arguments.set(unwrap(argument).getImpl(), observer);
}
