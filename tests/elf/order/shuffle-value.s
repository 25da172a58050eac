// A bad value of --shuffle-sections is an error that says what is allowed.
//# variant: word: --shuffle-sections=abc
//# variant: glob: --shuffle-sections=.text*=abc
//# variant: empty: --shuffle-sections==1
//# variant: minus: --shuffle-sections=-1
//# expect-error: --shuffle-sections: bad value '[^']*': expected SEED or GLOB=SEED
//# peers:
.globl _start
_start: ret
