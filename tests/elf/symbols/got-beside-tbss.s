// `.tbss` takes no address space, so no symbol of the linker's own is in it, however large it is;
// symbols of thread-local variables are.
//# variant: fixed: -static
//# variant: pie: -pie
//# symbol: _GLOBAL_OFFSET_TABLE_ section~\.got
//# no-symbol: __init_array_start section=.tbss
//# symbol: big section=.tbss
.globl _start
_start: leaq _GLOBAL_OFFSET_TABLE_(%rip), %rax
movq big@GOTTPOFF(%rip), %rax
leaq __init_array_start(%rip), %rax
ret
.hidden __init_array_start
.section .init_array,"aw",@init_array
.dc.a _start
.section .tbss,"awT",@nobits
.globl big
.type big,@object
big: .zero 0x10000
.section .note.GNU-stack,"",@progbits
