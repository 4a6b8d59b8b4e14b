// image: user.so
// exports: user
// links: 2.so
// load: user.so local
// expect: user.so answer 2.so
extern int answer(void);
int user(void) { return answer(); }
