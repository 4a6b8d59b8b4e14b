// image: user.so
// exports: user
// links: lib_1.so
// expect: user.so answer lib_1.so
extern int answer(void);
int user(void) { return answer(); }
