// Addresses and distances in all fields of instructions and data, with their addends.
//# driver: ld
//# link: -e _start
//# run: exit=0
//# peers: ld
.syntax unified
.arch armv7-a
.arm
.globl _start
_start:
  ldr r1, =data + 4
  movw r0, #:lower16:(data + 4)
  movt r0, #:upper16:(data + 4)
  cmp r0, r1
  bne wrong
  movw r0, #:lower16:(data + 4 - (here + 8))
  movt r0, #:upper16:(data + 4 - (here + 8))
here:
  add r0, r0, pc
  cmp r0, r1
  bne wrong
  ldr r0, distance
  adr r2, distance
  add r0, r0, r2
  cmp r0, r1
  bne wrong
  adr r2, thumb + 1
  bx r2
wrong:
  mov r0, #1
  mov r7, #1
  svc #0
distance: .word data + 4 - .
.ltorg
.thumb
thumb:
  movw r0, #:lower16:(data + 4)
  movt r0, #:upper16:(data + 4)
  cmp r0, r1
  bne.w thumb_wrong
  movw r0, #:lower16:(data + 4 - (there + 4))
  movt r0, #:upper16:(data + 4 - (there + 4))
there:
  add r0, pc
  cmp r0, r1
  bne thumb_wrong
  ldr.w r0, in_code
  cmp r0, r1
  bne thumb_wrong
  ldr r0, =function
  movw r2, #:lower16:function
  uxth r0, r0
  cmp r0, r2
  bne thumb_wrong
  lsls r2, #31
  beq thumb_wrong
  cbnz r0, right
thumb_wrong:
  movs r0, #1
  b.n end
right:
  movs r0, #0
end:
  movs r7, #1
  svc #0
.globl function
.type function, %function
function: bx lr
.balign 4
in_code: .word data + 4
.data
data: .word 0, 0
