// The last of several assignments to a name gives its value and says whether it moves; what stands
// between two of them sees the nearest before it.
//# peers: ld lld
//# link: -pie --no-dynamic-linker a.ld
//# symbol: a section=.text value=symbol(_start).value
//# symbol: b section=ABS value=3
//# reloc: R_X86_64_RELATIVE addend=symbol(_start).value
//# reloc: R_X86_64_RELATIVE count=1
.globl _start
_start: ret
.data
.quad a
.quad b
//# file: a.ld
a = 3;
b = a;
a = _start;
