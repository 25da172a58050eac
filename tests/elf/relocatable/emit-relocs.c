// --emit-relocs keeps the relocations in a finished program.
//# compile: -fno-pie
//# link: -no-pie -Wl,--emit-relocs
//# run: exit=5
//# section: .rela.text type=RELA flags=I
//# reloc: symbol=f table=.rela.text
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
