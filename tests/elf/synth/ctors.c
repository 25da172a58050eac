// .ctors and .dtors are moved to .init_array in reverse, keeping their priorities.
//# run: stdout="2 1 main"
//# peers: ld
#include <stdio.h>
static void a(void) { printf("1 "); fflush(stdout); }
static void b(void) { printf("2 "); }
__attribute__((section(".ctors"), used)) static void (*pa)(void) = a;
__attribute__((section(".ctors.65000"), used)) static void (*pb)(void) = b;
int main(void) { printf("main"); }
