# Calls from position-independent code find the word of the PLT from r30: from the GOT's address or
# from one in the object's table; calls that promise nothing, and those of _mcount, by themselves.
//# driver: ld
//# shared: libf.so f.o
//# link: main.o small.o libf.so -pie -e _start -z now
//# disasm: * lwz +r11,-?[0-9]+\(r30\)
//# disasm: * bcl +20,4\*cr7\+so
//# peers: none
.globl _start
_start:
  bl f+0x8000@plt
  bl f
  bl _mcount@plt
  blr
.section .got2,"aw"
  .long 0
//# file: small.s
.globl small
small:
  bl f@plt
  blr
//# file: f.s
.globl f, _mcount
.type f, @function
.type _mcount, @function
f: blr
_mcount: blr
