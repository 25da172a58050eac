// A branch to an undefined weak symbol goes to the next instruction; it is zero as a word, and near by
// its page, as the ABI has it.
//# peers: ld
//# link: -static -Ttext=0x10000 -Tdata=0x20000
//# bytes: 0x10000 = 1f 20 03 d5
//# bytes: 0x10004 = 1f 20 03 d5
//# disasm: _start adrp x0, 10000
//# disasm: _start add x0, x0, #0x0
//# word64: 0x20000 = 0
.globl _start
.weak nothing
_start:
  bl nothing
  b nothing
  adrp x0, nothing
  add x0, x0, #:lo12:nothing
.size _start, . - _start
.data
.xword nothing
.section .note.GNU-stack,"",@progbits
