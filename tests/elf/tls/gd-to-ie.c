// General dynamic access (R_X86_64_TLSGD) to another module's variable becomes
// initial exec in a program.
//# driver: gcc
//# compile: -fPIC
//# variant: gd: main.o libx.so
//# variant: desc: main.o libx.so | -mtls-dialect=gnu2
//# shared: libx.so lib.o
//# run: exit=16
//# reloc: R_X86_64_TPOFF64 symbol=shared
//# no-reloc: R_X86_64_DTPMOD64
//# no-reloc: R_X86_64_TLSDESC
extern _Thread_local int shared;
int main(void) { return shared; }
//# file: lib.c
_Thread_local int shared = 16;
