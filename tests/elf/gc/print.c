// --print-gc-sections says what is dropped, common symbols too, on standard error or in a file.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 no table of addresses (.toc) refers to all data of an object
//# compile: -ffunction-sections -fcommon
//# variant: error: -Wl,--gc-sections,--print-gc-sections
//# variant: file: -Wl,--gc-sections,--print-gc-sections=list
//# variant: not: -Wl,--gc-sections,--print-gc-sections,--no-print-gc-sections
//# @error peers: lld
//# @file,not peers:
//# @error says: ^removing unused section main.o:\(.text.unused\)$
//# @error says: ^removing unused section main.o:\(COMMON\)$
//# @error no-says: main.o:\(.text.main\)|kept_common
//# @file file-matches: list ^removing unused section main.o:\(.text.unused\)$
//# @file file-matches: list ^removing unused section main.o:\(COMMON\)$
//# @file,not no-says: removing
//# run
int unused_common;
int kept_common;
int unused(void) { return unused_common; }
int main(void) { return kept_common; }
