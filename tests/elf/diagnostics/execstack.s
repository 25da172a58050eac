// An object that asks for an executable stack is told of when the output does not get one.
//# variant: default:
//# variant: quiet: -z noexecstack
//# variant: not-wanted: --no-warn-execstack
//# variant: error: --error-execstack
//# variant: granted: -z execstack-if-needed --warn-execstack
//# variant: own: -z execstack --warn-execstack
//# variant: own-quiet: -z execstack
//# variant: own-error: -z execstack --warn-execstack --error-execstack
//# link: -static
//# @default warning: main\.o.*requires executable stack
//# @own warning: enabling an executable stack because of '-z execstack'$
//# @own-error expect-error: enabling an executable stack because of '-z execstack'$
//# @quiet,not-wanted,own-quiet no-warning: .
//# @error expect-error: main\.o: requires executable stack
//# @granted warning: main\.o: requires executable stack \(because the \.note\.GNU-stack section is executable\)$
//# @granted,own,own-quiet segment: GNU_STACK flags=RWX
//# @default,quiet,not-wanted segment: GNU_STACK flags=RW
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"x",@progbits
