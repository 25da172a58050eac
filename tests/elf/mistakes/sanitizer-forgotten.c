// An object compiled with -fsanitize=address, linked without.
//# peers: none
//# compile: -fsanitize=address
//# expect-error: ^ld: error: undefined symbol: __asan_init$
//# expect-error: ^>>> referenced by main\.c$
//# expect-error: ^>>>               main\.o:\(\w+\)$
//# expect-error: ^>>> part of AddressSanitizer: pass -fsanitize=address to the link too$
int main(int count, char **names) { return names[count] != 0; }
