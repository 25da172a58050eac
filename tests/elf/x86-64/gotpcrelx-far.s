// What is out of reach for a relaxed instruction keeps its GOT entry (GNU ld 2.40 and lld 19 fail).
//# link: -static -Ttext=0x10000 --section-start=.far=0x200000000
//# no-disasm: _start lea
//# disasm: _start mov [-0-9a-fx]+\(%rip\),%rax
//# peers: none
.globl _start
.type _start, @function
_start: mov foo@GOTPCREL(%rip), %rax
.size _start, . - _start
.section .far,"aw",@progbits
.globl foo
foo: .quad 0
.section .note.GNU-stack,"",@progbits
