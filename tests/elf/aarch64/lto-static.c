// GCC asks for a static program of this machine by -Bstatic alone, and its plugin names libraries
// without a flag: they are archives, too.
//# compile: -O2 -flto -fno-fat-lto-objects
//# link: -flto -O2 -static
//# run: exit=5
//# no-segment: DYNAMIC
//# no-section: .dynsym
//# header: machine=183
//# peers: ld
#include <stdio.h>
int main(int argc, char **argv) { return printf("%d %s\n", argc, argv[argc] ? "x" : "yy") - 0; }
