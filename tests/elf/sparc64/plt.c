// The loader binds functions by writing code into the PLT, which is behind the GOT, where DT_PLTGOT
// leads; the first entries are left to it.
//# variant: lazy: -Wl,-z,lazy
//# variant: now: -Wl,-z,now
//# variant: fixed: -no-pie -Wl,-z,lazy
//# shared: libother.so other.o -Wl,-z,lazy
//# link: main.o -L. -lother -Wl,-rpath,$ORIGIN
//# run: stdout="6 1\n"
//# section: .plt flags=WAX entsize=32 align=256
//# section: .rela.plt info=section(.plt).index
//# dynamic: PLTGOT value=section(.plt).address
//# reloc: R_SPARC_JMP_SLOT symbol=address table=.rela.plt section=.plt
//# no-section: .got.plt
//# no-warning: RWX
//# word64: section(.got).address = section(.dynamic).address
//# word64: section(.plt).address = 0
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
