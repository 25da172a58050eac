// A static program has no dynamic section and no loader, but IFUNCs of libc are resolved.
//# link: -static
//# no-section: .dynamic
//# no-segment: INTERP
//# reloc: R_X86_64_IRELATIVE
//# run: stdout="ok\n"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) { puts(strlen(argv[0]) ? "ok" : "no"); }
