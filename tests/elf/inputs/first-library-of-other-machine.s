// Where libraries alone say which machine is linked for, those for other machines decide nothing: the
// search passes over them. An archive that is named does, by its first member, and a link that fails
// for it has its --reproduce all the same.
//# sh: mkdir first second; as --32 -o narrow.o narrow.asm; printf '\367' | dd of=narrow.o bs=1 seek=18 conv=notrunc status=none
//# sh: ar rc first/libv.a narrow.o; ar rc second/libv.a main.o
//# sh: "$LD" -static -Lfirst -Lsecond -u _start -lv -o found 2>text
//# sh: grep -q 'skipping incompatible first/libv.a' text; ./found || test $? = 7
//# sh: "$LD" -static -Lfirst -Lsecond -u _start -l:libv.a -o found; ./found || test $? = 7
//# sh: if "$LD" -static first/libv.a -o named --reproduce=all.tar 2>text; then exit 1; fi; test -s all.tar
//# sh: grep -q 'first/libv.a: is a 32-bit little-endian ELF file for BPF, which -m has no emulation for' text
//# peers: none
//# link: -static
//# run: exit=7
.include "machine.inc"
.globl _start
_start:
  exit 7
.section .note.GNU-stack,"",@progbits
//# file: narrow.asm
.globl _start
_start:
