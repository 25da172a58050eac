// An object compiled with -fsanitize=address, linked without.
//# machines: x86-64 aarch64 i386 x32 riscv64 there are sanitizers
//# peers: none
//# compile: -fsanitize=address
//# expect-error: ^ld: error: undefined symbol: __asan_init$
//# expect-error: ^>>> referenced by main\.c$
//# expect-error: ^>>>               main\.o:\(\w+\)$
//# expect-error: ^>>> part of AddressSanitizer: pass -fsanitize=address to the link too$
int main(int count, char **names) { return names[count] != 0; }
