// A library may leave symbols undefined, unless -z defs asks otherwise.
//# driver: gcc
//# compile: -fPIC
//# variant: default:
//# variant: defs: -Wl,-z,defs
//# variant: no-undefined: -Wl,--no-undefined
//# link: -shared
//# @default dynsym: nowhere section=UND
//# @defs,no-undefined expect-error: nowhere
int nowhere(void);
int f(void) { return nowhere(); }
