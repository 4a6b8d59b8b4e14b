// image: b.so
// exports: shared open_to_all only_b pointer
// expect: b.so open_to_all a.so
__attribute__((visibility("protected"))) int shared(void) { return 2; }
int open_to_all(void) { return 2; }
int only_b(void) { return shared() + open_to_all(); }
int (*pointer)(void) = shared;
