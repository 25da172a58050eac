// In a static PIE, __rela_iplt_* bound nothing: the loader code of libc sees them in .rela.dyn.
//# link: -static-pie
//# compile: -fPIE
//# run: exit=5
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
int main(void) { return f(); }
