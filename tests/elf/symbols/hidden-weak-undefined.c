// An undefined weak hidden symbol is zero, without a relocation.
//# driver: gcc
//# compile: -fPIC
//# link: -shared
//# no-dynsym: nothing
//# no-reloc: symbol=nothing
__attribute__((weak, visibility("hidden"))) extern int nothing;
int *f(void) { return &nothing; }
