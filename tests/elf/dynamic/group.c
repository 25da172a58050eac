// -Bgroup marks a library whose symbols are looked up in its own group, which must be whole.
//# driver: gcc
//# compile: -fPIC
//# variant: whole: a.o
//# variant: part: b.o
//# link: -shared -nostdlib -Wl,-Bgroup
//# @whole check: readelf -dW $OUT | grep 'FLAGS_1.*GROUP'
//# @part expect-error: nowhere
//# peers: ld
//# file: a.c
int a(void) { return 0; }
//# file: b.c
int nowhere(void);
int b(void) { return nowhere(); }
