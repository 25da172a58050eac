// With -r, --split-by-file and --split-by-reloc go on in another section before one gets too large;
// what comes out links and runs as ever.
//# compile: -O1 -fno-optimize-sibling-calls
//# variant: file: | -DN=1
//# variant: bytes: | -DN=2
//# variant: reloc: | -DN=3
//# variant: default: | -DN=4
//# @file relocatable: all.o main.o b.o c.o -Wl,--split-by-file
//# @bytes relocatable: all.o main.o b.o c.o -Wl,--split-by-file=0x100000
//# @reloc relocatable: all.o main.o b.o c.o -Wl,--split-by-reloc=4
//# @default relocatable: all.o main.o b.o c.o -Wl,--split-by-reloc
//# link: all.o
//# run: exit=11
//# look-at: all.o
//# @file,reloc section: .text.0
//# @file,reloc section: .text.1
//# @file section: .data.0
//# @reloc no-section: .data.0
//# @bytes,default no-section: .text.0
//# symbol: g type=FUNC
//# no-section: .bss.0
//# peers: ld
int g(int), h(int);
int x = 1, zero;
int f(int n) { return n ? g(n - 1) + h(n - 1) : x + zero; }
int main(void) { return f(3); }
//# file: b.c
int f(int), h(int);
int y = 2, nothing;
int g(int n) { return n ? f(n - 1) + h(n - 1) : y + nothing; }
//# file: c.c
int f(int), g(int);
int z = 1, nought;
int h(int n) { return n ? f(n - 1) + g(n - 1) : z + nought; }
