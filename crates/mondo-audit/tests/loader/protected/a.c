// image: a.so
// exports: shared open_to_all
// load: a.so global
// load: b.so local
int shared(void) { return 1; }
int open_to_all(void) { return 1; }
