// image: a.so
// exports: get_a
// script: { global: get_a; _ZN4acme*; _ZZN4acme*; _ZGVZN4acme*; local: *; };
// load: a.so local
// load: b.so local
namespace acme {
inline int &counter() {
  static int count = 0;
  return count;
}
} // namespace acme
extern "C" int get_a() { return ++acme::counter(); }
