// R_X86_64_DTPOFF32 and R_X86_64_DTPOFF64: the offset in the module's block. In code of a program,
// where local dynamic became local exec, it is the offset from the thread pointer; in data and debug
// sections it stays (lld and mold change data too; GNU ld agrees but for R_X86_64_DTPOFF64 in code).
//# @static peers: none
//# @shared peers: lld
//# variant: static: -static
//# variant: shared: -shared
//# @static word32: symbol(four).value+3 = -4
//# @static word64: symbol(eight).value+2 = -8
//# @shared word32: symbol(four).value+3 = 12
//# @shared word64: symbol(eight).value+2 = 8
//# word64: symbol(word).value = 8
//# word32: symbol(word).value+8 = 12
//# check: objdump -s -j .debug_x $OUT | grep -q ' 0c000000 08000000 00000000'
.globl _start
_start:
  lea value@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
four: lea value@dtpoff+4(%rax), %rcx
eight: movabs $value@dtpoff, %rdx
.section .tdata,"awT",@progbits
.quad 1
value: .long 3, 4
.data
.globl word
.hidden word
word: .quad value@dtpoff
.long value@dtpoff+4
.section .debug_x,"",@progbits
.long value@dtpoff+4
.quad value@dtpoff
.section .note.GNU-stack,"",@progbits
