// --execute-only: code is in segments that cannot be read.
//# @on machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le its PLT is not written by the loader
//# variant: on: -Wl,--execute-only
//# variant: off: -Wl,--execute-only,--no-execute-only
//# @on segment: LOAD flags=X sections~.text
//# @on no-segment: LOAD flags=RX
//# @off segment: LOAD flags=RX sections~.text
//# run: stdout="x\n"
//# peers:
#include <stdio.h>
int main(void) { puts("x"); }
