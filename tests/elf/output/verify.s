# --verify reads outputs back: it is silent about a whole one, and names file and rule for what does
# not hold; what an option could have asked for is a warning.
//# machines: x86-64 aarch64 i386 x32 riscv64 the byte of an address that is written is the highest
//# driver: ld
//# link: -static
//# check: "$LD" --verify out
//# check: cp out moved && printf '\001' | dd of=moved bs=1 seek=27 conv=notrunc 2>dd && ! "$LD" --verify out moved 2>said && test "$(wc -l <said)" = 1 && grep -q 'error: moved: entry-not-executable: 0x1' said
//# check: printf x >text && ! "$LD" --verify text 2>said && grep -q 'error: text: ' said
//# check: ! "$LD" --verify 2>said && grep -q 'error: --verify: missing argument FILE' said
//# check: "$LD" main.o -static -N -o loose && "$LD" --verify loose 2>said && grep -q 'warning: loose: writable-code: ' said
//# peers:
.globl _start
_start: ret
.data
.quad 1
.section .note.GNU-stack,"",@progbits
