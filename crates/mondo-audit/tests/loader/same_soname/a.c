// image: lib_1.so
// soname: libx.so
// exports: answer
// load: lib_1.so local
// load: user.so local
int answer(void) { return 1; }
