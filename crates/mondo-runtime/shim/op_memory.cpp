//===-- op_memory.cpp - Where operations live -----------------------------===//
//
// Operations come and go by the ten thousand, in a dozen sizes, and malloc takes a third of the time
// that destroying a module needs. Here each size has pages of its own, so that making one takes a
// slot from a list and destroying it puts the slot back.
//
// A thread has lists of its own for that, which hold a batch or two for each size. Behind them are
// the pages, which one mutex guards: a page counts the slots that are out, and goes back to its
// region when all have come home, and an empty region goes back to the system. An operation may die
// in another thread than it was made in; its slot just changes over to that thread's lists.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "op_memory.h"

#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>

namespace {

constexpr size_t grain = 16;
/// The largest block that is allocated here; malloc has the rest. An operation with twenty operands
/// still fits.
constexpr size_t largest = 1024;
constexpr unsigned kinds = largest / grain + 1;
constexpr size_t pageSize = size_t{64} << 10;
constexpr size_t regionSize = size_t{2} << 20;
constexpr unsigned pagesInRegion = regionSize / pageSize;
/// The number of slots that move at a time between a thread and the pages.
constexpr unsigned batch = 64;

/// A slot that nothing lives in. The second word is where an operation's header has its magic,
/// which must not be found here.
struct Slot {
  Slot *next;
  uint64_t dead;
};

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

/// The head of a page of slots of one size. It is found by rounding a slot's address down.
struct Page {
  /// Slots of this page that were freed.
  Slot *free;
  /// The first of the slots that were never out.
  char *fresh;
  /// The next page in the list of those pages of this size that have slots to give.
  Page *next;
  Page **link;
  uint32_t slotSize;
  uint32_t out;
  /// In a region's first page alone: the number of the region's pages that are in use.
  uint32_t used;
  /// In a region's first page alone: the next region in the list of those that have pages to
  /// give.
  Page *nextRegion;
  Page **regionLink;

  char *end() { return reinterpret_cast<char *>(this) + pageSize; }
  bool isFull() { return !free && fresh + slotSize > end(); }
};

constexpr size_t headSize = 80;
static_assert(sizeof(Page) <= headSize && headSize % grain == 0, "slots are aligned as malloc's");
constexpr uint32_t allUsed = static_cast<uint32_t>((uint64_t{1} << pagesInRegion) - 1);

template <size_t size> char *roundDown(void *address) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(address) & ~uintptr_t{size - 1});
}

/// All pages of the process. Never destroyed, as operations may die as late as the process's end.
class Pages {
public:
  /// Up to a batch of slots, or none where there is no memory. `count` says how many.
  Slot *take(unsigned kind, unsigned &count) {
    std::lock_guard<std::mutex> lock(mutex);
    Slot *slots = nullptr;
    Slot **tail = &slots;
    for (count = 0; count < batch; ++count) {
      Page *page = open[kind] ? open[kind] : newPage(kind);
      if (!page)
        break;
      Slot *slot = page->free;
      if (slot) {
        page->free = slot->next;
      } else {
        slot = reinterpret_cast<Slot *>(page->fresh);
        slot->dead = 0;
        page->fresh += page->slotSize;
      }
      ++page->out;
      if (page->isFull())
        unlink(page);
      *tail = slot;
      tail = &slot->next;
    }
    *tail = nullptr;
    return slots;
  }

  void giveBack(unsigned kind, Slot *slots) {
    std::lock_guard<std::mutex> lock(mutex);
    while (slots) {
      Slot *slot = slots;
      slots = slot->next;
      auto *page = reinterpret_cast<Page *>(roundDown<pageSize>(slot));
      if (page->isFull())
        link(page, kind);
      slot->next = page->free;
      page->free = slot;
      if (--page->out == 0)
        endPage(page);
    }
  }

  /// In a child of fork there is one thread; a lock that another one held would never be let go.
  Pages() { pthread_atfork(lockAll, unlockAll, unlockAll); }

private:
  static void lockAll();
  static void unlockAll();

  void link(Page *page, unsigned kind) {
    page->next = open[kind];
    page->link = &open[kind];
    if (page->next)
      page->next->link = &page->next;
    open[kind] = page;
  }

  void unlink(Page *page) {
    *page->link = page->next;
    if (page->next)
      page->next->link = page->link;
  }

  Page *newPage(unsigned kind) {
    if (!regions && !newRegion())
      return nullptr;
    Page *region = regions;
    if (region == spare)
      spare = nullptr;
    unsigned index = static_cast<unsigned>(__builtin_ctz(~region->used));
    region->used |= uint32_t{1} << index;
    if (region->used == allUsed)
      unlinkRegion(region);
    auto *page = reinterpret_cast<Page *>(reinterpret_cast<char *>(region) + index * pageSize);
    page->free = nullptr;
    page->fresh = reinterpret_cast<char *>(page) + headSize;
    page->slotSize = static_cast<uint32_t>(kind * grain);
    page->out = 0;
    link(page, kind);
    return page;
  }

  void endPage(Page *page) {
    unlink(page);
    auto *region = reinterpret_cast<Page *>(roundDown<regionSize>(page));
    if (region->used == allUsed)
      linkRegion(region);
    auto offset = reinterpret_cast<char *>(page) - reinterpret_cast<char *>(region);
    region->used &= ~(uint32_t{1} << (static_cast<size_t>(offset) / pageSize));
    if (region->used != 0)
      return;
    // One empty region is kept, so that a program which makes and drops one module after another
    // does not ask the system for each.
    if (spare) {
      unlinkRegion(region);
      munmap(region, regionSize);
      --mapped;
    } else {
      spare = region;
    }
  }

  bool newRegion() {
    // Twice as much, to cut an aligned one out of it.
    void *memory = mmap(nullptr, 2 * regionSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    char *begin = static_cast<char *>(memory);
    char *start = roundDown<regionSize>(begin + regionSize - 1);
    if (start != begin)
      munmap(begin, static_cast<size_t>(start - begin));
    munmap(start + regionSize, static_cast<size_t>(begin + regionSize - start));
#ifdef MADV_HUGEPAGE
    // Going through a large module misses the translation of addresses more than anything else.
    // Whoever has few operations need not pay two megabytes for it.
    if (mapped != 0)
      madvise(start, regionSize, MADV_HUGEPAGE);
#endif
    ++mapped;
    linkRegion(reinterpret_cast<Page *>(start));
    return true;
  }

  void linkRegion(Page *region) {
    region->nextRegion = regions;
    region->regionLink = &regions;
    if (regions)
      regions->regionLink = &region->nextRegion;
    regions = region;
  }

  void unlinkRegion(Page *region) {
    *region->regionLink = region->nextRegion;
    if (region->nextRegion)
      region->nextRegion->regionLink = region->regionLink;
  }

  std::mutex mutex;
  Page *open[kinds] = {};
  Page *regions = nullptr;
  Page *spare = nullptr;
  unsigned mapped = 0;
};

Pages &pages() {
  static Pages *const instance = new Pages;
  return *instance;
}

void Pages::lockAll() { pages().mutex.lock(); }
void Pages::unlockAll() { pages().mutex.unlock(); }

//===----------------------------------------------------------------------===//
// Slots at hand of each thread
//===----------------------------------------------------------------------===//

struct List {
  Slot *slots;
  /// Another batch, or none. So a thread that makes and destroys at the edge of a batch does not go
  /// to the pages for each.
  Slot *reserve;
  unsigned count;
};

struct Lists {
  List of[kinds];
  bool closed;
};

thread_local Lists lists;

/// Gives a thread's slots back when it ends. What dies even later goes to the pages at once.
struct Closer {
  bool armed = true;

  ~Closer() {
    lists.closed = true;
    for (unsigned kind = 1; kind < kinds; ++kind) {
      List &list = lists.of[kind];
      if (list.slots)
        pages().giveBack(kind, list.slots);
      if (list.reserve)
        pages().giveBack(kind, list.reserve);
      // The list counts as full, so that each slot that comes back later takes the slow path,
      // which finds that the thread has ended.
      list = {nullptr, nullptr, batch};
    }
  }
};

thread_local Closer closer;

/// True if operations are to come from malloc, which memcheck and similar tools can track.
bool isPlain() {
  static const bool plain = std::getenv("MONDO_PLAIN_MALLOC") != nullptr;
  return plain;
}

LLVM_ATTRIBUTE_NOINLINE void *refill(size_t size, unsigned &kind) {
  List &list = lists.of[kind];
  if (isPlain()) {
    kind = 0;
    return std::malloc(size);
  }
  Slot *slot = list.reserve;
  if (slot) {
    list.reserve = nullptr;
    list.slots = slot->next;
    list.count = batch - 1;
    return slot;
  }
  unsigned count = 0;
  slot = pages().take(kind, count);
  if (!slot)
    return nullptr;
  if (lists.closed) {
    if (slot->next)
      pages().giveBack(kind, slot->next);
    return slot;
  }
  closer.armed = true;
  list.slots = slot->next;
  list.count = count - 1;
  return slot;
}

LLVM_ATTRIBUTE_NOINLINE void makeRoom(List &list, unsigned kind) {
  if (list.reserve)
    pages().giveBack(kind, list.reserve);
  list.reserve = list.slots;
  list.slots = nullptr;
  list.count = 0;
}

} // namespace

void *mondo::newOperationMemory(size_t size, unsigned &kind) {
  size_t grains = (size + grain - 1) / grain;
  if (LLVM_UNLIKELY(grains >= kinds)) {
    kind = 0;
    return std::malloc(size);
  }
  kind = static_cast<unsigned>(grains);
  List &list = lists.of[kind];
  Slot *slot = list.slots;
  if (LLVM_UNLIKELY(!slot))
    return refill(size, kind);
  list.slots = slot->next;
  --list.count;
  return slot;
}

void mondo::deleteOperationMemory(void *memory, unsigned kind) {
  if (LLVM_UNLIKELY(kind == 0))
    return std::free(memory);
  auto *slot = static_cast<Slot *>(memory);
  slot->dead = 0;
  List &list = lists.of[kind];
  if (LLVM_UNLIKELY(list.count == batch)) {
    if (lists.closed) {
      slot->next = nullptr;
      return pages().giveBack(kind, slot);
    }
    closer.armed = true;
    makeRoom(list, kind);
  }
  slot->next = list.slots;
  list.slots = slot;
  ++list.count;
}
