// image: b.so
// exports: shared only_b
// symbolic: yes
// flags: -Wl,--unresolved-symbols=ignore-all
// expect: b.so shared b.so
int shared(void) { return 2; }
extern int other(void) __attribute__((weak));
int only_b(void) { return shared() + (other ? other() : 0); }
