// A -fsplit-stack function that calls an ordinary one asks for more stack, and for it from
// __morestack_non_split; one that does not is left alone. How much more is an option for gold, too.
//# peers: lld
//# variant: default: main.o plain.o -fsplit-stack
//# @default disasm: mixed stc
//# @default disasm: mixed call [0-9a-f]+ <__morestack_non_split>
//# @default disasm: large lea -0x1[45][0-9a-f]{3}\(%rsp\),%r11
//# @default disasm: pure cmp %fs:0x70,%rsp
//# @default disasm: pure call [0-9a-f]+ <__morestack>
//# variant: size: main.o plain.o -fsplit-stack -Wl,--split-stack-adjust-size=1048576
//# @size peers: none
//# @size disasm: large lea -0x11[0-9a-f]{4}\(%rsp\),%r11
//# run: exit=42
//# file: main.c -fsplit-stack -O1
int plain(int x);
static volatile int two = 2;
__attribute__((noinline)) int pure(int x) { return x + two; }
__attribute__((noinline)) int split(int x) { return pure(x) + 1; }
__attribute__((noinline)) int mixed(int x) { return plain(x) + 1; }
__attribute__((noinline)) int large(int x) {
    volatile char room[0x10000];
    room[x] = 1;
    return plain(x) + room[x];
}
int main(void) { return mixed(10) + large(9) + split(0) + 4; }
//# file: plain.c
int plain(int x) { return x + 7; }
