// Constructors, destructors and notes are roots.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections
//# run: stdout="start\nend\n"
#include <stdio.h>
__attribute__((constructor)) static void start(void) { puts("start"); }
__attribute__((destructor)) static void end(void) { puts("end"); }
int main(void) { return 0; }
