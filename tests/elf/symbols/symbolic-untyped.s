# -Bsymbolic-functions binds references to all that is not said to be data: labels, and addresses that
# a script or an option assigns.
//# driver: ld
//# link: main.o -shared -Bsymbolic-functions --defsym assigned=label
//# dynsym: label
//# dynsym: assigned
//# no-reloc: symbol=label
//# no-reloc: symbol=assigned
//# reloc: R_X86_64_GLOB_DAT symbol=data
//# peers: ld
.globl label, assigned, data
.text
label:
    lea label(%rip), %rax
    lea assigned(%rip), %rax
    mov data@GOTPCREL(%rip), %rax
.data
.type data,@object
data: .quad 0
