# Messages are in colour if that is asked for, and not where they go to a file.
//# driver: ld
//# variant: bare: --color-diagnostics
//# variant: always: --color-diagnostics=always
//# variant: never: --color-diagnostics=never
//# variant: auto: --color-diagnostics=auto
//# variant: default:
//# variant: taken-back: --color-diagnostics --no-color-diagnostics
//# @bare,always expect-error: \x1b\[[0-9;]*31merror: \x1b\[0m.*undefined symbol: nowhere
//# @never,auto,default,taken-back expect-error: error: undefined symbol: nowhere
//# @never,auto,default,taken-back no-error: \x1b
//# peers: lld
.include "machine.inc"
.globl _start
_start: calls nowhere
.section .note.GNU-stack,"",@progbits
