// A version records the one it inherits from.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# version: V2 kind=def parent=V1
//# peers: ld
int one(void) { return 1; }
//# file: v.map
V1 { global: one; local: *; };
V2 { } V1;
