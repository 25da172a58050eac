// Equal CIEs of several objects become one.
//# driver: ld
//# compile: -fno-pie -fasynchronous-unwind-tables
//# link: -static -e f --eh-frame-hdr
//# check: test $(readelf --debug-dump=frames $OUT | grep -c ' CIE$') = 1
//# check: test $(readelf --debug-dump=frames $OUT | grep -c ' FDE ') = 3
int f(void) { return 1; }
//# file: b.c
int g(void) { return 1; }
//# file: c.c
int h(void) { return 1; }
