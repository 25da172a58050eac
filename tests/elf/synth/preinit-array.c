// .preinit_array runs before all constructors.
//# run: stdout="1 2 "
#include <stdio.h>
static void a(void) { printf("1 "); }
__attribute__((section(".preinit_array"), used)) static void (*pa)(void) = a;
__attribute__((constructor)) static void b(void) { printf("2 "); }
int main(void) { return 0; }
