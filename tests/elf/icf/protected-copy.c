// --ignore-data-address-equality allows a copy of a variable that its library protects.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 code takes addresses of imports from no table, so that variables are copied
//# peers: lld
//# variant: plain: -no-pie -Wl,-z,nopack-relative-relocs | -fno-pic
//# variant: ignored: -no-pie -Wl,--ignore-data-address-equality | -fno-pic
//# file: lib.c
__attribute__((visibility("protected"))) int guarded = 5;
//# file: main.c
extern int guarded;
int main(void) { return guarded != 5; }
//# shared: libx.so lib.o
//# link: main.o ./libx.so
//# @plain expect-error: guarded
//# @ignored run
//# @ignored reloc: R_X86_64_COPY symbol=guarded
