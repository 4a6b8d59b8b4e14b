// image: l2.so
// exports: found_first
int found_first(void) { return 2; }
