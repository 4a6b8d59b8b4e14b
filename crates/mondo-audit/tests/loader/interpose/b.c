// image: b.so
// exports: shared only_b pointer
// expect: b.so shared a.so
int shared(void) { return 2; }
int only_b(void) { return shared(); }
int (*pointer)(void) = shared;
