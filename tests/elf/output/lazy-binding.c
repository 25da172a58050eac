// Lazy binding is honoured: without -z now there is no BIND_NOW, and the slot points to the PLT.
//# link: -Wl,-z,lazy
//# run
//# reloc: R_X86_64_JUMP_SLOT symbol=puts section~got
//# no-dynamic: FLAGS value~BIND_NOW
//# no-dynamic: BIND_NOW
//# no-dynamic: FLAGS_1 value~NOW
#include <stdio.h>
int main(void) { puts("x"); }
