// An object that was not compiled with -fPIC in a shared library.
//# peers: none
//# compile: -g -fno-pic
//# link: -shared
//# error-text: ld: error: main.o:(function place: .text+0x5): relocation R_X86_64_32 cannot be used against section '.bss'; recompile with -fPIC
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>> defined in main.o
//# file: main.c
static int table[4];
int *place(void) { return table; }
