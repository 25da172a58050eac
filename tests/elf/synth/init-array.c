// Constructors run by priority, then in the order of the command line; destructors backwards.
//# variant: pie: -pie | -fPIE
//# variant: static: -static
//# run: stdout="1 2 3 4 main 5 6\n"
//# section: .init_array type=INIT_ARRAY flags=WA
#include <stdio.h>
__attribute__((constructor)) static void c(void) { printf("3 "); }
__attribute__((constructor(200))) static void b(void) { printf("2 "); }
__attribute__((destructor(200))) static void y(void) { printf("6\n"); }
int main(void) { printf("main "); }
//# file: b.c
#include <stdio.h>
__attribute__((constructor)) static void d(void) { printf("4 "); }
__attribute__((constructor(101))) static void a(void) { printf("1 "); }
__attribute__((destructor(300))) static void x(void) { printf("5 "); }
