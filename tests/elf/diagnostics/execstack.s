// An object that asks for an executable stack is told of when the output does not get one.
//# variant: default:
//# variant: quiet: -z noexecstack
//# link: -static
//# @default warning: main\.o.*requires executable stack
//# @quiet no-warning: .
//# segment: GNU_STACK flags=RW
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"x",@progbits
