// With -r too, maps, cross references, traces and lists tell what was asked for.
//# driver: ld
//# compile: -ffunction-sections
//# archive: libx.a other.o
//# link: -r main.o libx.a -u other -Map=list --cref --trace -y other --why-extract=why --gc-sections -e main --print-gc-sections=gone
//# peers: none
//# file-matches: list ^libx.a\(other.o\) {15}\(other\)$
//# file-matches: list ^Linker script and memory map\n\nLOAD main.o\nLOAD libx.a$
//# file-matches: list ^ \.text\.main {5}0x0{16} +0x[0-9a-f]+ main.o\n {16}0x0{16} {16}main$
//# file-matches: list ^ \.text\.unused +0x0{16} +0x[0-9a-f]+ main.o$
//# file-matches: list ^OUTPUT\(out elf64-x86-64\)\n\nCross Reference Table$
//# file-matches: list ^other {45}libx.a\(other.o\)\n {50}main.o$
//# file-matches: why ^--undefined\tlibx.a\(other.o\)\tother$
//# file-matches: gone ^removing unused section main.o:\(.text.unused\)$
//# stdout: ^libx.a\(other.o\): definition of other$
//# stdout: ^main.o$
int other(void);
int unused(void) { return 1; }
int main(void) { return other(); }
//# file: other.c
int other(void) { return 0; }
