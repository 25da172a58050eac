// foo@@V1 may also be referred to as foo@V1, so that defining both is one definition too many.
//# driver: gcc
//# compile: -fPIC
//# link: -shared main.o -Wl,--version-script=v.map
//# expect-error: (duplicate symbol|multiple definition).*foo@
__asm__(".symver old, foo@V1");
__asm__(".symver new, foo@@V1");
void old(void) {}
void new(void) {}
//# file: v.map
V1 { global: foo; };
