// test and binary operations on a GOT entry (R_X86_64_REX_GOTPCRELX) take an immediate in a
// program at a low address.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# @static run: exit=0
//# @static disasm: _start (?m)cmp \$0x[0-9a-f]+,%r
//# @static disasm: _start (?m)test \$0x[0-9a-f]+,%r
//# @pie disasm: _start (?m)cmp [-0-9a-fx]+\(%rip\),%r
.globl _start, foo
.type _start, @function
_start:
  lea foo(%rip), %rbx
  mov $1, %edi
  cmp foo@GOTPCREL(%rip), %rbx
  jne 1f
  test %rbx, foo@GOTPCREL(%rip)
  je 1f
  sub foo@GOTPCREL(%rip), %rbx
  jne 1f
  xor %edi, %edi
1: mov $60, %eax
  syscall
.size _start, . - _start
.globl foo
foo: ret
.section .note.GNU-stack,"",@progbits
