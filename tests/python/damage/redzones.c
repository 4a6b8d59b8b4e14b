// redzones.c - An allocator that notices writes outside of blocks and second frees
//
// To be preloaded. Each block has a header before and a pattern behind it, which free and realloc look at.
// Freed memory is overwritten, so that who reads it finds no sound pointers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void __libc_free(void *memory);

#define ZONE 32
#define ALIVE UINT64_C(0x6d6f6e646f72657a)
#define FREED UINT64_C(0x6672656564667265)
#define PATTERN 0xa5

typedef struct {
  void *start;   // The memory that libc gave.
  uint64_t size; // The bytes that were asked for.
  uint64_t magic;
  uint64_t check; // The size again, inverted.
} Header;

static void end(const char *message) {
  if (write(2, message, strlen(message)) < 0)
    _exit(99);
  abort();
}

static void *give(size_t alignment, size_t size) {
  if (size > SIZE_MAX / 2) {
    errno = ENOMEM;
    return NULL;
  }
  if (alignment < 16)
    alignment = 16;
  char *start = __libc_malloc(size + sizeof(Header) + alignment + ZONE);
  if (!start)
    return NULL;
  uintptr_t at = ((uintptr_t)start + sizeof(Header) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  Header *header = (Header *)at - 1;
  *header = (Header){start, size, ALIVE, ~(uint64_t)size};
  memset((char *)at + size, PATTERN, ZONE);
  return (void *)at;
}

static Header *checked(void *memory) {
  Header *header = (Header *)memory - 1;
  if (header->magic == FREED)
    end("redzones: a block was freed twice\n");
  if (header->magic != ALIVE || header->check != ~header->size)
    end("redzones: written before a block, or it is none\n");
  const unsigned char *zone = (unsigned char *)memory + header->size;
  for (int i = 0; i < ZONE; ++i)
    if (zone[i] != PATTERN)
      end("redzones: written behind a block\n");
  return header;
}

void *malloc(size_t size) { return give(16, size); }

void free(void *memory) {
  if (!memory)
    return;
  int error = errno;
  Header *header = checked(memory);
  header->magic = FREED;
  memset(memory, 0xdd, header->size < 256 ? header->size : 256);
  __libc_free(header->start);
  errno = error;
}

void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  void *memory = give(16, all);
  return memory ? memset(memory, 0, all) : NULL;
}

void *realloc(void *memory, size_t size) {
  if (!memory)
    return malloc(size);
  Header *header = checked(memory);
  void *moved = give(16, size);
  if (!moved)
    return NULL;
  memcpy(moved, memory, header->size < size ? header->size : size);
  free(memory);
  return moved;
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, all);
}

void *memalign(size_t alignment, size_t size) { return give(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return give(alignment, size); }
void *valloc(size_t size) { return give(4096, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = give(alignment, size);
  return *memory ? 0 : ENOMEM;
}

size_t malloc_usable_size(void *memory) { return memory ? checked(memory)->size : 0; }
