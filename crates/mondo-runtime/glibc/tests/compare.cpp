//===-- compare.cpp - The functions of this folder beside the real ones ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <set>
#include <string>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <ctime>
#include <unistd.h>
#include <vector>

extern "C" {
int mondo_replacement_stat(const char *, struct stat *) noexcept;
int mondo_replacement_fstat(int, struct stat *) noexcept;
int mondo_replacement_lstat(const char *, struct stat *) noexcept;
int mondo_replacement_fstatat(int, const char *, struct stat *, int) noexcept;
int mondo_replacement_stat64(const char *, struct stat64 *) noexcept;
int mondo_replacement_fstat64(int, struct stat64 *) noexcept;
int mondo_replacement_lstat64(const char *, struct stat64 *) noexcept;
int mondo_replacement_fstatat64(int, const char *, struct stat64 *, int) noexcept;
int mondo_replacement_mknod(const char *, mode_t, dev_t) noexcept;
int mondo_replacement_mknodat(int, const char *, mode_t, dev_t) noexcept;
extern char mondo_replacement___libc_single_threaded;
int mondo_replacement_getentropy(void *, size_t);
uint32_t mondo_replacement_arc4random() noexcept;
struct mallinfo2 mondo_replacement_mallinfo2() noexcept;
int mondo_replacement___cxa_thread_atexit_impl(void (*)(void *), void *,
                                         void *) noexcept;
int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) noexcept;
int mondo_replacement__dl_find_object(void *, struct dl_find_object *) noexcept;
int mondo_replacement_pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                             const struct timespec *);
int mondo_replacement_pthread_mutex_clocklock(pthread_mutex_t *, clockid_t,
                                              const struct timespec *) noexcept;
int mondo_replacement_pthread_rwlock_clockrdlock(pthread_rwlock_t *, clockid_t,
                                                 const struct timespec *) noexcept;
int mondo_replacement_pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t,
                                                 const struct timespec *) noexcept;
int mondo_replacement_sem_clockwait(sem_t *, clockid_t, const struct timespec *);
extern void *__dso_handle;
long mondo_replacement___isoc23_strtol(const char *, char **, int) noexcept;
long long mondo_replacement___isoc23_strtoll(const char *, char **, int) noexcept;
unsigned long mondo_replacement___isoc23_strtoul(const char *, char **, int) noexcept;
unsigned long long mondo_replacement___isoc23_strtoull(const char *, char **, int) noexcept;
int mondo_replacement___isoc23_sscanf(const char *, const char *, ...) noexcept;
int mondo_replacement___isoc23_fscanf(FILE *, const char *, ...);
__float128 mondo_replacement_logf128(__float128) noexcept;
}

static int Failures;

static void expect(bool holds, const char *what, int line) {
  if (holds)
    return;
  std::fprintf(stderr, "line %d: %s\n", line, what);
  ++Failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/// The result of a call, and the errno that it leaves. Each call starts with errno 0.
template <typename Call> static std::pair<int, int> outcome(Call call) {
  errno = 0;
  int result = call();
  return {result, errno};
}

template <typename Status, typename Theirs, typename Ours>
static void same(Theirs theirs, Ours ours, int line) {
  Status real, shim;
  std::memset(&real, 0, sizeof real);
  std::memset(&shim, 0, sizeof shim);
  auto expected = outcome([&] { return theirs(&real); });
  auto got = outcome([&] { return ours(&shim); });
  expect(expected == got, "another result or errno", line);
  expect(real.st_dev == shim.st_dev && real.st_ino == shim.st_ino &&
             real.st_mode == shim.st_mode && real.st_nlink == shim.st_nlink &&
             real.st_uid == shim.st_uid && real.st_gid == shim.st_gid &&
             real.st_rdev == shim.st_rdev && real.st_size == shim.st_size &&
             real.st_blksize == shim.st_blksize &&
             real.st_blocks == shim.st_blocks &&
             real.st_mtim.tv_sec == shim.st_mtim.tv_sec &&
             real.st_mtim.tv_nsec == shim.st_mtim.tv_nsec &&
             real.st_ctim.tv_nsec == shim.st_ctim.tv_nsec,
         "another status", line);
}

static void files(const std::string &dir) {
  std::string file = dir + "/file", link = dir + "/link";
  int open = ::open(file.c_str(), O_CREAT | O_RDWR, 0640);
  EXPECT(open >= 0 && write(open, "seven!!", 7) == 7);
  EXPECT(symlink("file", link.c_str()) == 0);
  std::string missing = dir + "/missing";
  for (const char *path :
       {file.c_str(), link.c_str(), missing.c_str(), "/dev/null", ""}) {
    using S = struct stat;
    using S64 = struct stat64;
    same<S>([&](S *s) { return stat(path, s); },
            [&](S *s) { return mondo_replacement_stat(path, s); }, __LINE__);
    same<S>([&](S *s) { return lstat(path, s); },
            [&](S *s) { return mondo_replacement_lstat(path, s); }, __LINE__);
    same<S64>([&](S64 *s) { return stat64(path, s); },
              [&](S64 *s) { return mondo_replacement_stat64(path, s); }, __LINE__);
    same<S64>([&](S64 *s) { return lstat64(path, s); },
              [&](S64 *s) { return mondo_replacement_lstat64(path, s); }, __LINE__);
    for (int flags : {0, AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH, 1 << 20}) {
      same<S>([&](S *s) { return fstatat(open, path, s, flags); },
              [&](S *s) { return mondo_replacement_fstatat(open, path, s, flags); },
              __LINE__);
      same<S64>(
          [&](S64 *s) { return fstatat64(AT_FDCWD, path, s, flags); },
          [&](S64 *s) {
            return mondo_replacement_fstatat64(AT_FDCWD, path, s, flags);
          },
          __LINE__);
    }
  }
  for (int descriptor : {open, -1}) {
    using S = struct stat;
    using S64 = struct stat64;
    same<S>([&](S *s) { return fstat(descriptor, s); },
            [&](S *s) { return mondo_replacement_fstat(descriptor, s); }, __LINE__);
    same<S64>([&](S64 *s) { return fstat64(descriptor, s); },
              [&](S64 *s) { return mondo_replacement_fstat64(descriptor, s); },
              __LINE__);
  }
  // A pipe is the only special file that anyone may make.
  std::string pipe = dir + "/pipe", pipeAt = dir + "/pipe-at";
  EXPECT(mondo_replacement_mknod(pipe.c_str(), S_IFIFO | 0600, 0) == 0);
  EXPECT(mondo_replacement_mknodat(AT_FDCWD, pipeAt.c_str(), S_IFIFO | 0600, 0) == 0);
  struct stat made;
  EXPECT(stat(pipe.c_str(), &made) == 0 && S_ISFIFO(made.st_mode));
  EXPECT(stat(pipeAt.c_str(), &made) == 0 && S_ISFIFO(made.st_mode));
  EXPECT(outcome([&] { return mknod(pipe.c_str(), S_IFIFO | 0600, 0); }) ==
         outcome([&] { return mondo_replacement_mknod(pipe.c_str(), S_IFIFO | 0600, 0); }));
  close(open);
}

static void randomness() {
  EXPECT(outcome([] { char b[257]; return getentropy(b, 257); }) ==
         outcome([] { char b[257]; return mondo_replacement_getentropy(b, 257); }));
  EXPECT(mondo_replacement_getentropy(nullptr, 0) == 0);
  char full[256] = {};
  EXPECT(mondo_replacement_getentropy(full, sizeof full) == 0);
  std::set<char> bytes(full, full + sizeof full);
  EXPECT(bytes.size() > 100);
  std::set<uint32_t> numbers;
  for (int i = 0; i < 1000; ++i)
    numbers.insert(mondo_replacement_arc4random());
  EXPECT(numbers.size() > 990);
}

static void memory() {
  struct mallinfo2 before = mallinfo2(), shim = mondo_replacement_mallinfo2();
  EXPECT(std::memcmp(&before, &shim, sizeof shim) == 0);
  // Above what a signed counter holds: mapped, but never touched.
  void *volatile block = std::malloc(size_t(3) << 30);
  struct mallinfo2 real = mallinfo2(), large = mondo_replacement_mallinfo2();
  EXPECT(real.hblkhd > before.hblkhd);
  EXPECT(std::memcmp(&real, &large, sizeof large) == 0);
  std::free(block);
}

/// Whether both functions read the same number, and stop at the same place with the same errno.
template <typename Number>
static bool readAlike(Number (*real)(const char *, char **, int),
                      Number (*shim)(const char *, char **, int)) {
  for (const char *text : {"42x", "-7", "0x1f", " 017", "99999999999999999999", "", "x"})
    for (int base : {0, 8, 10, 16}) {
      char *ends[2];
      errno = 0;
      const Number first = real(text, &ends[0], base);
      const int expected = errno;
      errno = 0;
      if (shim(text, &ends[1], base) != first || errno != expected || ends[0] != ends[1])
        return false;
    }
  return true;
}

static void numbers() {
  EXPECT(readAlike<long>(strtol, mondo_replacement___isoc23_strtol));
  EXPECT(readAlike<long long>(strtoll, mondo_replacement___isoc23_strtoll));
  EXPECT(readAlike<unsigned long>(strtoul, mondo_replacement___isoc23_strtoul));
  EXPECT(readAlike<unsigned long long>(strtoull, mondo_replacement___isoc23_strtoull));
  int one = 0, two = 0;
  EXPECT(mondo_replacement___isoc23_sscanf("3 0x10 z", "%d %i", &one, &two) == 2);
  EXPECT(one == 3 && two == 16);
  FILE *file = std::tmpfile();
  EXPECT(file && std::fputs("5 six", file) >= 0);
  std::rewind(file);
  EXPECT(mondo_replacement___isoc23_fscanf(file, "%d %d", &one, &two) == 1 && one == 5);
  std::fclose(file);
  // It has no result, which LLVM learns from errno.
  errno = 0;
  mondo_replacement_logf128(2);
  EXPECT(errno == EDOM);
}

using Register = int (*)(void (*)(void *), void *, void *);
static Register TheRegister;
static std::string *Order;

static void note(void *what) { Order->push_back(*static_cast<char *>(what)); }

/// A destructor that makes another object.
static void noteAndMore(void *what) {
  note(what);
  static char more = 'm';
  if (*static_cast<char *>(what) == 'b')
    TheRegister(note, &more, &__dso_handle);
}

static std::string destroyedBy(Register function) {
  TheRegister = function;
  std::string order;
  Order = &order;
  pthread_t thread;
  auto run = [](void *) -> void * {
    static char names[] = "abc";
    for (char *name = names; *name; ++name)
      TheRegister(noteAndMore, name, &__dso_handle);
    return nullptr;
  };
  EXPECT(pthread_create(&thread, nullptr, run, nullptr) == 0);
  EXPECT(pthread_join(thread, nullptr) == 0);
  return order;
}

static void threads() {
  std::string real = destroyedBy(__cxa_thread_atexit_impl);
  EXPECT(real == "cbma");
  EXPECT(destroyedBy(mondo_replacement___cxa_thread_atexit_impl) == real);
}

/// The outcomes of a wait with each clock, until times that have passed, are near, and are none. A wait that times out
/// does so at its time, and not before.
template <typename Wait> static std::vector<std::pair<int, int>> waits(Wait wait) {
  std::vector<std::pair<int, int>> outcomes;
  for (clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID}) {
    for (long milliseconds : {-20, 20}) {
      timespec until, after;
      clock_gettime(clock, &until);
      until.tv_nsec += milliseconds * 1000000;
      until.tv_sec += until.tv_nsec < 0 ? -1 : until.tv_nsec >= 1000000000;
      until.tv_nsec = (until.tv_nsec + 1000000000) % 1000000000;
      outcomes.push_back(outcome([&] { return wait(clock, &until); }));
      clock_gettime(clock, &after);
      bool reached = after.tv_sec > until.tv_sec ||
                     (after.tv_sec == until.tv_sec && after.tv_nsec >= until.tv_nsec);
      auto [code, error] = outcomes.back();
      EXPECT(reached || (code != ETIMEDOUT && error != ETIMEDOUT));
    }
    timespec none{0, 1000000000};
    outcomes.push_back(outcome([&] { return wait(clock, &none); }));
  }
  return outcomes;
}

/// Waits for what another thread holds, and for what nobody does.
static void clocks() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  sem_t semaphore;
  EXPECT(sem_init(&semaphore, 0, 0) == 0);
  auto compare = [](auto theirs, auto ours) {
    auto expected = waits(theirs);
    EXPECT(waits(ours) == expected);
    return expected;
  };
  auto all = [&] {
    auto locked = compare(
        [&](clockid_t clock, const timespec *until) {
          int code = pthread_mutex_clocklock(&mutex, clock, until);
          return code == 0 ? pthread_mutex_unlock(&mutex) : code;
        },
        [&](clockid_t clock, const timespec *until) {
          int code = mondo_replacement_pthread_mutex_clocklock(&mutex, clock, until);
          return code == 0 ? pthread_mutex_unlock(&mutex) : code;
        });
    compare(
        [&](clockid_t clock, const timespec *until) {
          int code = pthread_rwlock_clockrdlock(&lock, clock, until);
          return code == 0 ? pthread_rwlock_unlock(&lock) : code;
        },
        [&](clockid_t clock, const timespec *until) {
          int code = mondo_replacement_pthread_rwlock_clockrdlock(&lock, clock, until);
          return code == 0 ? pthread_rwlock_unlock(&lock) : code;
        });
    compare(
        [&](clockid_t clock, const timespec *until) {
          int code = pthread_rwlock_clockwrlock(&lock, clock, until);
          return code == 0 ? pthread_rwlock_unlock(&lock) : code;
        },
        [&](clockid_t clock, const timespec *until) {
          int code = mondo_replacement_pthread_rwlock_clockwrlock(&lock, clock, until);
          return code == 0 ? pthread_rwlock_unlock(&lock) : code;
        });
    compare(
        [&](clockid_t clock, const timespec *until) {
          int code = sem_clockwait(&semaphore, clock, until);
          return code == 0 ? sem_post(&semaphore) : code;
        },
        [&](clockid_t clock, const timespec *until) {
          int code = mondo_replacement_sem_clockwait(&semaphore, clock, until);
          return code == 0 ? sem_post(&semaphore) : code;
        });
    return locked;
  };
  EXPECT(pthread_mutex_lock(&mutex) == 0);
  compare(
      [&](clockid_t clock, const timespec *until) {
        return pthread_cond_clockwait(&condition, &mutex, clock, until);
      },
      [&](clockid_t clock, const timespec *until) {
        return mondo_replacement_pthread_cond_clockwait(&condition, &mutex, clock, until);
      });
  EXPECT(pthread_rwlock_rdlock(&lock) == 0);
  EXPECT(all()[4].first == ETIMEDOUT);
  EXPECT(pthread_rwlock_unlock(&lock) == 0);
  EXPECT(pthread_mutex_unlock(&mutex) == 0);
  EXPECT(sem_post(&semaphore) == 0);
  EXPECT(all()[4].first == 0);
}

static int inProgram() { return 1; }

static void objects() {
  const void *vdso = dlsym(RTLD_DEFAULT, "clock_gettime");
  std::vector<void *> addresses = {
      reinterpret_cast<void *>(&inProgram),
      reinterpret_cast<void *>(&std::fopen),
      const_cast<void *>(vdso),
      dlsym(RTLD_DEFAULT, "_dl_find_object"),
      &addresses,
      nullptr,
      reinterpret_cast<void *>(-1),
      std::malloc(1),
  };
  int found = 0;
  for (void *address : addresses) {
    struct dl_find_object real, shim;
    int expected = _dl_find_object(address, &real);
    EXPECT(mondo_replacement__dl_find_object(address, &shim) == expected);
    if (expected != 0)
      continue;
    ++found;
    EXPECT(real.dlfo_map_start == shim.dlfo_map_start);
    EXPECT(real.dlfo_map_end == shim.dlfo_map_end);
    EXPECT(real.dlfo_eh_frame == shim.dlfo_eh_frame);
    EXPECT(real.dlfo_flags == shim.dlfo_flags);
  }
  EXPECT(found >= 4);
}

/// The thread that ends the process destroys its objects, too.
static void atTheEnd(void *) {
  std::puts("destroyed at the end");
  std::fflush(stdout);
}

int main(int, char **argv) {
  EXPECT(mondo_replacement___libc_single_threaded == 0);
  files(argv[1]);
  randomness();
  memory();
  numbers();
  threads();
  clocks();
  objects();
  mondo_replacement___cxa_thread_atexit_impl(atTheEnd, nullptr, &__dso_handle);
  return Failures != 0;
}
