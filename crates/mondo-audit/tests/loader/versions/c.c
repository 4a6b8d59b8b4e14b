// image: c.so
// exports: only_c
// flags: -Wl,--unresolved-symbols=ignore-all
// expect: c.so shared a.so
extern int shared(void) __attribute__((weak));
extern int from_a(void) __attribute__((weak));
int only_c(void) { return (shared ? shared() : 0) + (from_a ? from_a() : 0); }
