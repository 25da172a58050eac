// Branches over more than 128 MiB lead through thunks, which are named and marked: a short form
// for 4 GiB, and for farther targets one with the address or the distance in a word.
//# variant: fixed: -static
//# variant: pie: -pie --no-dynamic-linker -z text
//# link: --section-start=.far=0x10000000 --section-start=.distant=0x2000000000
//# run: exit=42
//# symbol: __far_veneer type=FUNC bind=LOCAL size=12 section=.text count=1
//# disasm: __far_veneer adrp x16, .*\n.*add x16, x16, #0x8\n.*br x16
//# @fixed symbol: __distant_veneer type=FUNC bind=LOCAL size=16 section=.text count=1
//# @pie symbol: __distant_veneer type=FUNC bind=LOCAL size=24 section=.text count=1
//# @fixed disasm: __distant_veneer ldr x16, .*\n.*br x16
//# @fixed word64: symbol(__distant_veneer).value+8 = 0x2000000000
//# @pie disasm: __distant_veneer ldr x17, .*\n.*adr x16, .*<__distant_veneer>\n.*add x16, x16, x17\n.*br x16
//# symbol: $d section=.text value=symbol(__distant_veneer).value+symbol(__distant_veneer).size-8
//# symbol: __unnamed_veneer section=.far count=1
//# peers:
.globl _start
_start:
  mov x0, #0
  bl far            // 1
  bl far            // 2
  bl distant        // 22
  bl distant        // 42
  b end
back:
  ret x17
end:
  mov x8, #93
  svc #0
.section .far, "ax"
  nop
  nop
.globl far
.type far, %function
far:
  add x0, x0, #1
  mov x17, x30
  b back
.section .distant, "ax"
.globl distant
.type distant, %function
distant:
  add x0, x0, #20
  ret
.section .note.GNU-stack, "", @progbits
