//===-- clockwait.cpp - waits for a clock, in glibc since 2.30 ------------===//
//
// libstdc++ calls these functions for waits until a time of the steady clock, such as
// std::condition_variable::wait_for, if the glibc that it is compiled with has them. With an older glibc it does
// what is done here: it waits for the same duration on the system's clock. A change of that clock makes the wait
// longer or shorter, so that the wait is repeated while the steady clock has not reached the time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>

static const long Second = 1000000000;

// The nanoseconds from now until a time of this clock, at least 0.
static long long left(clockid_t clock, const timespec *until) {
  timespec now;
  clock_gettime(clock, &now);
  long long nanoseconds =
      static_cast<long long>(until->tv_sec - now.tv_sec) * Second + (until->tv_nsec - now.tv_nsec);
  return nanoseconds > 0 ? nanoseconds : 0;
}

// Waits by `wait`, which takes a time of the system's clock, until a time of this clock.
template <typename Wait> static int waitUntil(clockid_t clock, const timespec *until, Wait wait) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  if (clock == CLOCK_REALTIME || until->tv_nsec < 0 || until->tv_nsec >= Second)
    return wait(until);
  int code;
  do {
    long long nanoseconds = left(clock, until);
    timespec system;
    clock_gettime(CLOCK_REALTIME, &system);
    nanoseconds += system.tv_nsec;
    system.tv_sec += static_cast<time_t>(nanoseconds / Second);
    system.tv_nsec = static_cast<long>(nanoseconds % Second);
    code = wait(&system);
  } while (code == ETIMEDOUT && left(clock, until) > 0);
  return code;
}

extern "C" int MONDO_REPLACEMENT(pthread_cond_clockwait)(pthread_cond_t *condition,
                                                         pthread_mutex_t *mutex, clockid_t clock,
                                                         const timespec *until) {
  return waitUntil(clock, until, [=](const timespec *time) {
    return pthread_cond_timedwait(condition, mutex, time);
  });
}

extern "C" int MONDO_REPLACEMENT(pthread_mutex_clocklock)(pthread_mutex_t *mutex, clockid_t clock,
                                                          const timespec *until) {
  return waitUntil(clock, until,
                   [=](const timespec *time) { return pthread_mutex_timedlock(mutex, time); });
}

extern "C" int MONDO_REPLACEMENT(pthread_rwlock_clockrdlock)(pthread_rwlock_t *lock,
                                                             clockid_t clock,
                                                             const timespec *until) {
  return waitUntil(clock, until,
                   [=](const timespec *time) { return pthread_rwlock_timedrdlock(lock, time); });
}

extern "C" int MONDO_REPLACEMENT(pthread_rwlock_clockwrlock)(pthread_rwlock_t *lock,
                                                             clockid_t clock,
                                                             const timespec *until) {
  return waitUntil(clock, until,
                   [=](const timespec *time) { return pthread_rwlock_timedwrlock(lock, time); });
}

extern "C" int MONDO_REPLACEMENT(sem_clockwait)(sem_t *semaphore, clockid_t clock,
                                                const timespec *until) {
  int code = waitUntil(clock, until, [=](const timespec *time) {
    return sem_timedwait(semaphore, time) == 0 ? 0 : errno;
  });
  if (code == 0)
    return 0;
  errno = code;
  return -1;
}
