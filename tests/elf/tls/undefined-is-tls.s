// What a library leaves undefined and refers to as thread-local is so in .dynsym: the link that comes
// compares kinds.
//# driver: ld
//# link: -shared
//# dynsym: ie type=TLS section=UND
//# dynsym: gd type=TLS section=UND
//# dynsym: desc type=TLS section=UND bind=WEAK
//# dynsym: plain type=NOTYPE section=UND
.weak desc
movq ie@gottpoff(%rip), %rax
.byte 0x66
leaq gd@tlsgd(%rip), %rdi
.value 0x6666
rex64
call __tls_get_addr@plt
leaq desc@tlsdesc(%rip), %rax
call *desc@tlscall(%rax)
movq plain@gotpcrel(%rip), %rax
.section .note.GNU-stack,"",@progbits
