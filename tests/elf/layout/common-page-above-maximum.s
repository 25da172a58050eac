// A common page size above the maximum page size is an error, in whatever order they are given.
//# variant: after: -z max-page-size=0x1000 -z common-page-size=0x4000
//# variant: before: -z common-page-size=0x4000 -z max-page-size=0x1000
//# variant: equal: -z common-page-size=0x4000 -z max-page-size=0x4000
//# @after,before expect-error: common page size \(0x4000\) > maximum page size \(0x1000\)
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
