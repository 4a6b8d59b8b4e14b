// image: 2.so
// soname: 2.so
// exports: answer
int answer(void) { return 2; }
