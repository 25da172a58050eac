// An object that asks for an executable stack gets one, and is told of.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# @default,quiet,not-wanted,granted,last,own,own-quiet lint-except: executable-stack asked for
//# variant: default:
//# variant: quiet: -z noexecstack
//# variant: not-wanted: --no-warn-execstack
//# variant: error: --error-execstack
//# variant: granted: -z execstack-if-needed --warn-execstack
//# variant: last: -z noexecstack -z execstack-if-needed
//# variant: own: -z execstack --warn-execstack
//# variant: own-quiet: -z execstack
//# variant: own-error: -z execstack --warn-execstack --error-execstack
//# link: -static
//# @default,granted,last warning: main\.o: requires executable stack \(because the \.note\.GNU-stack section is executable\)$
//# @own warning: enabling an executable stack because of '-z execstack'$
//# @own-error expect-error: enabling an executable stack because of '-z execstack'$
//# @quiet,not-wanted,own-quiet no-warning: .
//# @error expect-error: main\.o: requires executable stack
//# @default,not-wanted,granted,last,own,own-quiet segment: GNU_STACK flags=RWX
//# @quiet segment: GNU_STACK flags=RW
//# @default,quiet peers: ld
//# @not-wanted,error,granted,last,own,own-quiet,own-error peers:
.globl _start
_start: ret
.section .note.GNU-stack,"x",@progbits
