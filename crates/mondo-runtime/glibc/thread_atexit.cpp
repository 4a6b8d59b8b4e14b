//===-- thread_atexit.cpp - __cxa_thread_atexit_impl, in glibc since 2.18 -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>

namespace {

using Destructor = void (*)(void *);

/// A thread-local object that is to be destroyed.
struct Object {
  Destructor destroy;
  void *object;
  Object *next;
};

/// The objects of this thread that are to be destroyed, the newest first.
__thread Object *Objects;

pthread_key_t Key;
pthread_once_t Once = PTHREAD_ONCE_INIT;
int (*Real)(Destructor, void *, void *);

/// Destroys the objects of this thread. A destructor may make further objects, which are then
/// first in the list.
void destroyAll(void *) {
  while (Object *first = Objects) {
    Objects = first->next;
    first->destroy(first->object);
    free(first);
  }
}

void destroyMine() { destroyAll(nullptr); }

void prepare() {
#ifndef MONDO_REPLACEMENT_TEST
  Real = reinterpret_cast<int (*)(Destructor, void *, void *)>(
      dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl"));
  if (Real)
    return;
#endif
  if (pthread_key_create(&Key, destroyAll) != 0)
    abort();
  // The thread that ends the process calls exit and does not end itself, so that the key's
  // function is not called for it.
  if (atexit(destroyMine) != 0)
    abort();
  // A thread may outlive the last dlclose of the image whose destructors it is to call.
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&destroyAll), &self))
    dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

} // namespace

extern "C" int MONDO_REPLACEMENT(__cxa_thread_atexit_impl)(Destructor destroy,
                                                     void *object,
                                                     void *image) noexcept {
  pthread_once(&Once, prepare);
  if (Real)
    return Real(destroy, object, image);
  Object *first = static_cast<Object *>(malloc(sizeof(Object)));
  if (!first)
    return -1;
  *first = {destroy, object, Objects};
  Objects = first;
  // Any value but null makes the thread's end call the key's function.
  pthread_setspecific(Key, first);
  return 0;
}
