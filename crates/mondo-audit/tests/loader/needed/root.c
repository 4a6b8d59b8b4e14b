// image: root.so
// exports: run
// links: l1.so l2.so
// load: root.so local
// load: z.so global
extern int from_1(void);
extern int found_first(void);
int run(void) { return from_1() + found_first(); }
