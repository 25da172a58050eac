// --no-define-common: a library leaves its common symbols to the program, which has them as ever. It
// makes no sense for other outputs.
//# compile: -fPIC -fcommon
//# driver: gcc
//# shared: libdata.so data.o
//# variant: library: -shared main.o -Wl,--no-define-common
//# variant: defined: -shared main.o libdata.so -Wl,--no-define-common
//# variant: program: main.o -Wl,--no-define-common
//# variant: relocatable: -r main.o -nostdlib -Wl,--no-define-common
//# @library,defined dynsym: shared_one section=UND
//# @library reloc: R_X86_64_GLOB_DAT symbol=shared_one
//# @program,relocatable expect-error: --no-define-common may not be used without -shared
//# @program,relocatable peers: ld
//# @library,defined peers:
int shared_one;
int main(void) { return shared_one; }
//# file: data.c
int shared_one = 4;
