// Functions of a library are bound when they are called first, or at once. The words of the loader are
// at the start of .got, where DT_PLTGOT leads.
//# variant: lazy: -Wl,-z,lazy
//# variant: now: -Wl,-z,now
//# variant: fixed: -no-pie -Wl,-z,lazy
//# shared: libother.so other.o -Wl,-z,lazy
//# link: main.o -L. -lother -Wl,-rpath,$ORIGIN
//# run: stdout="6 1\n"
//# @lazy,fixed dynamic: PLTGOT value=section(.got).address
//# @lazy,fixed reloc: R_390_JMP_SLOT symbol=address
//# @lazy,fixed word64: section(.got).address = section(.dynamic).address
//# @lazy,fixed disasm: * larl %r1,.*<_GLOBAL_OFFSET_TABLE_>
//# peers: ld
#include <stdio.h>
int twice(int), (*address(void))(int);
int main(void) {
  int six = twice(3);
  printf("%d %d\n", six, address() == twice);
  return 0;
}
//# file: other.c -fPIC
int twice(int n) { return 2 * n; }
int (*address(void))(int) { return twice; }
