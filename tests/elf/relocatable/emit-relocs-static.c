// --emit-relocs: weak references to hidden names that nothing defines, as the C library's archives
// have them, are undefined symbols with their visibility and type, and not local ones.
//# link: -static -Wl,--emit-relocs
//# run: stdout="null"
//# symbol: missing section=UND bind=WEAK vis=HIDDEN
//# symbol: thread_local section=UND bind=WEAK vis=HIDDEN type=TLS
//# peers: ld
#include <stdio.h>
extern int missing __attribute__((weak, visibility("hidden")));
extern __thread int thread_local __attribute__((weak, visibility("hidden")));
__attribute__((used)) static int *unused(void) { return &thread_local; }
int main(void) { printf(&missing ? "there" : "null"); }
