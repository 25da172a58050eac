// The loader is told of the form of entries that jump through .got alone, too.
//# shared: lib.so lib.o
//# link: main.o lib.so -z pac-plt
//# dynamic: AARCH64_PAC_PLT
//# section: .plt.got
//# no-section: .plt
//# peers: none
.globl _start
_start:
  bl f
  adrp x0, :got:f
  ldr x0, [x0, #:got_lo12:f]
  ret
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.globl f
.type f, %function
f: ret
.size f, . - f
.section .note.GNU-stack,"",@progbits
