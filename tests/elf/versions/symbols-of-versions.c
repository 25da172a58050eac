// Each version that the output defines is a symbol, too: by it dpkg-gensymbols tells that a library still has it.
//# @program machines: x86-64 aarch64 i386 the compiler makes PIEs
//# driver: gcc
//# compile: -fPIC
//# peers: ld
//# variant: library: -shared -Wl,-soname,libx.so
//# variant: program: -nostdlib -Wl,-e,one,-E,-soname,libx.so
//# variant: stripped: -shared -s -Wl,-soname,libx.so,--hash-style=both,-O2
//# variant: taken: -shared -Wl,-soname,libx.so,--defsym=V2=7
//# link: -Wl,--version-script=v.map
//# dynsym: V1 type=OBJECT bind=GLOBAL section=ABS value=0 size=0 version=@@V1
//# @library,program,stripped dynsym: V2@@V2 type=OBJECT section=ABS value=0
//# dynsym: V3@@V3 type=OBJECT section=ABS
//# @taken no-dynsym: V2@@V2 value=0
//# no-dynsym: libx.so
//# dynsym: one@@V1
//# @library,program symbol: V3 type=OBJECT bind=GLOBAL section=ABS value=0
//# version: V1 kind=def
//# version: V3 kind=def flags=WEAK
//# contains: .dynstr V3 count=1
int one(void) { return 1; }
int two(void) { return 2; }
int other(void) { return 3; }
//# file: v.map
V1 { global: one; local: *; };
V2 { global: two; } V1;
V3 { } V2;
