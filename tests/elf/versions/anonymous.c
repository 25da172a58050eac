// An anonymous version node only says what is exported.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# dynsym: one version=
//# no-dynsym: other
//# no-version: kind=def
int one(void) { return 1; }
int other(void) { return 3; }
//# file: v.map
{ global: one; local: *; };
