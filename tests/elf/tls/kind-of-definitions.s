// A variable that one file has as thread-local and another as a plain one: two definitions, or a
// definition and a reference of a library.
//# driver: ld
//# shared: libplain.so plain-reference.o
//# shared: libthread.so thread-reference.o
//# shared: libvariable.so plain.o
//# variant: weak-loses: plain.o weak-thread.o
//# variant: weak-thread-first: weak-thread.o plain.o
//# variant: common: thread.o common.o
//# variant: joined: -r thread.o common.o
//# variant: library: thread.o libplain.so
//# variant: library-thread: plain.o libthread.so
//# variant: libraries: libthread.so libvariable.so
//# variant: import: thread-reference.o libvariable.so
//# variant: two-definitions: thread.o libvariable.so
//# link: -e 0
//# peers: ld
//# @weak-loses,weak-thread-first,common,joined expect-error: TLS (attribute mismatch: x|definition in .* mismatches non-TLS)
//# @library expect-error: TLS (attribute mismatch: x|definition in .* mismatches non-TLS reference in libplain.so)
//# @library-thread expect-error: TLS (attribute mismatch: x|reference in libthread.so mismatches)
//# @libraries expect-error: TLS (attribute mismatch: x|reference in libthread.so mismatches)
//# @import expect-error: (thread-reference.o:\(.text\+0x3\): .* not thread-local|TLS reference in thread-reference.o mismatches)
//# @two-definitions symbol: x type=TLS
.section .note.GNU-stack,"",@progbits
//# file: plain.s
.data
.globl x
.type x, @object
.size x, 4
x: .long 1
.section .note.GNU-stack,"",@progbits
//# file: thread.s
.section .tdata,"awT",@progbits
.globl x
.type x, @object
.size x, 4
x: .long 2
.section .note.GNU-stack,"",@progbits
//# file: weak-thread.s
.section .tdata,"awT",@progbits
.weak x
.type x, @object
.size x, 4
x: .long 3
.section .note.GNU-stack,"",@progbits
//# file: common.s
.comm x,4,4
.section .note.GNU-stack,"",@progbits
//# file: plain-reference.s
movq x@gotpcrel(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: thread-reference.s
movq x@gottpoff(%rip), %rax
.section .note.GNU-stack,"",@progbits
