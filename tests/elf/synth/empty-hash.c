// A program that exports nothing has an empty .gnu.hash that a loader can look up in.
//# link: -Wl,--hash-style=gnu
//# run
//# section: .gnu.hash size>=24
int main(void) { return 0; }
