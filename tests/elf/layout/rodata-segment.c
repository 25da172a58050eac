// -Trodata-segment: .rodata and what follows it in a segment of its own behind code.
//# machines: x86-64 the program is at 4 MiB
//# link: -no-pie -Wl,-Trodata-segment=0x600000
//# run: stdout="x\n"
//# section: .rodata address=0x600000
//# section: .text address<0x600000
//# section: .eh_frame address>0x600000
//# section: .data address>0x600000
//# segment: LOAD flags=R address=0x600000
//# peers: ld
#include <stdio.h>
const char text[] = "x";
int main(void) { puts(text); }
