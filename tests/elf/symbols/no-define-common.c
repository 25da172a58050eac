// --no-define-common: a library leaves its common symbols to the program, which has them as ever.
//# compile: -fPIC -fcommon
//# driver: gcc
//# shared: libdata.so data.o
//# variant: library: -shared main.o
//# variant: defined: -shared main.o libdata.so
//# variant: program: main.o
//# link: -Wl,--no-define-common
//# @library,defined dynsym: shared_one section=UND
//# @library reloc: R_X86_64_GLOB_DAT symbol=shared_one
//# @program symbol: shared_one section=.bss size=4
//# peers:
int shared_one;
int main(void) { return shared_one; }
//# file: data.c
int shared_one = 4;
