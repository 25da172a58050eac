// The list of folded sections says what lld's says.
//# machines: x86-64 aarch64 i386 x32 riscv64 lld links for it
//# peers: none
//# requires: ld.lld-19
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# driver: ld
//# sh: $LD main.o --icf=all --print-icf-sections -o a.out | sort > own
//# sh: ld.lld-19 main.o --icf=all --print-icf-sections -o b.out | sort > lld
//# sh: test -s own && cmp own lld
//# link: --icf=all
volatile int sink;
int a(void) { return sink; }
int b(void) { return sink; }
int c(void) { return sink; }
int d(void) { return sink += 1; }
int e(void) { return sink += 1; }
void _start(void) {}
