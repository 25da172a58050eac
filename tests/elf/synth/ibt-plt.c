// -z ibtplt: PLT entries start with endbr64.
//# compile: -fcf-protection
//# link: -Wl,-z,ibtplt
//# run
//# disasm: * endbr64\n.*(bnd )?jmp
//# peers: ld
#include <stdio.h>
int main(void) { puts(""); }
