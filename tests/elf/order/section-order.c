// --section-order puts headers and sections where it says: names first, groups for the rest, addresses,
// alignments and symbols between.
//# @plain machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# @apart,symbols machines: x86-64 i386 x32 QEMU takes program headers for part of the first segment
//# compile: -fno-pie
//# link: -no-pie
//# variant: plain: -Wl,--section-order='=0x100000 EHDR PHDR =0x200000 .fn2 TEXT =0x300000 .fn1 DATA BSS RODATA'
//# variant: apart: -Wl,--section-order='=0x200000 EHDR RODATA =0x300000 PHDR =0x400000 .fn2 TEXT .fn1 DATA BSS'
//# variant: symbols: -Wl,--section-order='=0x200000 !at_ehdr EHDR %0x20 !at_rodata RODATA =0x300000 !at_phdr PHDR %4096 !phdr_end =0x400000 !at_text TEXT DATA BSS'
//# variant: unloaded: -Wl,--section-order='=0x200000 TEXT RODATA DATA BSS'
//# @plain section: .fn2 address=0x200000
//# @plain section: .fn1 address=0x300000
//# @apart section: .fn2 address=0x400000
//# @apart segment: PHDR address=0x300000
//# @apart symbol: __ehdr_start value=0x200000
//# @symbols symbol: at_ehdr value=0x200000
//# @symbols symbol: at_rodata value=0x200040
//# @symbols symbol: at_phdr value=0x300000
//# @symbols symbol: phdr_end value=0x301000
//# @symbols symbol: at_text value=0x400000
//# @unloaded no-segment: PHDR
//# no-segment: GNU_RELRO
//# @plain,apart,symbols run: stdout=" fn1 fn2 5 6"
//# peers:
#include <stdio.h>
extern char __ehdr_start[];
char *volatile header = __ehdr_start;
static int zero[5000];
int data = 5;
_Thread_local int local = 6, none;
__attribute__((section(".fn1"))) void fn1(void) { printf(" fn1"); }
__attribute__((section(".fn2"))) void fn2(void) { printf(" fn2"); }
int main(void) {
  fn1();
  fn2();
  printf(" %d %d", data + zero[9], local + none);
}
