// -Map has the parts and columns of GNU ld's maps: why files are in the link, what was read, the
// memory map.
//# variant: file: -Wl,-Map=list
//# variant: output: -Wl,--print-map
//# variant: short: -Wl,-M
//# archive: libparts.a part.o deep.o unused.o
//# link: main.o -L. -lparts
//# peers: ld
//# run: exit=9
//# @file file-matches: list \AArchive member included to satisfy reference by file \(symbol\)\n\n
//# @file file-matches: list ^(./)?libparts.a\(part.o\) +main.o \(part\)$
//# @file file-matches: list ^(./)?libparts.a\(deep.o\) +(./)?libparts.a\(part.o\) \(deep_in_the_archive\)$
//# @file no-file-matches: list unused
//# @file file-matches: list ^As-needed library included to satisfy reference by file \(symbol\)\n\nlibc.so.6 {21}\S+ \(\S+\)$
//# @file file-matches: list ^Memory Configuration\n\nName {13}Origin {13}Length {13}Attributes\n\*default\* {8}0x0{16} 0xf{16}$
//# @file file-matches: list ^Linker script and memory map\n\nLOAD \S+
//# @file file-matches: list ^LOAD main.o$
//# @file file-matches: list ^LOAD (./)?libparts.a$
//# @file file-matches: list ^\.text {11}0x[0-9a-f]{16} +0x[0-9a-f]+$
//# @file file-matches: list ^ \.text\.main {5}0x[0-9a-f]{16} +0x[0-9a-f]+ main.o\n {16}0x[0-9a-f]{16} {16}main$
//# @file file-matches: list ^ \.text\.deep_in_the_archive\n {16}0x[0-9a-f]{16} +0x[0-9a-f]+ (./)?libparts.a\(deep.o\)$
//# @file file-matches: list ^ \.init_array .*\n(.*\n)* \.fini_array 
//# @file file-matches: list ^ {16}0x[0-9a-f]{16} {16}__bss_start = \.$
//# @file file-matches: list ^OUTPUT\(out elf64-x86-64\)$
//# @output,short stdout: ^Linker script and memory map$
//# @output,short stdout: ^ \.text\.main {5}0x[0-9a-f]{16} +0x[0-9a-f]+ main.o$
//# compile: -ffunction-sections
int part(void);
extern char __bss_start[];
char *bss = __bss_start;
int main(void) { return part() + 1; }
//# file: part.c
int deep_in_the_archive(void);
int part(void) { return deep_in_the_archive() + 1; }
//# file: deep.c
int deep_in_the_archive(void) { return 7; }
//# file: unused.c
int unused(void) { return 8; }
