// --hash-style: which hash tables there are.
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
