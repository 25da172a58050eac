// Words of .hash have eight bytes, as this psABI is the one that says so.
//# shared: libother.so other.o -Wl,--hash-style=sysv
//# link: main.o -L. -lother -Wl,-rpath,$ORIGIN -Wl,--hash-style=sysv
//# run: exit=7
//# section: .hash entsize=8
//# no-section: .gnu.hash
//# peers: ld
int f(void);
int main(void) { return f(); }
//# file: other.c
int f(void) { return 7; }
