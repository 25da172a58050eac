// Unwind tables describe functions that have become shorter: their lengths and steps are sums.
//# driver: ld
//# compile: -ffreestanding -O1 -mcmodel=medium -g -Xclang -target-feature -Xclang +relax -fasynchronous-unwind-tables
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start --eh-frame-hdr
//# run: exit=12
//# @relaxed disasm: * pcaddi
//# @kept no-disasm: * \bpcaddi\b
//# check: readelf --unwind $OUT | grep -q 'initial_location'
//# peers: none
__attribute__((noinline)) int f(int n) { return n < 1 ? 0 : f(n - 1) + n; }
int word = 1;
__attribute__((noinline)) int g(int n) {
  int *p;
  __asm__("la.pcrel %0, word" : "=r"(p));
  return f(n) + f(*p) + f(1);
}

void _start(void) {
  register long a0 __asm__("a0") = g(4), a7 __asm__("a7") = 93;
  __asm__ volatile("syscall 0" : : "r"(a0), "r"(a7));
}
