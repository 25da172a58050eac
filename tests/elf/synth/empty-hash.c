// A program that exports nothing has an empty .gnu.hash that a loader can look up in.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 dynamic symbols have the order that .gnu.hash needs
//# link: -Wl,--hash-style=gnu
//# run
//# section: .gnu.hash size>=24
int main(void) { return 0; }
