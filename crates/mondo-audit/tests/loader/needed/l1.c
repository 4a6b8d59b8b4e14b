// image: l1.so
// exports: from_1
// links: deep.so
// expect: l1.so found_first l2.so
extern int found_first(void);
int from_1(void) { return found_first(); }
