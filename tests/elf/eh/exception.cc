// An exception passes through frames of several objects and a library.
//# driver: g++
//# variant: pie: main.o b.o libx.so
//# variant: static: -static main.o b.o x.o
//# variant: nopie: -no-pie main.o b.o libx.so
//# compile: -fPIC
//# shared: libx.so x.o
//# run: stdout="dtor caught 42\n"
#include <cstdio>
#include <stdexcept>
void middle(int);
int main() {
  try { middle(42); } catch (int x) { std::printf("caught %d\n", x); }
}
//# file: b.cc
#include <cstdio>
void thrower(int);
struct S { ~S() { std::printf("dtor "); } };
void middle(int x) { S s; thrower(x); }
//# file: x.cc
void thrower(int x) { throw x; }
