// A C program in each kind of output.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# variant: static: -static
//# variant: static-pie: -static-pie | -fPIE
//# run: stdout="Hello, world\n"
//# same-as: ld
//# @pie,static-pie header: type=DYN entry=symbol(_start).value
//# @nopie,static header: type=EXEC entry=symbol(_start).value
//# @pie,nopie segment: INTERP
//# @static,static-pie no-segment: INTERP
//# @static no-section: .dynamic
//# @pie dynamic: FLAGS_1 value~PIE
#include <stdio.h>
int main(void) {
  puts("Hello, world");
  return 0;
}
