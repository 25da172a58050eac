// A static program without a library: the linker gets `-m aarch64linux` by itself.
//# run: exit=7
//# header: type=EXEC machine=183
//# symbol: _start section=.text
//# word32: section(.data).address = 7
//# disasm: _start adrp x1
.globl _start
_start:
  adrp x1, value
  ldr w0, [x1, :lo12:value]
  mov x8, #93
  svc #0
.data
value: .word 7
