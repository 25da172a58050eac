// A link that fails leaves the dependency file as it was; -r and other formats write one, too.
//# machines: x86-64 aarch64 aarch64_be i386 x32 no field of two bytes has an address
//# driver: ld
//# peers: none
//# variant: overflow: -shared
//# variant: undefined: -z defs
//# variant: joined: -r
//# link: main.o --dependency-file=out.d
//# sh: echo old > out.d
//# @overflow,undefined expect-error: main.o
//# @overflow,undefined file-matches: out.d ^old$
//# @joined file-matches: out.d ^out: .*main.o
//# @joined sh: "$LD" -static b.o --oformat=binary -o image --dependency-file=image.d
//# @joined file-matches: image.d ^image: b.o
//# file: main.c
int undefined(void);
__asm__(".data; .balign 0x20000; narrow: .short narrow; .text");
int main(void) { return undefined(); }
//# file: b.c
void _start(void) {}
