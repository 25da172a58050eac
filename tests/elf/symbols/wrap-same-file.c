// A reference from the file that defines the symbol is bound there and not wrapped.
//# peers: ld
//# link: -Wl,--wrap=f
//# compile: -O0 -fno-pie
//# driver: gcc
//# run: exit=3
int f(void) { return 3; }
int __wrap_f(void) { return 4; }
int main(void) { return f(); }
