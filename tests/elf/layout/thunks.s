// Calls and jumps between sections farther apart than 2 GiB lead through thunks; no peer has them.
//# variant: fixed: -static
//# variant: pie: -pie --no-dynamic-linker -z text
//# link: --section-start=.far=0x2000000000
//# run: exit=42
//# disasm: _start call.* <leave\+0x
//# disasm: * notrack jmp \*%r11
//# peers:
.globl _start
_start:
  xor %edi, %edi
  call add_one           # 1
  call add_one           # 2
  cmp $2, %edi
  je .Lfar
  hlt
.section .far,"ax"
.globl add_one
add_one:
  inc %edi
  jmp back
.Lfar:
  call add_twenty        # 22
  call add_twenty        # 42
  jmp leave
.text
back:
  ret
add_twenty:
  add $20, %edi
  ret
leave:
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
