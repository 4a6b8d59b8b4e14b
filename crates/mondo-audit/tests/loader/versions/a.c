// image: a.so
// exports: shared from_a
// node: A_1
// load: a.so global
// load: b.so global
// load: c.so local
int shared(void) { return 1; }
int from_a(void) { return shared(); }
