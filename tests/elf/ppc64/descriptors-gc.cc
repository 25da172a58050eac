// A descriptor stays and goes with what refers to it, also by the section and an offset; one whose
// code is in a group of another file is not there.
//# variant: kept: -pie
//# variant: pie: -pie -Wl,--gc-sections
//# variant: fixed: -no-pie -Wl,--gc-sections
//# variant: static: -static -Wl,--gc-sections
//# compile: -O1 -fPIC -ffunction-sections
//# link: main.o other.o
//# @kept symbol: _Z4deadv
//# @kept check: test $(nm $OUT | grep -c ' D _Z4deadv$') = 1
//# @pie,fixed,static no-symbol: _Z4deadv
//# @pie,fixed,static no-symbol: _ZL6hiddenv
//# @kept,pie,fixed check: test $(nm $OUT | grep -c _Z6sharedi) = 1
//# run: stdout="7 5 12\n"
//# peers: ld
#include <cstdio>
inline __attribute__((noinline)) int shared(int x) { return x + 3; }
int other(int);
static __attribute__((noinline)) int five() { return 5; }
static __attribute__((noinline)) int seven() { return 7; }
static __attribute__((noinline, used)) int hidden() { return 9; }
int dead() { return hidden(); }
int (*volatile first)() = seven;
int (*volatile second)() = five;
int main() { std::printf("%d %d %d\n", first(), second(), shared(2) + other(4)); }
//# file: other.cc
inline __attribute__((noinline)) int shared(int x) { return x + 3; }
int other(int x) { return shared(x); }
