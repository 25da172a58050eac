// --compress-debug-sections compresses what is worth it, and debuggers read it.
//# @zlib machines: x86-64 aarch64 i386 x32 riscv64 objdump takes a section of more bytes than the file for damaged
//# variant: zlib: -Wl,--compress-debug-sections=zlib
//# variant: zstd: -Wl,--compress-debug-sections=zstd
//# compile: -g3
//# @zlib machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 objdump takes no section for one that is larger than the file
//# run
//# section: .debug_macro flags~C
//# @zstd peers: lld
//# @zlib check: objdump --dwarf=info $OUT | grep -q 'DW_AT_name.*main.c'
//# @zstd check: llvm-dwarfdump-19 --verify $OUT
//# @zstd requires: llvm-dwarfdump-19
#include <stdio.h>
int main(void) { return 0; }
