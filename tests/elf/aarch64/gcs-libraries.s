// Libraries without guarded control stacks are reported if the output has them, as lld does: also if only
// reports about objects are asked for, then as a warning.
//# shared: plain.so plain.o
//# shared: marked.so marked.o
//# variant: inherited: -z gcs-report=error
//# variant: warned: -z gcs-report-dynamic=warning
//# variant: refused: -z gcs-report-dynamic=error
//# variant: silent: -z gcs-report=error -z gcs-report-dynamic=none
//# variant: never: -z gcs=never -z gcs-report-dynamic=error
//# variant: always: main.o -z gcs=always -z gcs-report=warning
//# link: -shared marked.o marked.so plain.so
//# @inherited,warned,always warning: plain.so: GCS is required by -z gcs, but this shared library lacks the necessary property note
//# @inherited,warned,always no-warning: marked.so
//# @always warning: main.o: -z gcs-report: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_GCS property
//# @refused expect-error: plain.so: GCS is required by -z gcs
//# @silent,never no-warning: GCS
//# peers: none
.text
.section .note.GNU-stack,"",@progbits
//# file: plain.s
.text
.section .note.GNU-stack,"",@progbits
//# file: marked.s
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 4, 0
.section .note.GNU-stack,"",@progbits
