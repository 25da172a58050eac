// What nothing defines has in .dynsym the type that objects give it.
//# link: -shared
//# dynsym: func type=FUNC bind=WEAK section=UND
//# dynsym: object type=OBJECT bind=GLOBAL section=UND
//# dynsym: local_dynamic type=TLS bind=WEAK section=UND
//# dynsym: plain type=NOTYPE bind=GLOBAL section=UND
//# peers: ld lld
.weak func
.type func, @function
.type object, @object
call func@PLT
mov object@GOTPCREL(%rip), %rax
mov plain@GOTPCREL(%rip), %rax
.weak local_dynamic
leaq local_dynamic@tlsld(%rip), %rdi
call __tls_get_addr@PLT
leaq local_dynamic@dtpoff(%rax), %rax
.section .note.GNU-stack,"",@progbits
