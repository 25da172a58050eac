// Strings that only collected functions refer to are dropped, though all functions share a section
// for them; equal ones that live code refers to stay, and so do parts of longer strings.
//# cc: clang-19
//# driver: clang-19
//# compile: -O1 -ffunction-sections -fno-pie
//# variant: alone: -no-pie main.o -Wl,--gc-sections
//# variant: tails: -no-pie main.o -Wl,--gc-sections,-O2
//# variant: two: -no-pie main.o other.o -Wl,--gc-sections
//# contains: .rodata live one count=1
//# contains: .rodata shared one
//# contains: .rodata behind this
//# no-contains: .rodata dead
//# no-contains: .rodata 7.75
//# no-symbol: named_dead
//# symbol: named_live
//# run: stdout="live one shared one this exported 1.25\n"
#include <stdio.h>
__asm__(".section .rodata.str1.1,\"aMS\",@progbits,1\n"
        "named_dead: .asciz \"named dead\"\n"
        "named_live: .asciz \"behind this\"\n"
        ".globl exported\n"
        "exported: .asciz \"exported\"\n"
        ".text\n");
extern const char named_live[] __attribute__((visibility("hidden")));
extern const char exported[];
const char *inside(void);
__asm__(".section .text.inside,\"ax\",@progbits\n"
        "inside: movl $named_live+7, %eax\n ret\n .text\n");
int dead_one(void) { return puts("dead one") + puts("shared one"); }
double dead_two(double n) { return puts("dead two") + 7.75 * n; }
__attribute__((noinline)) double scaled(double n) { return 1.25 * n; }
int main(int argc, char **argv) {
  const char *volatile one = "live one", *volatile shared = "shared one";
  printf("%s %s %s %s %g\n", one, shared, inside(), exported, scaled(argc));
  return 0;
}
//# file: other.c
#include <stdio.h>
int dead_three(void) { return puts("dead three"); }
