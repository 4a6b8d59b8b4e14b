// image: a.so
// exports: shared only_a
// load: a.so global
// load: b.so local
int shared(void) { return 1; }
int only_a(void) { return shared(); }
