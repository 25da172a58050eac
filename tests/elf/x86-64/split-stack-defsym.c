// A function that --defsym names is as ordinary as what it stands for.
//# link: -fsplit-stack -Wl,--defsym=alias=plain,--defsym=other=alias
//# disasm: mixed stc
//# disasm: mixed call [0-9a-f]+ <__morestack_non_split>
//# disasm: pure cmp %fs:0x70,%rsp
//# disasm: pure call [0-9a-f]+ <__morestack>
//# run: exit=20
//# peers: lld
//# file: split.c -fsplit-stack -O1
int other(int x);
static volatile int two = 2;
__attribute__((noinline)) int pure(int x) { return x + two; }
__attribute__((noinline)) int mixed(int x) { return other(x) + 1; }
int main(void) { return mixed(10) + pure(0); }
//# file: plain.c
int plain(int x) { return x + 7; }
