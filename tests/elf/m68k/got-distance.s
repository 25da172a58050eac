| The GOT's own distance, words of it by distance and by offset.
//# driver: ld
//# link: -e _start
//# run: exit=27
//# peers: ld
.globl _start, a, b
_start:
  lea (_GLOBAL_OFFSET_TABLE_@GOTPC, %pc), %a5
  move.l (a@GOT, %a5), %a0
  move.l (%a0), %d1
  move.l (b@GOT.w, %a5), %a0
  add.l (%a0), %d1
  move.l (a@GOTPC, %pc), %a0
  add.l (%a0), %d1
  moveq #1, %d0
  trap #0
.data
a: .long 10
b: .long 7
