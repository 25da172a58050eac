; Nothing loads programs of AVR: there are no libraries, and no code that may stand anywhere.
//# driver: ld
//# variant: library: -shared
//# variant: program: -pie
//# link: -mavr5
//# compile: -mmcu=avr5
//# expect-error: has no shared libraries and no position-independent programs
//# peers: none
.globl _start
_start: nop
