// A name in an assigned expression is wrapped as a reference of an object is; the assigned name is not.
//# variant: wrapped: --defsym=x=f
//# variant: real: --defsym=x=__real_f
//# variant: missing: --wrap=g --defsym=x=g
//# link: -static --wrap=f
//# @wrapped symbol: x value=symbol(__wrap_f).value
//# @real symbol: x value=symbol(f).value
//# @missing expect-error: g
.globl _start, f, g, __wrap_f
_start: nop
.type f, @function
f: nop
g: ret
.type __wrap_f, @function
__wrap_f: ret
.section .note.GNU-stack,"",@progbits
