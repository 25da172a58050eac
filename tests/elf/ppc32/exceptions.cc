// Exceptions through functions whose calls go through thunks, and across a library.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: collected: -pie -Wl,--gc-sections
//# compile: -O2 -fPIC -ffunction-sections
//# @pie,fixed,collected shared: libdeep.so deep.o
//# @pie,fixed,collected link: main.o -L. -ldeep -Wl,-rpath,$ORIGIN
//# @static link: main.o deep.o
//# run: stdout="deep 10 done\n"
//# peers: ld lld
#include <cstdio>
#include <string>
int deep(int n);
struct Guard {
  int *count;
  ~Guard() { ++*count; }
};
int main() {
  int count = 0;
  for (int i = 0; i < 10; ++i) {
    try {
      Guard guard{&count};
      deep(i);
    } catch (const std::string &text) {
      if (text != "deep") return 1;
    }
  }
  std::printf("deep %d done\n", count);
}
//# file: deep.cc
#include <string>
int deep(int n) {
  if (n <= 0) throw std::string("deep");
  std::string kept(100, 'x');
  return deep(n - 1) + kept.size();
}
