// Exceptions go through frames of a program and of a library.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: gc: -no-pie -Wl,--gc-sections,--icf=all | -ffunction-sections
//# compile: -O1 -fPIC
//# shared: libthrow.so throw.o
//# link: main.o -L. -lthrow -Wl,-rpath,$ORIGIN
//# run: stdout="unwound 1 2\n"
//# @pie,fixed peers: ld
//# @gc peers: none
#include <cstdio>
void thrower(int);
struct Guard {
  int &count;
  ~Guard() { count++; }
};
int main() {
  int unwound = 0;
  try {
    Guard guard{unwound};
    thrower(2);
  } catch (int value) {
    std::printf("unwound %d %d\n", unwound, value);
  }
}
//# file: throw.cc
void thrower(int value) { throw value; }
