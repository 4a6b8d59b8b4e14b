//===-- find_object.cpp - _dl_find_object, in glibc since 2.35 ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

// glibc before 2.35 has no _dl_find_object, and the libgcc of a system with such a glibc does not
// call it.
#if __GLIBC_PREREQ(2, 35)

namespace {

struct Search {
  uintptr_t address;
  struct dl_find_object *found;
};

/// Looks at one loaded image, for dl_iterate_phdr. Returns 0 if the address is not in the image.
/// Any other result ends the search: 1 if the image has a table for unwinding (PT_GNU_EH_FRAME),
/// -1 if it has none.
int visit(struct dl_phdr_info *image, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  uintptr_t start = UINTPTR_MAX, end = 0, frames = 0;
  bool inside = false;
  for (size_t i = 0; i < image->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = image->dlpi_phdr[i];
    uintptr_t at = image->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME)
      frames = at;
    if (part.p_type != PT_LOAD)
      continue;
    if (at < start)
      start = at;
    if (at + part.p_memsz > end)
      end = at + part.p_memsz;
    inside |= search->address >= at && search->address - at < part.p_memsz;
  }
  if (!inside)
    return 0;
  if (!frames)
    return -1;
  uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = reinterpret_cast<void *>(start & ~(page - 1));
  search->found->dlfo_map_end = reinterpret_cast<void *>(end);
  // libgcc's unwinder, the only caller, reads the address of the frames alone; and dl_iterate_phdr
  // does not tell the link map.
  search->found->dlfo_link_map = nullptr;
  search->found->dlfo_eh_frame = reinterpret_cast<void *>(frames);
  return 1;
}

} // namespace

// libgcc takes "not found" for the end of the stack, and does not search in another way
// afterwards. So this function has to find every image that has a table for unwinding.
extern "C" int MONDO_REPLACEMENT(_dl_find_object)(void *address,
                                            struct dl_find_object *found) noexcept {
  Search search{reinterpret_cast<uintptr_t>(address), found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}

#endif
