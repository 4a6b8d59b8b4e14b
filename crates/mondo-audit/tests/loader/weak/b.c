// image: b.so
// exports: shared only_b
// expect: b.so shared a.so
int shared(void) { return 2; }
extern int absent(void) __attribute__((weak));
int only_b(void) { return absent ? absent() : shared(); }
