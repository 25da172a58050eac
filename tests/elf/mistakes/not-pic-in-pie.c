// An object that was not compiled with -fPIE in a program that can be loaded anywhere.
//# peers: none
//# compile: -g -fno-pie
//# link: -pie
//# error-text: ld: error: main.o:(function place: .text+0x5): relocation R_X86_64_32 cannot be used against symbol 'table'; recompile with -fPIC
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>> defined in main.o
//# error-text: >>> -fPIE is enough for a program; or link it with -no-pie
//# file: main.c
int table[4];
int *place(void) { return table; }
int main(void) { return *place(); }
