// There are 4096 kinds of memory: of others is warned, and no program header is made.
//# peers: ld
//# warning: GNU_MBIND section .?.mbind.data.? has invalid sh_info field: 4097
//# no-segment: 0x6474e555
//# no-segment: 0x6474f556
.section .mbind.data,"adw",@progbits,0x1001
.long 1
.text
.globl _start
_start: ret
