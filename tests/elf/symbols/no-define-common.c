// --no-define-common: a library leaves its common symbols to the program.
//# compile: -fPIC -fcommon
//# driver: gcc
//# shared: libdata.so data.o
//# variant: library: -shared main.o
//# variant: defined: -shared main.o libdata.so
//# variant: program: main.o
//# link: -Wl,--no-define-common
//# @library,defined dynsym: shared_one section=UND
//# @library reloc: R_X86_64_GLOB_DAT symbol=shared_one
//# @program expect-error: no-define-common may not be used without -shared
//# peers: ld
int shared_one;
int main(void) { return shared_one; }
//# file: data.c
int shared_one = 4;
