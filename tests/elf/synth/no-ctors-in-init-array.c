// --no-ctors-in-init-array: .ctors and .dtors stay what they are, for programs that run them
// themselves; the last of the options holds.
//# @kept machines: x86-64 aarch64 words have eight bytes
//# peers: none
//# variant: kept: -Wl,--no-ctors-in-init-array
//# variant: moved: -Wl,--no-ctors-in-init-array,--ctors-in-init-array
//# @kept section: .ctors size=16
//# @kept section: .dtors size=8
//# @moved no-section: .ctors
//# @moved no-section: .dtors
//# @kept run: stdout=""
//# @moved run: stdout="213"
#include <stdio.h>
static void a(void) { putchar('1'); }
static void b(void) { putchar('2'); }
static void c(void) { putchar('3'); }
__attribute__((section(".ctors"), used)) static void (*pa)(void) = a;
__attribute__((section(".ctors.65000"), used)) static void (*pb)(void) = b;
__attribute__((section(".dtors"), used)) static void (*pc)(void) = c;
int main(void) { return 0; }
