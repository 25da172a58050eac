// -z start-stop-visibility=default defines no bounds that nothing refers to.
//# link: -shared -z start-stop-visibility=default
//# dynsym: __start_words vis=DEFAULT
//# no-dynsym: __stop_words
//# no-symbol: __start_others
//# peers: ld lld
.globl get
get: mov __start_words@GOTPCREL(%rip), %rax
.section words, "aw"
.quad 1
.section others, "aw"
.quad 2
.section .note.GNU-stack,"",@progbits
