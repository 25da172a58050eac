// --defsym of a name that nothing defines is an error.
//# link: -static --defsym=x=nowhere
//# expect-error: nowhere
.globl _start
_start: .dc.a x
