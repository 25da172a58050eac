# Large compressed sections are decompressed piece by piece, by several threads, and their relocations
# are applied wherever a piece ends: the outputs are those of the same object uncompressed.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le ppc64 sparc64 arm loongarch64 words need not be aligned
//# driver: ld
//# variant: zlib: -S small.o
//# variant: zlib-gnu: -S small.o
//# variant: zstd: -S small.o
//# @zlib sh: objcopy --compress-debug-sections=zlib main.o small.o
//# @zlib-gnu sh: objcopy --compress-debug-sections=zlib-gnu main.o small.o
//# @zstd sh: objcopy --compress-debug-sections=zstd main.o small.o
//# peers: ld
//# archive: unused.a main.o
//# sh: $LD --build-id main.o -o plain
//# sh: $LD --build-id small.o -o decompressed
//# sh: cmp plain decompressed
//# sh: $LD -r main.o -o plain-r
//# sh: $LD -r small.o -o decompressed-r
//# sh: cmp plain-r decompressed-r
//# sh: $LD --compress-debug-sections=zlib main.o -o plain-z
//# sh: $LD --compress-debug-sections=zlib small.o -o decompressed-z
//# sh: cmp plain-z decompressed-z
//# sh: rm plain* decompressed* unused.a
//# run
.include "machine.inc"
        .globl  _start
_start: exit 0
        .section .debug_many,"",@progbits
        .rept   300000
        .dc.a   _start + 5
        .long   0x1234567
        .ascii  "ab"
        .endr
        .section .debug_more,"",@progbits
        .fill   70000000, 1, 0x61
        .dc.a   _start + 7
        .fill   3000000, 1, 0x62
        .long   .debug_many + 9
        .section .debug_ranges,"",@progbits
        .fill   2500000, 1, 0x63
