// image: b.so
// exports: get_b
// script: { global: get_b; _ZN4acme*; _ZZN4acme*; _ZGVZN4acme*; local: *; };
// expect: b.so _ZZN4acme7counterEvE5count a.so
namespace acme {
inline int &counter() {
  static int count = 0;
  return count;
}
} // namespace acme
extern "C" int get_b() { return ++acme::counter(); }
