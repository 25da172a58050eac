// Many output sections: the section header table and string table grow with them.
//# link: -static
//# section: own499 flags=WA
//# header: sections>=500
.altmacro
.macro section number
.section own\number,"aw",@progbits
.byte 1
.endm
.set i, 0
.rept 500
section %i
.set i, i + 1
.endr
.text
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
