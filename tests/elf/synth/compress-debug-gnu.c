// --compress-debug-sections=zlib-gnu: sections .zdebug_* with the size behind "ZLIB", as before
// there was SHF_COMPRESSED; they are read, too, and named as before when they are not compressed.
//# compile: -g3
//# variant: program: main.o -Wl,--compress-debug-sections=zlib-gnu
//# variant: with-relocations: main.o -Wl,--compress-debug-sections=zlib-gnu -Wl,--emit-relocs
//# variant: read-back: old.o
//# relocatable: old.o main.o -Wl,--compress-debug-sections=zlib-gnu
//# driver: gcc
//# requires: gdb objdump
//# link: -g
//# run
//# @program,with-relocations section: .zdebug_macro type=PROGBITS flags=
//# @program,with-relocations contains: .zdebug_macro ZLIB
//# @program,with-relocations no-section: .debug_macro
//# @with-relocations section: .rela.zdebug_macro info=section(.zdebug_macro).index
//# @read-back section: .debug_macro flags=
//# @read-back no-section: .zdebug_macro
//# check: objdump --dwarf=info $OUT | grep -q 'DW_AT_name.*main.c'
//# check: gdb -batch -ex 'list main' $OUT | grep -q 'int main'
//# look-at: old.o
//# section: .zdebug_macro flags=
//# section: .rela.zdebug_macro info=section(.zdebug_macro).index
//# no-section: .debug_info
//# peers: ld
#include <stdio.h>
int main(void) { return 0; }
