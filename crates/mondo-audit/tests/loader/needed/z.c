// image: z.so
// exports: from_z
// links: deep.so
extern int found_first(void);
int from_z(void) { return found_first(); }
