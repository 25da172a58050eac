// --emit-relocs keeps the relocations in a finished program.
//# machines: x86-64 aarch64 x32 x86-64 has RELA tables by itself
//# compile: -fno-pie
//# link: -no-pie -Wl,--emit-relocs
//# run: exit=5
//# section: .rela.text type=RELA flags=I
//# reloc: symbol=f table=.rela.text
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
