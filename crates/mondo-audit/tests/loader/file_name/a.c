// image: 1_copy.so
// soname: 2.so
// exports: answer
int answer(void) { return 1; }
