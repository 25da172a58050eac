// A signed pointer to a variable in tagged memory from beyond its bounds has the way back to it in the
// lower half of the word, and is not packed. What does not fit there is an error.
//# cc: clang-19
//# compile: -march=armv8.5-a+pauth
//# variant: shared: -shared -z memtag-mode=sync main.o
//# variant: packed: -shared -z memtag-mode=sync -z pack-relative-relocs main.o
//# variant: far: -shared -z memtag-mode=sync main.o far.o
//# @shared,packed word64: symbol(pointers).value = 0x0000002a00000000
//# @shared,packed word64: symbol(pointers).value+8 = 0x2000000bfffffff0
//# @shared,packed word64: symbol(pointers).value+16 = 0x2000000c00000001
//# @shared,packed no-section: .relr.auth.dyn
//# @shared,packed reloc: 0x411 place=symbol(pointers).value addend=symbol(tagged).value+15
//# @shared,packed reloc: 0x411 place=symbol(pointers).value+8 addend=symbol(tagged).value+16
//# @shared,packed reloc: 0x411 place=symbol(pointers).value+16 addend=symbol(tagged).value-1
//# @far expect-error: far.o:\(.data\+0x8\): signed pointer to symbol 'tagged' in tagged memory: -4294967296 does not fit 32 bits
//# peers: none
//# file: main.s
.globl tagged, pointers
.hidden tagged, pointers
.data
.balign 16
.memtag tagged
.type tagged, %object
tagged: .zero 16
.size tagged, 16
pointers:
  .quad (tagged + 15)@AUTH(ia,42)
  .quad (tagged + 16)@AUTH(da,11)
  .quad (tagged - 1)@AUTH(da,12)
.section .note.GNU-stack,"",%progbits
//# file: far.s
.hidden tagged
.memtag tagged
.data
  .quad 0
  .quad (tagged + 0x100000000)@AUTH(da,11)
.section .note.GNU-stack,"",%progbits
