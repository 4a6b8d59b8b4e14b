// image: a.so
// exports: shared
// load: a.so global
// load: b.so local
__attribute__((weak)) int shared(void) { return 1; }
