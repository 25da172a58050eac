// Exceptions through functions in sections of their own, with inlined and with long descriptions,
// and across a library.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: collected: -pie -Wl,--gc-sections
//# variant: unmerged: -pie -Wl,--no-merge-exidx-entries
//# variant: emitted: -pie -Wl,--emit-relocs
//# compile: -O2 -fPIC -ffunction-sections
//# @pie,fixed,collected,unmerged,emitted shared: libdeep.so deep.o
//# @pie,fixed,collected,unmerged,emitted link: main.o -L. -ldeep -Wl,-rpath,$ORIGIN
//# @static link: main.o deep.o
//# run: stdout="deep 10 done\n"
//# check: readelf -lW $OUT | grep -q EXIDX
//# peers: ld
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
