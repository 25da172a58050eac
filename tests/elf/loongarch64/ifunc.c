// A static program calls a function that a resolver chooses, by a call, by its address and by a word.
//# driver: ld
//# compile: -ffreestanding -O1
//# variant: plain:
//# variant: pic: -e _start | -fPIC
//# link: -e _start
//# run: exit=63
//# peers: lld
typedef struct { unsigned long offset, info; long addend; } rela;
extern rela first[] __asm__("__rela_iplt_start"), last[] __asm__("__rela_iplt_end");
static int chosen(int n) { return n + 1; }
static int (*resolve(void))(int) { return chosen; }
int f(int) __attribute__((ifunc("resolve")));
int (*word)(int) = f;
__attribute__((noinline)) int (*address(void))(int) { return f; }

void _start(void) {
  for (rela *r = first; r < last; r++)
    *(unsigned long *)r->offset = ((unsigned long (*)(void))r->addend)();
  int sum = f(20) + word(20) + address()(20);
  if (word != address()) sum = 1;
  register long a0 __asm__("a0") = sum, a7 __asm__("a7") = 93;
  __asm__ volatile("syscall 0" : : "r"(a0), "r"(a7));
}
