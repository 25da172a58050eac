// The notes of another link's build id are dropped; what refers to a symbol there has no address.
//# peers: ld lld
//# link: -static
//# expect-error: discarded
.globl _start, note
_start: lea note(%rip), %rax
.section .note.gnu.build-id,"a",@note
note: .long 4, 4, 3
.ascii "GNU\0"
.long 0
