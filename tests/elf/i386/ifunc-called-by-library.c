// A library that is bound lazily calls an IFUNC of a position-independent program: through its symbol, since the
// PLT entry expects the address of the program's GOT in a register.
//# peers: ld lld
//# shared: libx.so lib.o -Wl,-z,lazy
//# link: -pie main.o libx.so
//# run: stdout="5 5\n"
//# dynsym: f type=GNU_IFUNC
//# file: main.c -fPIE
int printf(const char *, ...);
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
int ask(void);
int main(void) { return printf("%d %d\n", ask(), f()) != 4; }
//# file: lib.c -fPIC
int f(void);
int ask(void) { return f(); }
