// --hash-style chooses the tables.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 dynamic symbols have the order that .gnu.hash needs
//# driver: gcc
//# compile: -fPIC
//# variant: sysv: -Wl,--hash-style=sysv
//# variant: gnu: -Wl,--hash-style=gnu
//# variant: both: -Wl,--hash-style=both
//# link: -shared
//# @sysv,both machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k words of .hash have eight bytes elsewhere
//# @sysv,both section: .hash type=HASH entsize=4
//# @sysv,both dynamic: HASH value=section(.hash).address
//# @gnu,both section: .gnu.hash type=GNU_HASH
//# @gnu,both dynamic: GNU_HASH value=section(.gnu.hash).address
//# @sysv no-section: .gnu.hash
//# @gnu no-section: .hash
int a1, a2, a3, b1, b2, b3, c1, c2, c3, d1, d2, d3, e1, e2, e3, f1, f2, f3, g1, g2, g3;
int function(void) { return a1; }
