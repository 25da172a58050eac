// In a library an undefined weak symbol is left to the loader.
//# driver: gcc
//# compile: -fPIC
//# link: -shared
//# dynsym: nothing bind=WEAK section=UND
//# reloc: R_X86_64_GLOB_DAT symbol=nothing
__attribute__((weak)) extern int nothing;
int *f(void) { return &nothing; }
