// R_X86_64_GOTPCRELX and R_X86_64_REX_GOTPCRELX: every operation that takes an immediate takes the
// address (lld keeps the GOT entry without REX prefix).
//# link: -static
//# peers: ld
//# bytes: symbol(_start).value = 81 c0 ?? ?? ?? ?? 48 81 cf ?? ?? ?? ?? 49 81 d0 ?? ?? ?? ?? 49 81 dc
//# bytes: symbol(second).value = 81 e1 ?? ?? ?? ?? 48 81 ea ?? ?? ?? ?? 41 81 f7 ?? ?? ?? ?? 48 81 f8
//# bytes: symbol(third).value = f7 c2 ?? ?? ?? ?? 49 f7 c0
//# word32: symbol(_start).value+2 = symbol(foo).value
//# word32: symbol(third).value+9 = symbol(foo).value
//# no-section: .got
.globl _start, foo
_start:
  add foo@GOTPCREL(%rip), %eax
  or foo@GOTPCREL(%rip), %rdi
  adc foo@GOTPCREL(%rip), %r8
  sbb foo@GOTPCREL(%rip), %r12
second:
  and foo@GOTPCREL(%rip), %ecx
  sub foo@GOTPCREL(%rip), %rdx
  xor foo@GOTPCREL(%rip), %r15d
  cmp foo@GOTPCREL(%rip), %rax
third:
  test %edx, foo@GOTPCREL(%rip)
  test %r8, foo@GOTPCREL(%rip)
foo: ret
.section .note.GNU-stack,"",@progbits
