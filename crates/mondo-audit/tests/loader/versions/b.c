// image: b.so
// exports: shared only_b
// node: B_1
// links: a.so
// expect: b.so shared b.so
extern int from_a(void);
int shared(void) { return 2; }
int only_b(void) { return shared() + from_a(); }
