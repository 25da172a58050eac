// R_X86_64_PC32_BND and R_X86_64_PLT32_BND, which assemblers of the MPX years wrote, are
// R_X86_64_PC32 and R_X86_64_PLT32: S + A - P and L + A - P (lld does not know them, GNU ld 2.40
// cannot make a PLT entry for them).
//# variant: static: -static main.o b.o
//# variant: program: main.o libx.so
//# shared: libx.so b.o
//# @static peers: ld
//# @program peers: none
//# @static word32: symbol(near).value+2 = symbol(f).value-symbol(near).value-6
//# @static word32: symbol(call).value+2 = symbol(f).value-symbol(call).value-6
//# @static run: exit=7
//# @program reloc: R_X86_64_JUMP_SLOT symbol=f count=1
.globl _start
_start:
call: .byte 0xf2, 0xe8, 0, 0, 0, 0 # bnd call f@PLT
  .reloc . - 4, R_X86_64_PLT32_BND, f - 4
near: .byte 0xf2, 0xe9, 0, 0, 0, 0 # bnd jmp f
  .reloc . - 4, R_X86_64_PC32_BND, f - 4
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl f
.type f, @function
f: mov $7, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
