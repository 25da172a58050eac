// call and jmp through the GOT (R_X86_64_GOTPCRELX) become direct, padded by a prefix or a nop.
//# link: -static
//# run: exit=5
//# disasm: _start (?m)call [0-9a-f]+ <foo>
//# disasm: _start (?m)jmp [0-9a-f]+ <bar>
.globl _start, foo, bar
.type _start, @function
_start:
  call *foo@GOTPCREL(%rip)
  jmp *bar@GOTPCREL(%rip)
.size _start, . - _start
foo: mov $5, %edi
  ret
bar: mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
