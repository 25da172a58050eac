// An object cut anywhere is an error.
//# driver: ld
//# compile: -O1 -g0
//# link: -static -e f --eh-frame-hdr
//# corrupt: truncate main.o 64
static const char text[] = "some text";
const char *f(void) { return text; }
