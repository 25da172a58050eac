// --ignore-unresolved-symbol: this one may be undefined, and is zero.
//# variant: one: --ignore-unresolved-symbol=foo
//# variant: both: --ignore-unresolved-symbol=foo --ignore-unresolved-symbol=bar
//# @one expect-error: undefined.*bar
//# @one no-error: undefined.*foo
//# @both word: symbol(words).value = 0
//# peers: ld
.globl _start
_start: ret
.data
.globl words
words: .dc.a foo, bar
