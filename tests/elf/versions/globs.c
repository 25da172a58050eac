// An exact name wins over a glob, and a glob over the lone star, whatever the order.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# dynsym: foo_exact@@V1
//# dynsym: foo_other@@V2
//# dynsym: bar1@@V2
//# no-dynsym: bar9x
//# no-dynsym: rest
int foo_exact(void) { return 1; }
int foo_other(void) { return 1; }
int bar1(void) { return 1; }
int bar9x(void) { return 1; }
int rest(void) { return 1; }
//# file: v.map
V1 { global: foo_exact; local: *; };
V2 { global: foo_*; bar[0-5]; };
