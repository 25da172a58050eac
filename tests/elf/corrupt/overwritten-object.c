// No byte of an object can crash the linker.
//# driver: ld
//# compile: -O1 -g0
//# link: -static -e f --eh-frame-hdr
//# variant: ff: | -DX=1
//# variant: zero: | -DX=2
//# @ff corrupt: overwrite main.o 5 ff
//# @zero corrupt: overwrite main.o 7 00
//# peers: ld
static const char text[] = "some text";
const char *f(void) { return text; }
