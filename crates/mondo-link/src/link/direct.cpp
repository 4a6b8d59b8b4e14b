//===-- direct.cpp - how an extension finds the library's functions -------===//
//
// The loader looks a name up in whatever the process has loaded globally before it looks into the
// libraries that the extension needs; and a library without symbol versions, as other builds of MLIR
// are, satisfies every version. So the extension does not ask the loader: each function of the C API
// is a jump through a word of its own, and the words are filled in here, from the one library that
// the extension was linked against, before any code of the extension runs.
//
// The build writes before this file: MONDO_LIBRARY, the library's name; where the extension is of
// one build with the library, MONDO_BUILD_ID, the library's build-id in hexadecimal; and after it
// the jumps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#define HIDDEN extern "C" __attribute__((visibility("hidden")))

/// One word for each function that the extension calls: the address of its name, and then its own. An extension that
/// calls none has no such section, and both are null.
HIDDEN void *__start_mondo_links[] __attribute__((weak));
HIDDEN void *__stop_mondo_links[] __attribute__((weak));

/// The reason for which the extension cannot be used; empty if it can. The extension raises it when it is initialised.
HIDDEN char mondo_link_error[1024];
char mondo_link_error[1024];

namespace {

#ifdef MONDO_BUILD_ID
/// The build-id to look for in the images of the process, and the base address of the image found.
struct Wanted {
  ElfW(Addr) base;
  char buildId[2 * 64 + 1];
};

/// Writes the build-id among the notes of a segment as text.
void readBuildId(const char *notes, size_t size, Wanted &wanted) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = reinterpret_cast<const ElfW(Nhdr) *>(notes);
    size_t name = (note->n_namesz + 3) & ~size_t(3);
    size_t all = sizeof(*note) + name + ((note->n_descsz + 3) & ~size_t(3));
    if (all > size)
      return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= 64) {
      const unsigned char *id = reinterpret_cast<const unsigned char *>(
          notes + sizeof(*note) + name);
      for (unsigned i = 0; i < note->n_descsz; ++i)
        snprintf(wanted.buildId + 2 * i, 3, "%02x", id[i]);
      return;
    }
    notes += all;
    size -= all;
  }
}

int lookAt(dl_phdr_info *image, size_t, void *data) {
  Wanted &wanted = *static_cast<Wanted *>(data);
  if (image->dlpi_addr != wanted.base)
    return 0;
  for (int i = 0; i < image->dlpi_phnum; ++i)
    if (image->dlpi_phdr[i].p_type == PT_NOTE)
      readBuildId(reinterpret_cast<const char *>(image->dlpi_addr +
                                                 image->dlpi_phdr[i].p_vaddr),
                  image->dlpi_phdr[i].p_memsz, wanted);
  return 1;
}

bool isOfThisBuild(void *library, const link_map *map) {
  Wanted wanted = {map->l_addr, ""};
  dl_iterate_phdr(lookAt, &wanted);
  return strcmp(wanted.buildId, MONDO_BUILD_ID) == 0;
}
#else
bool isOfThisBuild(void *, const link_map *) { return true; }
#endif

// The first of all constructors (lower numbers are the implementation's): static initialisers of the
// extension may call the library.
__attribute__((constructor(101))) void link() {
  // It is loaded already, because the extension needs it.
  void *library = dlopen(MONDO_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  link_map *map = nullptr;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
    snprintf(mondo_link_error, sizeof(mondo_link_error),
             "%s was not loaded with this extension", MONDO_LIBRARY);
    return;
  }
  if (!isOfThisBuild(library, map)) {
    snprintf(mondo_link_error, sizeof(mondo_link_error),
             "%s and this extension are not of one build", map->l_name);
    return;
  }
  for (void **word = __start_mondo_links; word != __stop_mondo_links; ++word) {
    const char *name = static_cast<const char *>(*word);
    void *function = dlsym(library, name);
    if (!function) {
      snprintf(mondo_link_error, sizeof(mondo_link_error),
               "%s has no function %s, which this extension needs", map->l_name,
               name);
      return;
    }
    *word = function;
  }
}

} // namespace
