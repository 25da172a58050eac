// An unwind record that holds the address of its function, and not the distance to it, is relocated
// by the loader; where read-only memory must not be, it is an error.
//# @shared,static lint-except: relocated-code asked for
//# variant: shared: -shared --eh-frame-hdr -z notext
//# variant: refused: -shared -z text
//# variant: static: -static -e local
//# link: main.o
//# @shared peers: none
//# @refused,static peers: lld
//# @shared,static lint-except: eh-frame the loader completes the records
//# @shared,static lint-except: eh-frame-hdr the loader completes the records
//# @refused expect-error: relocation R_X86_64_64
//# @shared reloc: R_X86_64_RELATIVE place=section(.eh_frame).address+0x20 addend=symbol(local).value
//# @shared reloc: R_X86_64_64 symbol=exported place=section(.eh_frame).address+0x3c
//# @shared check: test $(readelf --debug-dump=frames $OUT | grep -c ' FDE ') = 2
//# @static word64: section(.eh_frame).address+0x20 = symbol(local).value
local:
  nop
.globl exported
exported:
  ret
.section .eh_frame,"a",@progbits
cie:
  .long cie_end - . - 4, 0
  .byte 1
  .asciz "zR"
  .byte 1, 0x78, 16, 1
  .byte 0                               # DW_EH_PE_absptr
  .byte 0xc, 7, 8, 0x90, 1, 0, 0
cie_end:
  .long 0x18, . - cie
  .quad local, 1
  .long 0
  .long 0x18, . - cie
  .quad exported, 1
  .long 0
.section .note.GNU-stack,"",@progbits
