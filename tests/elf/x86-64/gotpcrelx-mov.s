// mov foo@GOTPCREL(%rip), %reg becomes lea foo(%rip), %reg where foo is local.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# disasm: _start (?m)lea [-0-9a-fx]+\(%rip\),%rax
//# disasm: _start (?m)lea [-0-9a-fx]+\(%rip\),%r15
//# disasm: _start (?m)lea [-0-9a-fx]+\(%rip\),%ecx
//# no-disasm: _start \bmov\b
.globl _start, foo
_start:
  mov foo@GOTPCREL(%rip), %rax
  mov foo@GOTPCREL(%rip), %r15
  mov foo@GOTPCREL(%rip), %ecx
.size _start, . - _start
foo: ret
.section .note.GNU-stack,"",@progbits
