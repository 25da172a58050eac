// Levels of --compress-debug-sections: more work, fewer bytes, and the same after decompression.
//# @zlib,zlib-default,zlib-gabi,zlib-gnu,zstd machines: x86-64 objdump 2.40 refuses what expands beyond the file
//# compile: -g3
//# variant: zlib: -Wl,--compress-debug-sections=zlib:9
//# variant: zlib-default: -Wl,--compress-debug-sections=zlib
//# variant: zlib-gabi: -Wl,--compress-debug-sections=zlib-gabi
//# variant: zlib-gnu: -Wl,--compress-debug-sections=zlib-gnu
//# variant: zstd: -Wl,--compress-debug-sections=zstd:19
//# variant: none: -Wl,--compress-debug-sections=zstd,--compress-debug-sections=none
//# driver: gcc
//# requires: objcopy objdump llvm-objcopy-19
//# peers:
//# @zlib sh: gcc -B"$(dirname "$LD")" main.o -o low -Wl,--compress-debug-sections=zlib:1
//# @zstd sh: gcc -B"$(dirname "$LD")" main.o -o low -Wl,--compress-debug-sections=zstd:1
//# @zlib,zstd check: test $(wc -c <$OUT) -lt $(wc -c <low)
//# @zlib,zlib-default,zlib-gabi,zstd section: .debug_macro flags~C
//# @zlib-gnu section: .zdebug_macro flags=
//# @none section: .debug_macro flags=
//# check: gcc -B"$(dirname "$LD")" main.o -o plain && objdump --dwarf=macro,info,line plain | tail -n +4 >plain.txt && objdump --dwarf=macro,info,line $OUT | tail -n +4 | sed 's/\.zdebug/.debug/' >out.txt && cmp plain.txt out.txt
//# @zlib,zlib-default,zlib-gabi,zstd check: llvm-objcopy-19 --decompress-debug-sections $OUT expanded && objcopy --dump-section .debug_macro=a plain && objcopy --dump-section .debug_macro=b expanded && cmp a b
//# run
#include <stdio.h>
int main(void) { return 0; }
