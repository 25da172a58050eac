// --why-live tells by which references a symbol is alive: the shortest chain from where marking
// begins.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start, and no table of addresses is between code and data
//# compile: -ffunction-sections -fdata-sections
//# link: -Wl,--gc-sections,--why-live=wanted,--why-live=unused*
//# stdout: ^live symbol: main.o:\(wanted\)\n>>> referenced by: main.o:\(direct\)\n>>> referenced by: main.o:\(main\)$
//# stdout: ^>>> referenced by: .*:\(_start\) \(entry point\)$
//# no-stdout: unused
//# no-stdout: roundabout
//# peers:
int wanted = 3;
int unused = 4;
int direct(void) { return wanted; }
int roundabout(void) { return direct(); }
int main(void) { return roundabout() + direct() != 6; }
