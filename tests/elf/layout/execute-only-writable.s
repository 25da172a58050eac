// --execute-only cannot hold for code that is written to.
//# link: --execute-only
//# expect-error: execute-only.*\.mixed
//# peers:
.globl _start
.section .mixed,"awx"
_start: ret
