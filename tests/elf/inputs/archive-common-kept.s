// A function, a weak definition, and what stands before it in an archive do not replace a common
// symbol; the first variable behind it does.
//# archive: libfunction.a function.o
//# archive: libweak.a weak.o
//# archive: libvariable.a variable.o
//# archive: libsecond.a second.o
//# variant: function: main.o libfunction.a
//# variant: weak: main.o libweak.a
//# variant: before: libvariable.a main.o
//# variant: weak-before: libweak.a main.o
//# @function,weak,before,weak-before run: exit=0
//# @function,weak,before,weak-before no-symbol: mark
//# variant: behind: main.o libfunction.a libvariable.a
//# @behind run: exit=3
//# variant: second: libvariable.a main.o libsecond.a
//# @second run: exit=4
//# peers: ld
.globl _start
_start: movl counter(%rip), %edi
movl $60, %eax
syscall
.comm counter, 4, 4
.section .note.GNU-stack,"",@progbits
//# file: function.s
.globl counter, mark
.type counter, @function
counter: ret
mark:
.section .note.GNU-stack,"",@progbits
//# file: weak.s
.data
.weak counter
.globl mark
counter: .long 2
mark:
.section .note.GNU-stack,"",@progbits
//# file: variable.s
.data
.balign 4
.globl counter, mark
counter: .long 3
mark:
.section .note.GNU-stack,"",@progbits
//# file: second.s
.data
.balign 4
.globl counter
counter: .long 4
.section .note.GNU-stack,"",@progbits
