// mov foo@GOTPCREL(%rip), %reg (R_X86_64_REX_GOTPCRELX; without prefix R_X86_64_GOTPCRELX) becomes a
// lea, or a mov of a constant, where foo is local.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# disasm: _start (?m)(lea [-0-9a-fx]+\(%rip\)|mov \$0x[0-9a-f]+),%rax
//# disasm: _start (?m)(lea [-0-9a-fx]+\(%rip\)|mov \$0x[0-9a-f]+),%r15
//# disasm: _start (?m)(lea [-0-9a-fx]+\(%rip\)|mov \$0x[0-9a-f]+),%ecx
//# no-disasm: _start mov .*%rip
.globl _start, foo
_start:
  mov foo@GOTPCREL(%rip), %rax
  mov foo@GOTPCREL(%rip), %r15
  mov foo@GOTPCREL(%rip), %ecx
.size _start, . - _start
foo: ret
.section .note.GNU-stack,"",@progbits
