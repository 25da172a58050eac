// --hash-style: which hash tables there are.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 dynamic symbols have the order that .gnu.hash needs
//# driver: gcc
//# compile: -fPIC
//# variant: sysv: -Wl,--hash-style=sysv
//# variant: gnu: -Wl,--hash-style=gnu
//# variant: both: -Wl,--hash-style=both
//# variant: none: -Wl,--hash-style=none
//# link: -shared
//# @sysv,both section: .hash type=HASH
//# @gnu,both section: .gnu.hash
//# @gnu,none no-section: .hash
//# @sysv,none no-section: .gnu.hash
//# @gnu,none no-dynamic: HASH
//# @sysv,none no-dynamic: GNU_HASH
//# lint-except: hash with `none` there is no table
//# peers:
int f(void) { return 0; }
