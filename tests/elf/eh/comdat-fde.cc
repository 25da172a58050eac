// FDEs of functions in dropped groups are dropped.
//# driver: ld
//# compile: -fno-pie
//# link: -static -e _Z1fv --eh-frame-hdr
//# check: test $(readelf --debug-dump=frames $OUT | grep -c ' FDE ') = 3
inline int shared() { return 1; }
int f() { return shared(); }
//# file: b.cc
inline int shared() { return 1; }
int g() { return shared(); }
