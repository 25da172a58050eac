// FDEs of dropped functions are dropped with them.
//# compile: -ffunction-sections -fno-pie -fasynchronous-unwind-tables
//# driver: ld
//# link: -static -e f --eh-frame-hdr --gc-sections
//# check: test $(readelf --debug-dump=frames $OUT | grep -c ' FDE ') = 1
int f(void) { return 1; }
int dead(void) { return 2; }
int dead_too(void) { return 3; }
