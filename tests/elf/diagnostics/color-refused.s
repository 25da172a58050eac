# Colour is asked for in three words.
//# driver: ld
//# link: --color-diagnostics=sometimes
//# expect-error: sometimes
//# peers: lld
.globl _start
_start: ret
