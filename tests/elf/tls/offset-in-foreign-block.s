// A library's variable has no offset in this module's TLS block.
//# shared: libtv.so tv.o -soname=libtv.so
//# variant: code-64: code64.o libtv.so
//# variant: code-32: code32.o libtv.so
//# variant: data: data.o libtv.so
//# variant: library: -shared code64.o libtv.so
//# @code-64,code-32,data,library expect-error: R_X86_64_DTPOFF(32|64) cannot reach .*tv.* in another library's TLS block
//# variant: debug: debug.o libtv.so
//# @debug peers: ld lld
//# peers:
.section .note.GNU-stack,"",@progbits
//# file: code64.s
.globl _start
_start: leaq tv@tlsld(%rip), %rdi
call __tls_get_addr@PLT
movabs $tv@dtpoff, %rcx
.section .note.GNU-stack,"",@progbits
//# file: code32.s
.globl _start
_start: leaq tv@tlsld(%rip), %rdi
call __tls_get_addr@PLT
leaq tv@dtpoff(%rax), %rcx
.section .note.GNU-stack,"",@progbits
//# file: data.s
.globl _start
_start: nop
.data
.quad tv@dtpoff
.section .note.GNU-stack,"",@progbits
//# file: debug.s
.globl _start
_start: nop
.section .debug_own
.quad tv@dtpoff
.long tv@dtpoff
.section .note.GNU-stack,"",@progbits
//# file: tv.s
.section .tdata, "awT", @progbits
.globl tv
.type tv, @object
.size tv, 4
tv: .long 1
.section .note.GNU-stack,"",@progbits
