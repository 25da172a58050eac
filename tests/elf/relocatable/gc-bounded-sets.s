// -r --gc-sections keeps a set if a bound of it is referred to, because the final link defines that;
// peers drop it and make the final link fail. Nobody keeps a set without such a reference.
//# link: -r --gc-sections -u _start
//# section: listed
//# section: .jcr
//# no-section: unlisted
//# peers:
.globl _start
_start: mov __start_listed(%rip), %rax
.section listed, "aw"
.quad 1
.section unlisted, "aw"
.quad 2
.section .jcr, "aw"
.quad 0
.section .note.GNU-stack,"",@progbits
