// Addresses on the command line that leave too little room.
//# peers: none
//# driver: ld
//# link: -Ttext=0x401000 -Tdata=0x401010
//# error-text: ld: error: section .data overlaps with .text
//# error-text: >>> .data range is [0x401010, 0x401013]
//# error-text: >>> .text range is [0x401000, 0x40101f]
__asm__(".globl _start; _start: .skip 32");
int value = 1;
