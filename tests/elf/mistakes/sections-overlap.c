// Addresses on the command line that leave too little room.
//# peers: none
//# driver: ld
//# link: -Ttext=0x401000 -Tdata=0x401010
//# error-text: ?
__asm__(".globl _start; _start: .skip 32");
int value = 1;
