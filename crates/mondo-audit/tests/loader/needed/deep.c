// image: deep.so
// exports: found_first from_deep
int found_first(void) { return 3; }
int from_deep(void) { return found_first(); }
