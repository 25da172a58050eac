// Tools that renumber symbols leave the table of significant addresses as it was, but without its
// link: it is not believed, and relocations tell whose address matters.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 functions do not find the GOT by their own addresses
//# peers: none
//# cc: clang-19
//# requires: objcopy
//# compile: -O2 -ffunction-sections -faddrsig
//# file: functions.c
volatile int sink;
int taken_a(int x) { return sink -= x; }
int taken_b(int x) { return sink -= x; }
int called_a(int x) { return sink += x; }
int called_b(int x) { return sink += x; }
int (*volatile function)(int) = taken_a;
//# file: main.c
int taken_b(int), called_a(int), called_b(int);
extern int (*volatile function)(int);
int main(void) {
  if (function == taken_b) return 1;
  return called_a(1) + called_b(1) != 3;
}
//# sh: objcopy --strip-unneeded functions.o stale.o && mv -f stale.o functions.o
//# link: -Wl,--icf=safe
//# symbol: called_b value=symbol(called_a).value
//# symbol: taken_b value!=symbol(taken_a).value
//# run
