| The psABI has no IFUNC.
//# driver: ld
//# link: -e _start
//# expect-error: relocation R_68K_PLT32 against IFUNC symbol 'f', which the machine's psABI does not have
//# peers: none
.globl _start
_start: bsr.l f@PLTPC
.type f, @gnu_indirect_function
f: rts
