// image: a.so
// exports: shared other
// load: a.so global
// load: b.so local
int shared(void) { return 1; }
int other(void) { return 1; }
