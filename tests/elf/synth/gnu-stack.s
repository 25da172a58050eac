// The stack is executable only if asked for.
//# lint-except: executable-stack asked for
//# variant: default:
//# variant: exec: -z execstack
//# variant: noexec: -z noexecstack
//# link: -static
//# @default,noexec segment: GNU_STACK flags=RW
//# @exec segment: GNU_STACK flags=RWX
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
