// An exception that a library throws is caught in the program, both with their own .eh_frame_hdr.
//# shared: libb.so b.o
//# link: libb.so
//# peers: ld
//# run: stdout="caught 7\n"
//# segment: GNU_EH_FRAME
//# disasm: main call
#include <cstdio>
int thrower(int);
int main() {
  try {
    return thrower(7);
  } catch (int e) {
    printf("caught %d\n", e);
  }
}
//# file: b.cc -fPIC
struct Guard { ~Guard(); };
int count;
Guard::~Guard() { count++; }
int thrower(int x) { Guard g; throw x; }
