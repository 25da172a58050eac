# Data that options put into the page below the code, where the headers would be, is no mistake of programs
# that no loader reads.
//# driver: ld
//# variant: both: -Ttext=0x20004000 -Tdata=0x20000000 -Tbss=0x20001000
//# variant: bss: -Ttext=0x20004000 -Tbss=0x20001000
//# variant: image: -Ttext=0x20004000 -Tdata=0x20000000 -Tbss=0x20001000 --oformat=binary
//# link: main.o
//# @both,bss section: .bss address=0x20001000 size=0x2800
//# @both,bss lint-except: load-order the page of headers is that of .bss
//# @both,bss lint-except: segment-offset the page of headers is that of .bss
//# peers: ld
.globl _start
_start: ret
.data
.quad 1
.bss
.zero 0x2800
.section .note.GNU-stack,"",@progbits
