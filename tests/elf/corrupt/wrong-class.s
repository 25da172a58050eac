// A 32-bit object does not fit.
//# sh: printf '.globl f\nf: ret\n' > small.s; as --32 small.s -o small.o
//# link: -static small.o
//# expect-error: small\.o.*incompatible|incompatible.*small\.o
.globl _start
_start: call f
