// Groups survive -r once, and exceptions work afterwards.
//# relocatable: both.o main.o b.o
//# link: both.o
//# run: stdout="caught 3\n"
#include <cstdio>
template <class T> T twice(T x) { return x + x; }
int thrower();
int main() {
  try { thrower(); } catch (int x) { std::printf("caught %d\n", x + twice(0)); }
}
//# file: b.cc
template <class T> T twice(T x) { return x + x; }
int thrower() { throw 3 + twice(0); }
