// -z words without effect here are accepted without a word; those that nobody knows are a warning.
//# variant: known: -z one-rosegment -z noone-rosegment -z extern-protected-data -z noextern-protected-data -z hazardplt -z bndplt -z relax -z common -z nocommon -z lazy -z combreloc
//# variant: unknown: -z frobnicate
//# @known no-warning: .
//# @unknown warning: unknown.*frobnicate
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
