// A program's initial-exec access to a library's variable is a TPOFF64 relocation.
//# driver: gcc
//# shared: libx.so lib.o
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# link: main.o libx.so
//# run: exit=16
//# reloc: R_X86_64_TPOFF64 symbol=shared
extern _Thread_local int shared;
int main(void) { return shared; }
//# file: lib.c -fPIC
_Thread_local int shared = 16;
