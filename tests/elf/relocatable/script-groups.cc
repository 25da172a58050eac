// With -r and a script groups stay groups, unwind tables stay whole, and what the script discards is
// gone; the output can be linked.
//# machines: x86-64 aarch64 pointers have eight bytes
//# relocatable: both.o main.o b.o -T modules.ld
//# link: both.o
//# run: stdout="caught 3\n"
#include <cstdio>
#include <string>
template <class T> T twice(T x) { return x + x; }
int thrower();
static int made = std::printf("%s", std::string().c_str());
__attribute__((section("___table+b"))) const int *b = &made;
int main() {
  try { thrower(); } catch (int x) { std::printf("caught %d\n", x + twice(0)); }
}
//# file: b.cc
#include <string>
template <class T> T twice(T x) { return x + x; }
__attribute__((section(".discard.x"), used)) static int unused;
std::string text(int x) { return std::to_string(x); }
int thrower() { throw twice(1) + int(text(1).size()); }
//# file: modules.ld
SECTIONS {
    /DISCARD/ : { *(.discard) *(.discard.*) }
    __table 0 : { *(SORT(___table+*)) }
    .init_array 0 : ALIGN(8) { *(SORT(.init_array.*)) *(.init_array) }
    .text : { *(.text .text.[0-9a-zA-Z_]*) }
    .data : { *(.data .data.[0-9a-zA-Z_]*) }
    .rodata : { *(.rodata .rodata.*) }
}
