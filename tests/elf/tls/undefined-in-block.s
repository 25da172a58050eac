// The offset in the module's block of a variable that nothing defines is zero, in code and in data,
// whoever may define the variable at run time.
//# link: -shared main.o libt.so
//# shared: libt.so t.o
//# disasm: code lea 0x0\(%rax\),%rcx
//# disasm: code lea 0x0\(%rax\),%rdx
//# disasm: code lea 0x10\(%rax\),%rsi
//# word: symbol(word).value = 0
//# peers: lld
.globl code, word
.weak weak, hidden
.hidden hidden
code:
  lea own@TLSLD(%rip), %rdi
  call __tls_get_addr@PLT
  lea strong@DTPOFF(%rax), %rcx
  lea weak@DTPOFF(%rax), %rdx
  lea hidden@DTPOFF+16(%rax), %rsi
  ret
.data
word: .dc.a weak@DTPOFF
.section .tdata,"awT",@progbits
own: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: t.s
.globl __tls_get_addr
.type __tls_get_addr, @function
__tls_get_addr: ret
.section .note.GNU-stack,"",@progbits
