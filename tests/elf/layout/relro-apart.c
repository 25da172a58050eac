// Where an option puts a part of the memory that is read-only after relocation elsewhere, there is no
// PT_GNU_RELRO: what is between the parts would be protected too.
//# @got,dynamic machines: x86-64 aarch64 i386 x32 riscv64 the program is below 8 MiB
//# driver: gcc
//# variant: got: -Wl,--section-start=.got=0xb00000
//# variant: dynamic: -Wl,--section-start=.dynamic=0xa00000
//# variant: usual:
//# link: main.o -no-pie
//# run:
//# @got,dynamic no-segment: GNU_RELRO
//# @usual segment: GNU_RELRO
//# peers: ld
int x = 1;
int main(void) { return --x; }
