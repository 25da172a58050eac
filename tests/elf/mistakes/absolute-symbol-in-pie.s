// The loader moves a position-independent program, and not what stands at a fixed address.
//# peers: none
//# link: -pie
//# error-text: ld: error: main.o:(.text+0x1): relocation R_X86_64_PLT32 cannot refer to absolute symbol 'firmware'
//# error-text: >>> defined in firmware.o
//# error-text: >>> the loader moves the program: link it with -no-pie
//# error-text: ld: error: main.o:(.text+0x8): relocation R_X86_64_PC32 cannot refer to absolute symbol 'firmware'
//# error-text: >>> defined in firmware.o
//# error-text: >>> the loader moves the program: link it with -no-pie
.globl _start
_start:
  call firmware
  lea firmware(%rip), %rax
//# file: firmware.s
.globl firmware
firmware = 0x10000
